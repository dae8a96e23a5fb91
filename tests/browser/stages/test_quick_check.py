"""The quick check in a real browser: estimate, start, watch, reload, table."""

import os
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve, sign
from tests.openai_server import running
from workbench import Workbench


def choose(page: Page, label: str, option: str) -> None:
    """Take an option of a select box."""
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=re.compile(option)).click()


def test_a_quick_check_outlives_a_reload_and_shows_what_it_came_to(page: Page, serve: Serve, workspace: Path) -> None:
    with running([{"from": 3, "fault": "hold"}]) as endpoint:  # held, so that it is at work until the page was read again
        with Workbench.open(workspace) as bench:
            bench.agent_list.save({"name": "mock", "model": "m", "base_url": endpoint.url, "price_in": 1.0, "price_out": 2.0})
        served = serve(workspace, env={**os.environ, "OPENAI_API_KEY": "none"})
        sign(page, served.url)
        page.goto(f"{served.url}/run")
        choose(page, "Agent", "mock")
        expect(page.get_by_text("36", exact=True)).to_be_visible()
        expect(page.get_by_text("assumed, because the agent has not answered yet")).to_be_visible()
        page.get_by_role("button", name="Start the quick check").click()
        expect(page.get_by_text("Quick check on working")).to_be_visible()
        page.reload()
        expect(page.get_by_text("Quick check on working")).to_be_visible()
        endpoint.script([])
        expect(page.get_by_text("Figures by system")).to_be_visible(timeout=180_000)
        expect(page.get_by_text("12 of 12 answered")).to_have_count(4)
        page.get_by_role("link", name="Open in Results").click()
        expect(page).to_have_url(re.compile(r"/results\?run=\w{16}(&run=\w{16}){3}$"))
        served.stop()
        assert endpoint.count()["requests"] == 36
    with Workbench.open(workspace) as bench:
        ids = [row.id for row in bench.upkeep.jobs()]
        rows = bench.quick_check.compare(ids).rows
        assert [row.figures.answered for row in rows] == [12] * 4 and not any(row.figures.offline for row in rows)
