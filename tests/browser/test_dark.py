"""The dark theme: letters on its light buttons and tags are dark."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve, sign

DARK_LETTERS = re.compile(r"^rgb\(\d{1,2}, \d{1,2}, \d{1,2}\)$")


def test_letters_on_a_button_and_a_tag_are_dark_in_the_dark_theme(serve: Serve, workspace: Path, page: Page) -> None:
    app = serve(workspace)
    sign(page, app.url)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{app.url}/freeze")
    tasks = page.get_by_label("Tasks")
    tasks.click()
    page.get_by_role("option").first.click()
    page.get_by_label("Name", exact=True).fill("v9")
    page.keyboard.press("Enter")
    button = page.locator("[data-testid=stBaseButton-primary]")
    expect(button).to_be_enabled()
    for place in (button, page.locator("[data-tag] span").first):
        expect(place).to_have_css("color", DARK_LETTERS)
    page.emulate_media(color_scheme="light")
    app.stop()
