"""A rewrite in the real app: half a sentence outlives a reload, Ctrl+Enter stores it once and goes on."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from store.variants import variants
from tests.browser.conftest import Serve, saving, sign
from workbench import Workbench

OWN = "Say, which release gave up on the old datum for the level of the water"


@pytest.mark.fault(30)
def test_typed_reloaded_and_stored_once_by_eight_presses(serve: Serve, workspace: Path, page: Page) -> None:
    served = serve(workspace)
    sign(page, served.url)
    page.goto(f"{served.url}/rewrite")
    sheet = page.locator("[data-rewrite-item]")
    sheet.wait_for()
    first = str(sheet.get_attribute("data-rewrite-item"))
    box = page.get_by_label("Your words")
    box.press_sequentially(OWN)
    expect(page.get_by_label("Live numbers")).to_contain_text("%")
    page.reload()
    expect(box).to_have_value(OWN)
    assert sheet.get_attribute("data-rewrite-item") == first
    box.press("End")
    box.press("?")
    expect(page.get_by_role("button", name="Store and next")).to_be_enabled()
    for _ in range(8):
        box.press("Control+Enter")
    expect(page.locator(f'[data-rewrite-item]:not([data-rewrite-item="{first}"])')).to_be_visible()
    expect(box).to_have_value("")
    expect(page.get_by_text("1 by you")).to_be_visible()
    expect(page.get_by_text("last rewrite stored")).to_be_visible()
    expect(page.get_by_role("button", name="Back")).to_be_enabled()
    expect(box).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    expect(page.locator(f'[data-rewrite-item="{first}"]')).to_be_visible()
    expect(page.get_by_text("Rewrites of this question")).to_be_visible()
    served.stop()
    with Workbench.open(workspace) as bench:
        [stored] = variants.list_variants(bench.database)
        assert (stored.text, stored.item, stored.generator) == (f"{OWN}?", first, "Ada")
        assert stored.checks["seconds"] > 0


@pytest.mark.fault(29)
def test_two_tabs_of_one_person_show_both_rewrites_before_either_is_lost(serve: Serve, workspace: Path, page: Page) -> None:
    served = serve(workspace)
    sign(page, served.url)
    page.goto(f"{served.url}/rewrite")
    page.locator("[data-rewrite-item]").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("[data-rewrite-item]").wait_for()
    with saving(page, OWN):
        page.get_by_label("Your words").fill(OWN)
    other.get_by_label("Your words").fill("Quite another one")
    told = other.locator(".other-words")
    expect(told).to_contain_text("in another tab")
    expect(told.locator(".theirs")).to_have_text(OWN)
    expect(other.get_by_label("Your words")).to_have_value("Quite another one")
    with saving(other, "Quite another one"):
        other.get_by_role("button", name="Keep mine").click()
    page.get_by_label("Your words").press("End")
    page.get_by_label("Your words").press("?")
    expect(page.locator(".other-words .theirs")).to_have_text("Quite another one")
    page.get_by_role("button", name="Take the other").click()
    expect(page.get_by_label("Your words")).to_have_value("Quite another one")
    expect(page.locator(".other-words")).to_have_count(0)
