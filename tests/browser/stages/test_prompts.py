"""The box in which prompts are edited, in a real browser: typed words outlive a reload, and are saved as a version."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve, sign
from workbench import Workbench

NAME = "draft/explicit_factoid"


@pytest.mark.fault(32)
def test_typed_words_outlive_a_reload_and_become_a_version(serve: Serve, workspace: Path, page: Page) -> None:
    app = serve(workspace)
    sign(page, app.url)
    address = f"{app.url}/prompts?view=Edit&prompt={NAME}"
    page.goto(address)
    box = page.get_by_label("The prompt file")
    box.wait_for()
    box.fill(box.input_value().replace("You write questions", "You write HARD questions"))
    expect(page.locator(".state")).to_have_text("Not saved; kept in this browser.")
    page.reload()
    box.wait_for()
    expect(page.locator(".kept")).to_be_visible()
    assert "HARD" in box.input_value()

    box.fill(box.input_value().replace("skill: draft", "skill: judge"))
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("it cannot become judge")).to_be_visible()
    assert "HARD" in box.input_value() and "skill: judge" in box.input_value()

    box.fill(box.input_value().replace("skill: judge", "skill: draft"))
    page.get_by_label("Note on this version").fill("harder")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("Version 1 is saved and in use.")).to_be_visible()
    expect(page.locator(".state")).to_have_text("This text is saved.")
    page.reload()
    box.wait_for()
    expect(page.locator(".kept")).to_be_hidden()
    app.stop()
    with Workbench.open(workspace) as bench:
        (version,) = bench.prompts.card(NAME).versions
        assert (version.by, version.note) == ("Ada", "harder") and "HARD" in version.text
