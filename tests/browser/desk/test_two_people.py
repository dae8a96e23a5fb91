"""Two people in two browsers on one queue: each item is one person's, and who loses theirs while typing keeps every word."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from store.items import items
from store.reviews import reviews
from store.reviews.state import list_differences
from tests.browser.conftest import Serve, Served, new_page, saving, sign
from workbench import Workbench

NAMES = [f"draft-{n}" for n in range(8)]
TYPED = "Which firmware did Ada have in mind when"


@pytest.fixture
def app(samples: Path, tmp_path: Path, serve: Serve) -> Served:
    """The app on a workspace with eight drafts that wait."""
    path = Path(shutil.copy(samples, tmp_path / "w.duckdb"))
    with Workbench.open(path) as bench:
        sample = items.get(bench.database, bench.reviews.items(task="explicit_factoid")[0].id)
        made = [replace(sample, id=name, question=f"Which one is {name}?", status="drafted") for name in NAMES]
        items.add(bench.database, made)
    return serve(path)


def at_desk(page: Page, url: str, name: str, address: str = "/review") -> str:
    """That person's desk, ready for a key; the item on it."""
    sign(page, url, name)
    page.goto(f"{url}{address}")
    return standing(page)


def standing(page: Page, before: str = "") -> str:
    """The item on the desk, once it is another than that one and may be decided on."""
    desk = page.locator(f"[data-desk-item]:not([data-desk-item='{before}'])")
    desk.wait_for()
    page.locator("button.accept:enabled").wait_for()
    return str(desk.get_attribute("data-desk-item"))


@pytest.mark.fault(28, 39)
def test_eight_items_are_shared_without_one_given_twice_or_a_word_lost(app: Served, page: Page, chromium: Browser) -> None:
    bob = new_page(chromium)
    mine, bobs = at_desk(page, app.url, "Ada"), at_desk(bob, app.url, "Bob")
    shown = [mine, bobs]
    for _ in range(2):  # each decides two, turn by turn
        for reader, item in ((page, mine), (bob, bobs)):
            reader.keyboard.press("a")
            shown.append(standing(reader, item))
        mine, bobs = shown[-2:]
    assert len(set(shown)) == 6, "nobody was given what the other had"

    taken, wanted = mine, f"{app.url}/review?item={mine}"
    bob.goto(wanted)
    bob.get_by_role("button", name="Take it over").click()
    assert standing(bob) == taken
    bob.keyboard.press("a")
    assert standing(bob, taken) == bobs
    page.reload()  # back from a break
    mine = standing(page, taken)
    expect(page.get_by_text("Bob took over the item that you had open. This is the next free one.")).to_be_visible()
    page.goto(wanted)
    assert standing(page) == taken, "what Bob decided can be opened on purpose"
    page.reload()
    assert standing(page) == taken
    page.goto(f"{app.url}/review?item={mine}")
    assert standing(page) == mine

    page.get_by_label("Question").fill("")
    with saving(page, TYPED):
        page.get_by_label("Question").press_sequentially(TYPED)
    bob.goto(f"{app.url}/review?item={mine}")
    bob.locator(".held").get_by_text("Held by Ada until").wait_for()
    expect(bob.locator("button.accept")).to_be_disabled()
    bob.get_by_role("button", name="Take it over").click()
    assert standing(bob) == mine
    page.keyboard.press("Control+Enter")
    onward = standing(page, mine)
    expect(page.locator(".lost")).to_contain_text("Bob took over what you had open")
    page.keyboard.press("b")
    page.locator(f"[data-desk-item='{mine}']").wait_for()
    page.locator(".held").get_by_text("Held by Bob until").wait_for()
    expect(page.get_by_label("Question")).to_have_value(TYPED)
    page.reload()
    expect(page.get_by_label("Question")).to_have_value(TYPED)
    bob.keyboard.press("a")
    assert standing(bob, mine) == bobs, "what Bob had held is his still"
    page.get_by_role("button", name="Take it over").click()
    expect(page.get_by_label("Question")).to_have_value(TYPED)
    page.locator("button.accept:enabled").wait_for()
    page.get_by_label("Question").press("Control+Enter")
    assert standing(page, mine) == onward

    for reader in (page, bob):
        while reader.locator("[data-desk-item]").count():
            item = standing(reader)
            reader.keyboard.press("a")
            reader.locator(f"[data-desk-item='{item}']").wait_for(state="detached")
            reader.locator("[data-desk-item], :text('Nothing')").first.wait_for()
    app.stop()
    bob.context.close()
    with Workbench.open(app.workspace) as bench:
        assert not bench.reviews.items(status="drafted") and not list_differences(bench.database)
        made = reviews.load_effective(bench.database, NAMES)
        by = {review.item: review.person for review in made}
        assert bench.reviews.desk(mine, "Ada").item.question == TYPED and by[mine] == "Ada"
        assert sorted(review.item for review in made) == sorted([*NAMES, mine]), "one each, two on the one that changed hands"
        ended = [end[:4] for end in bench.reviews.holds.list_ended()]
        assert ended[-2:] == [(item, "Ada", "Bob", "taken over") for item in (mine, taken)]
