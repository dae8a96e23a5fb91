"""A guideline from the box in which it is written to the desk where it stands, and the history that tells of its use."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve, sign
from workbench import Workbench

TEXT = "Ask one thing.\n<b>No</b> *marks*, $5 or $10."


@pytest.mark.fault(4)
def test_what_is_written_stands_on_the_desk_to_the_letter_and_goes_with_the_decision(
    serve: Serve, workspace: Path, page: Page
) -> None:
    with Workbench.open(workspace) as bench:
        item = next(one["id"] for one in bench.reviews.items() if one["task"] == "explicit_factoid")
    app = serve(workspace)
    sign(page, app.url)
    page.goto(f"{app.url}/guidelines?task=explicit_factoid&view=Edit")
    box = page.get_by_label("The guideline")
    box.fill(TEXT)
    expect(page.locator(".state")).to_have_text("Not saved; kept in this browser.")
    page.reload()
    expect(page.locator(".kept")).to_be_visible()
    expect(box).to_have_value(TEXT)
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("Version 1 is saved and counts from now on.")).to_be_visible()

    page.goto(f"{app.url}/review?item={item}")
    guideline = page.locator(".desk .guideline")
    expect(guideline.locator("summary")).to_have_text("Guideline, version 1")
    expect(guideline.locator("p")).to_be_visible()
    assert guideline.locator("p").inner_text() == TEXT
    guideline.locator("summary").click()
    expect(guideline.locator("p")).to_be_hidden()
    page.reload()
    expect(guideline.locator("summary")).to_be_visible()
    expect(guideline.locator("p")).to_be_hidden()

    page.locator(".desk .question").fill("Who asked this in other words?")
    page.get_by_role("button", name="Accept").click()
    expect(page.locator(".desk .saved")).to_contain_text("accepted")
    page.goto(f"{app.url}/review?item={item}")
    expect(page.locator(".desk .about")).to_contain_text("rev. 2")
    page.locator(".desk .history-toggle").click()
    events = page.locator(".desk .history-list .event")
    expect(events).to_have_count(3)
    expect(events.nth(0)).to_contain_text("You accepted")
    expect(events.nth(0)).to_contain_text("guideline 1")
    expect(events.nth(1).locator("ins").first).to_be_visible()
    app.stop()
