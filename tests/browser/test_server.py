"""The server in a real browser: the frame stands around every page, whichever address is asked for first; one sentence where
the workspace cannot be opened, on every page, until it can."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.app_server import Serve
from tests.browser.conftest import sign
from tests.waiting import until


@pytest.mark.parametrize("address", ["review", "agents", "board", "board.py"])
def test_a_fresh_server_asked_for_a_deep_link_first_shows_the_frame(serve: Serve, workspace: Path, page: Page, address: str):
    app = serve(workspace, is_forked=False)
    sign(page, app.url)
    page.goto(f"{app.url}/{address}")
    expect(page.get_by_test_id("stSidebarNavLink").filter(has_text="Review")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    if "board" in address:
        expect(page.get_by_text("Page not found")).to_be_visible()
    app.stop()
    assert not app.token_file.exists(), "an open tab keeps no server from ending"


def test_a_workspace_that_cannot_be_opened_is_one_sentence_on_every_page(serve: Serve, workspace: Path, page: Page):
    good = Path(shutil.copy(workspace, workspace.with_name("good.duckdb")))
    workspace.write_text("my notes")
    app = serve(workspace, is_forked=False)
    sign(page, app.url)
    for address in (
        "",
        "corpus",
        "draft",
        "review",
        "freeze",
        "browse",
        "compare",
        "run",
        "results",
        "traces",
        "agents",
        "prompts",
        "jobs",
    ):
        page.goto(f"{app.url}/{address}")
        expect(page.get_by_test_id("stAlert").filter(has_text="is not a DuckDB file")).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)
    good.replace(workspace)
    page.goto(f"{app.url}/review")
    expect(page.get_by_test_id("stSidebarNavLink").filter(has_text="Review")).to_be_visible()
    expect(page.get_by_text("is not a DuckDB file")).to_have_count(0)
    until(app.token_file.exists)  # from here on the command line finds the app
