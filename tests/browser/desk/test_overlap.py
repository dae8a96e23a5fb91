"""Two annotators in two browsers work through twelve items, two people wanted on half of them: nobody is given what is
another's, half a sentence outlives a reload, and a lead who takes an item over takes no word with it."""

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from store.engine import settings
from store.engine.database import Database
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions, reviews, unsent_edits
from store.reviews.state import list_differences
from tests.browser.conftest import Serve, Served, new_page, saving, sign
from workbench import Workbench

NAMES = [f"draft-{n:02}" for n in range(12)]
HALF = "Which firmware did Ada have in mi"
TAKEN = "Which firmware was it that Bob"


@pytest.fixture
def ground(samples: Path, tmp_path: Path) -> tuple[Path, dict[str, int]]:
    """A workspace with twelve drafts, two people wanted on half of them, and how many on which; Lea alone has a role."""
    path = Path(shutil.copy(samples, tmp_path / "w.duckdb"))
    with Workbench.open(path) as bench:
        opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2, share=0.5)], seed=3), "Lea")
        sample = items.get(bench.database, bench.reviews.items(task="explicit_factoid")[0].id)
        made = [replace(sample, id=name, question=f"Which one is {name}?", status="drafted") for name in NAMES]
        items.add(bench.database, made)
        bench.people.give("Lea", "admin")
        settings.put(bench.database, "lease_minutes", 60)
        wanted = dict(bench.database.rows("SELECT item, wanted FROM state WHERE item LIKE 'draft-%'"))
    assert sorted(wanted.values()) == [1] * 6 + [2] * 6
    return path, wanted


@pytest.fixture
def app(ground: tuple[Path, dict[str, int]], serve: Serve) -> Served:
    return serve(ground[0])


def at_desk(page: Page, url: str, name: str) -> Page:
    sign(page, url, name)
    page.goto(f"{url}/review")
    page.locator("button.accept:enabled").wait_for()
    return page


def on_desk(page: Page) -> str:
    return str(page.locator("[data-desk-item]").get_attribute("data-desk-item"))


def arrives(page: Page, before: str) -> str | None:
    """The item that comes after that one, ready to be decided on; None when nothing is left."""
    after = page.locator(f"[data-desk-item]:not([data-desk-item='{before}'])")
    after.or_(page.get_by_text("Nothing waits for review")).or_(page.get_by_text("Nothing is free for you")).first.wait_for()
    if not after.count():
        return None
    page.locator("button.accept:enabled").wait_for()
    return on_desk(page)


def type_into(page: Page, words: str) -> None:
    page.get_by_label("Question").fill("")
    page.get_by_label("Question").press_sequentially(words)


def skip(page: Page) -> str:
    """On to the next item, which there is."""
    before = on_desk(page)
    page.locator("button.next:enabled").wait_for()
    page.keyboard.press("n")
    after = arrives(page, before)
    assert after is not None
    return after


@pytest.mark.fault(28, 32, 39)
def test_twelve_items_two_wanted_on_half_none_given_twice_and_no_word_lost(
    app: Served, ground: tuple[Path, dict[str, int]], page: Page, chromium: Browser
) -> None:
    wanted = ground[1]
    ada, bob, lea = page, new_page(chromium), new_page(chromium)
    at_desk(ada, app.url, "Ada")
    at_desk(bob, app.url, "Bob")
    seen: dict[str, list[str]] = {"Ada": [on_desk(ada)], "Bob": [on_desk(bob)]}

    type_into(ada, HALF)
    ada.reload()
    expect(ada.get_by_label("Question")).to_have_value(HALF)
    ada.locator("button.accept:enabled").wait_for()

    while wanted[on_desk(bob)] != 1:
        seen["Bob"].append(skip(bob))
    with saving(bob, TAKEN):
        type_into(bob, TAKEN)
    sign(lea, app.url, "Lea")
    lea.goto(f"{app.url}/review?item={on_desk(bob)}")
    lea.get_by_role("button", name="Take it over").click()
    lea.locator("button.accept:enabled").wait_for()
    bob.get_by_label("Question").press_sequentially(" had in mind?")
    bob.locator(".held").get_by_text("Held by Lea until").wait_for()
    taken = on_desk(bob)
    bob.get_by_label("Question").press("Control+Enter")
    seen["Bob"].append(str(arrives(bob, taken)))
    expect(bob.locator(".lost")).to_contain_text("Lea took over what you had open")
    bob.keyboard.press("b")
    bob.locator(f"[data-desk-item='{taken}']").wait_for()
    expect(bob.get_by_label("Question")).to_have_value(f"{TAKEN} had in mind?")
    bob.reload()
    expect(bob.get_by_label("Question")).to_have_value(f"{TAKEN} had in mind?")
    bob.locator(".held").get_by_text("Held by Lea until").wait_for()
    seen["Bob"].append(skip(bob))

    working = {"Ada": ada, "Bob": bob}
    while working:
        for reader in working.values():
            reader.keyboard.press("a")
        for name, reader in list(working.items()):
            after = arrives(reader, seen[name][-1])
            if after is None:
                del working[name]
            else:
                seen[name].append(after)
    lea.keyboard.press("a")
    assert arrives(lea, taken) is None
    app.stop()
    for reader in (bob, lea):
        reader.context.close()
    with Workbench.open(app.workspace) as bench:
        assert list_differences(bench.database) == []
        check(bench.database, wanted, seen, taken)


def check(database: Database, wanted: dict[str, int], seen: dict[str, list[str]], taken: str) -> None:
    """The store at the end, against what was on the screens."""
    made = [one for one in reviews.load_reviews(database, NAMES) if one.role != "settled"]
    assert all(one.role == ("opinion" if wanted[one.item] == 2 else "") for one in made)
    assert Counter(one.item for one in made) == wanted, "as many decisions as are wanted on each"
    assert len({(one.item, one.person) for one in made}) == len(made) == 18, "and each is another person's"
    shown = Counter(item for items_of in seen.values() for item in set(items_of))
    assert all(shown[item] <= wanted[item] for item in NAMES), "nobody was shown what was another's"
    edited = {one.question for one in items.load_history(database, NAMES) if one.by == "Ada"}
    assert edited == {HALF}, "the sentence that Ada was in the middle of"
    assert {one.person for one in made if one.item == taken} >= {"Lea"}
    left, said = unsent_edits.get(database, "Bob", taken), f"{TAKEN} had in mind?"
    by_bob = [one.question for one in items.load_history(database, [taken]) if one.by == "Bob"]
    assert (left is not None and left.question == said) or by_bob == [said], "what Bob typed on what was taken from him"
