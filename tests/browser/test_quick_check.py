"""The quick check in a real browser: estimate, start, watch, reload, table; on an endpoint that takes a second per reply."""

import os
import re
import time
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve, sign
from tests.openai_server import running
from workbench import Workbench

LIMIT = 120
"""Seconds that a quick check of the default size may take on an endpoint of one second per call."""


def choose(page: Page, label: str, option: str) -> None:
    """Take an option of a select box."""
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=re.compile(option)).click()


def test_a_quick_check_ends_within_two_minutes_on_an_endpoint_of_a_second(page: Page, serve: Serve, workspace: Path) -> None:
    with running(latency=1.0) as endpoint:
        with Workbench.open(workspace) as bench:
            bench.agent_list.save({"name": "slow", "model": "m", "base_url": endpoint.url, "price_in": 1.0, "price_out": 2.0})
        served = serve(workspace, env={**os.environ, "OPENAI_API_KEY": "none"})
        sign(page, served.url)
        page.goto(f"{served.url}/run")
        choose(page, "Agent", "slow")
        expect(page.get_by_text("36", exact=True)).to_be_visible()
        expect(page.get_by_text("assumed, it has not answered yet")).to_be_visible()
        began = time.monotonic()
        page.get_by_role("button", name="Start the quick check").click()
        expect(page.get_by_text("Quick check on working")).to_be_visible()
        page.reload()
        expect(page.get_by_text("What they came to")).to_be_visible(timeout=LIMIT * 1000)
        took = time.monotonic() - began
        assert took < LIMIT, took
        expect(page.get_by_text("12 of 12 answered")).to_have_count(4)
        page.get_by_role("link", name="Open in Results").click()
        expect(page).to_have_url(re.compile(r"/results\?run=\w{16}(&run=\w{16}){3}$"))
        served.stop()
        assert endpoint.count()["requests"] == 36
    with Workbench.open(workspace) as bench:
        ids = [row["id"] for row in bench.upkeep.jobs()]
        rows = bench.quick_check.table(ids)["rows"]
        assert [row["answered"] for row in rows] == [12] * 4 and not any(row["offline"] for row in rows)
