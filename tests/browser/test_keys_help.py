"""`?` answers on every page, and goes away by the same key or Escape."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_desk import Open
from tests.browser.conftest import Serve, sign

PAGES = ("", "corpus", "draft", "run", "results", "agents", "prompts", "jobs")


def test_question_mark_shows_the_keys_on_every_page(serve: Serve, workspace: Path, page: Page) -> None:
    app = serve(workspace)
    sign(page, app.url)
    page.set_default_timeout(30_000)
    for place in PAGES:
        page.goto(f"{app.url}/{place}")
        page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()
        page.locator(".veil kbd").first.wait_for(state="attached")
        overlay = page.get_by_role("dialog", name="Keyboard help")
        expect(overlay).to_have_count(0)  # hidden from everybody, screen readers too
        page.keyboard.press("?")
        expect(overlay).to_be_visible()
        page.keyboard.press("Escape" if len(place) % 2 else "?")
        expect(overlay).not_to_be_visible()


def test_the_desk_has_a_button_that_shows_the_keys(desk: Open) -> None:
    page = desk()
    overlay = page.get_by_role("dialog", name="Keyboard help")
    page.get_by_role("button", name="All keys").click()
    expect(overlay).to_be_visible()
    page.keyboard.press("?")
    expect(overlay).not_to_be_visible()


@pytest.mark.fault(31)
def test_a_question_mark_in_a_box_is_a_letter(serve: Serve, workspace: Path, page: Page) -> None:
    app = serve(workspace)
    sign(page, app.url)
    page.goto(f"{app.url}/freeze")
    box = page.get_by_label("Name", exact=True)
    box.wait_for(timeout=30_000)
    box.press_sequentially("v1?")
    expect(box).to_have_value("v1?")
    expect(page.get_by_role("dialog", name="Keyboard help")).to_have_count(0)
