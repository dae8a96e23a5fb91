"""Drafting one at a time in a real browser: sample, generate, save; an answer that comes word by word, and one that breaks
off."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from store.engine.database import Database
from store.items import items
from store.jobs import jobs
from tests.browser.conftest import Serve, sign, until_still
from tests.openai_server import running
from workbench import Workbench


def choose(page: Page, label: str, option: str) -> None:
    """Choose from a list of the page."""
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option).first.click()
    expect(page.get_by_role("listbox")).to_have_count(0)
    page.wait_for_timeout(300)  # the rerun has begun
    until_still(page)


def press(page: Page, label: str) -> None:
    page.get_by_role("button", name=label, exact=True).click()


def sample(page: Page, agent: str) -> None:
    page.get_by_role("heading", name="Draft").wait_for()
    choose(page, "Agent", agent)
    choose(page, "Domain", "tech")
    press(page, "Sample context")
    page.get_by_text("Fourteen were made.").wait_for()


def test_a_draft_is_generated_once_survives_a_reload_and_is_saved(serve: Serve, workspace: Path, page: Page) -> None:
    served = serve(workspace)
    sign(page, served.url)
    page.goto(f"{served.url}/draft")
    sample(page, "recorded")
    page.get_by_role("button", name="Generate", exact=True).dblclick()
    page.get_by_text("to review", exact=True).wait_for()
    page.reload()
    page.get_by_text("to review", exact=True).wait_for()
    asked = "At which port did the first Mark IV Swing Sluice go into service?"
    expect(page.get_by_label("Question").first).to_have_value(asked)
    accept = page.get_by_role("button", name="Accept")
    expect(accept).to_be_in_viewport(ratio=1)
    until_still(page)
    page.get_by_role("button", name="All keys").wait_for()  # drawn with what hears the key
    accept.focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard help")).to_be_visible()
    for key in ("Enter", " ", "a"):
        page.keyboard.press(key)  # under the help nothing is pressed
    expect(page.get_by_role("dialog", name="Keyboard help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("to review", exact=True)).to_be_visible()
    accept.click()
    page.get_by_text("Saved, revision 1.").wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Another context").last).to_be_enabled()
    until_still(page)
    page.locator("button.next:enabled").wait_for()
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="Generate", exact=True)).to_be_visible()
    served.stop()
    with Database.open(workspace) as database:
        assert [job.kind for job in jobs.list_jobs(database)] == ["draft_one"]
        (item,) = [i for i in items.list_items(database) if i.provenance.agent == "recorded"]
        assert item.status == "accepted"
        ((person, decision, seconds),) = database.rows("SELECT person, decision, seconds FROM review WHERE item = ?", [item.id])
        assert (person, decision) == ("Ada", "accept") and seconds > 0


@pytest.mark.parametrize("fault", ["halt", "stall"])
def test_words_are_seen_as_they_come_and_what_breaks_off_can_be_made_again(
    serve: Serve, workspace: Path, page: Page, fault: str
) -> None:
    with running([{"fault": fault}]) as endpoint:
        with Workbench.open(workspace) as bench:
            bench.agent_list.save({"name": "mock", "model": "m", "base_url": endpoint.url, "timeout": 120.0})
        served = serve(workspace, env={"OPENAI_API_KEY": "sk-test"})
        sign(page, served.url)
        page.goto(f"{served.url}/draft")
        sample(page, "mock")
        press(page, "Generate")
        page.get_by_text('{"question": "Which').wait_for()
        expect(page.get_by_text("to review", exact=True)).to_have_count(0)  # half an answer is not a draft
        if fault == "stall":
            press(page, "Stop")
            page.get_by_text("No draft was saved.").wait_for()
            endpoint.script([])
            press(page, "Generate again")
        else:
            page.reload()  # the job goes on without the page
            endpoint.script([])
        page.get_by_text("to review", exact=True).wait_for()
    served.stop()
    with Database.open(workspace) as database:
        assert len([i for i in items.list_items(database) if i.provenance.agent == "openai:m"]) == 1
        assert [job.state for job in jobs.list_jobs(database)] == ([] if fault == "halt" else ["cancelled"]) + ["done"]
