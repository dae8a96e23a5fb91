"""Finding items and changing many of them by keyboard alone: search, discard after a look, undo, and the way over the desk."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from store.items import items
from store.reviews.state import list_differences
from tests.browser.conftest import Serve, Served, sign, until_still
from workbench import Workbench


@pytest.fixture
def app(samples: Path, tmp_path: Path, serve: Serve) -> Served:
    """The app on a workspace where eight drafts ask about zebras."""
    path = Path(shutil.copy(samples, tmp_path / "w.duckdb"))
    with Workbench.open(path) as bench:
        sample = items.get(bench.database, bench.reviews.items(task="explicit_factoid")[0].id)
        made = [replace(sample, id=f"draft-{n}", question=f"Which <b>Zebra</b> is {n}?", status="drafted") for n in range(8)]
        items.add(bench.database, made)
    return serve(path)


def choose(page: Page, label: str, typed: str) -> None:
    """Type into a box of choices, and take the first that fits."""
    box = page.get_by_label(label, exact=True)
    box.focus()
    box.press_sequentially(typed)
    page.get_by_role("option").first.wait_for()
    box.press("Enter")


def press(page: Page, name: str) -> None:
    """Enter on that button, once it may be pressed."""
    button = page.get_by_role("button", name=name).last
    expect(button).to_be_enabled()
    button.press("Enter")


def at_rest(page: Page) -> None:
    """The desk may be decided on, and its page is drawn to the end."""
    page.locator("button.accept:enabled").wait_for()
    page.locator("button.next:enabled").wait_for()
    until_still(page)


def test_eight_are_found_discarded_after_a_look_and_brought_back(app: Served, page: Page) -> None:
    sign(page, app.url)
    page.goto(f"{app.url}/find")
    box = page.get_by_label("Find", exact=True)
    box.focus()
    box.press_sequentially("zebra")
    box.press("Enter")
    expect(page.get_by_text("8 items")).to_be_visible()
    expect(page).to_have_url(re.compile("text=zebra"))

    page.get_by_role("radio", name="All 8 found").press("Space")
    choose(page, "Action", "Disc")
    choose(page, "Reason", "dupl")
    press(page, "Preview")
    expect(page.get_by_text("8 of 8 items would change.")).to_be_visible()
    expect(page.get_by_text("Nothing has changed yet.")).to_be_visible()
    press(page, "Discard 8 items")
    expect(page.get_by_text("8 of 8 changed.")).to_be_visible()

    press(page, "Undo …")
    expect(page.get_by_text("Undo: 8 of 8 items would change.")).to_be_visible()
    press(page, "Undo it for 8 items")
    expect(page.get_by_text("Undo bulk action")).to_be_visible()
    expect(page.get_by_text("8 of 8 changed.")).to_be_visible()

    press(page, "Open one by one on the review desk")
    expect(page.get_by_text("Item 1 of the 8 found")).to_be_visible()
    page.reload()  # the address holds the list
    at_rest(page)
    page.keyboard.press("n")
    expect(page.get_by_text("Item 2 of the 8 found")).to_be_visible()
    at_rest(page)
    page.keyboard.press("b")
    expect(page.get_by_text("Item 1 of the 8 found")).to_be_visible()
    app.stop()
    with Workbench.open(app.workspace) as bench:
        assert len(bench.reviews.items(text="zebra", status="drafted")) == 8 and not list_differences(bench.database)
        assert [one.changed for one in bench.bulk.list_actions()] == [8, 8]
