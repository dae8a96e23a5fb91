"""The desk goes from item to item without a run of the page's script: nothing is told to Streamlit, nothing on the screen moves
but the item, and what comes later never throws it back."""

import re
import shutil
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect

from store.items import items
from store.reviews import reviews
from store.reviews.state import list_differences
from tests.browser.at_desk import Open, Tap, arrived, ready, shows
from tests.browser.cable import Cable
from tests.browser.conftest import Serve, Served, count_told, sign, until_still
from workbench import Workbench

ITEMS = 40
NAMES = [f"draft-{n:02}" for n in range(ITEMS)]
WATCH = """() => {
  const PARTS = [".desk", ".paper-head", ".card-scroll", ".foot", "button.accept", "textarea.question", ".words"]
  const places = new Set()
  window.watched = places
  const host = document.querySelector('[data-testid="stMain"]')
  const roots = [...host.querySelectorAll("*")].map(node => node.shadowRoot).filter(Boolean)
  const find = selector => roots.map(root => root.querySelector(selector)).find(Boolean)
  const watch = () => {
    const boxes = PARTS.map(name => {
      const box = find(name)?.getBoundingClientRect()
      return box ? `${name} ${box.top} ${box.left} ${name === ".words" ? "" : box.height}` : `${name} gone`
    })
    boxes[boxes.length - 1] = boxes.at(-1).replace(/ [\\d.]+ $/, "")
    places.add(boxes.join("; "))
    window.watching = requestAnimationFrame(watch)
  }
  watch()
}"""
"""Note in every frame where the parts of the desk and the line over it stand; of the line its height above alone, as its words
end at the right."""
WATCHED = "() => { cancelAnimationFrame(window.watching); return [...window.watched] }"


@pytest.fixture
def app(samples: Path, tmp_path: Path, serve: Serve) -> Served:
    """The app on a workspace with forty drafts that wait."""
    path = Path(shutil.copy(samples, tmp_path / "w.duckdb"))
    with Workbench.open(path) as bench:
        sample = items.get(bench.database, bench.reviews.items(task="explicit_factoid")[0].id)
        made = [replace(sample, id=name, question=f"Which one is {name}?", status="drafted") for name in NAMES]
        items.add(bench.database, made)
    return serve(path)


NOTE_RUN = """() => {
  const app = document.querySelector('[data-testid="stApp"]')
  new MutationObserver(() => { window.hasRun ||= app.dataset.testScriptState === "running" }).observe(app, { attributes: true })
}"""
"""Note whether the page's script begins to run from now on."""


def standing(page: Page, before: str = "") -> str:
    """The item on the desk, once it is another than that one and may be decided on."""
    desk = page.locator(f"[data-desk-item]:not([data-desk-item='{before}'])")
    desk.wait_for()
    page.locator("button.accept:enabled").wait_for()
    return str(desk.get_attribute("data-desk-item"))


@pytest.mark.fault(30, 32)
def test_forty_items_are_decided_without_a_run_of_the_script_and_nothing_moves(app: Served, page: Page) -> None:
    told = count_told(page)
    steps: list[str] = []
    page.on("request", lambda request: steps.append(request.url) if request.url.endswith("/bench/next") else None)
    sign(page, app.url)
    page.goto(f"{app.url}/review")
    seen = [standing(page)]
    until_still(page)
    before = told()
    assert before, "what is told to Streamlit can be heard here"
    page.evaluate(WATCH)
    for n in range(1, ITEMS - 2):
        page.keyboard.press("a")
        seen.append(standing(page, seen[-1]))
        expect(page.locator(".bar .words")).to_contain_text(f"{n} decided today, {ITEMS - n} left")
        expect(page.locator(".foot .left")).to_have_text(f"{ITEMS - n} left")
        assert page.url.endswith(f"item={seen[-1]}")
    assert not steps, "each decision brought the next item"
    places = page.evaluate(WATCHED)
    assert len(places) == 1, places
    page.keyboard.press("u")
    assert standing(page, seen[-1]) == seen[-2]
    page.keyboard.press("a")
    assert standing(page, seen[-2]) == seen[-1]
    page.keyboard.press("n")
    skipped = standing(page, seen[-1])
    page.keyboard.press("b")
    assert standing(page, skipped) == seen[-1]
    page.keyboard.press("b")
    assert standing(page, seen[-1]) == seen[-2]
    expect(page.locator(".item-note")).to_contain_text("You accepted this item. Deciding again is a new decision")
    page.keyboard.press("n")
    last = standing(page, seen[-2])
    assert told() == before, "no run of the script between them"

    page.get_by_role("button", name="Who holds what").click()  # a run for what stands around the desk
    page.get_by_text(re.compile("1[45] more minutes")).first.wait_for()
    assert told() > before and standing(page) == last and page.url.endswith(f"item={last}")
    page.keyboard.press("Escape")
    page.reload()
    assert standing(page) == last
    while page.locator("[data-desk-item]").count():
        item = standing(page)
        page.keyboard.press("a")
        page.locator(f"[data-desk-item='{item}']").wait_for(state="detached")
        page.locator("[data-desk-item], :text('Nothing waits for review')").first.wait_for()
    expect(page.locator(".bar .words")).to_have_text(f"{ITEMS} decided today, 0 left")
    expect(page.get_by_text(f"You decided on {ITEMS} items today.")).to_be_visible()
    app.stop()
    with Workbench.open(app.workspace) as bench:
        made = reviews.load_effective(bench.database, NAMES)
        assert sorted(one.item for one in made) == NAMES and not list_differences(bench.database)


@pytest.mark.fault(32, 34)
def test_a_server_that_began_anew_leaves_the_item_and_the_words_on_the_desk(app: Served, page: Page, serve: Serve) -> None:
    sign(page, app.url)
    page.goto(f"{app.url}/review")
    first = standing(page)
    page.keyboard.press("n")
    second = standing(page, first)
    page.keyboard.press("n")
    third = standing(page, second)
    app.kill()
    expect(page.locator(".benchwright-away")).to_contain_text("The server does not answer")
    page.get_by_label("Question").fill("")
    page.get_by_label("Question").press_sequentially("Half of a")
    page.evaluate(NOTE_RUN)
    again = serve(app.workspace, port=int(app.url.rsplit(":", 1)[1]))
    expect(page.locator(".benchwright-away")).to_have_text("")
    page.keyboard.type(" sentence?")
    page.wait_for_function("window.hasRun")
    until_still(page)
    expect(page).to_have_url(re.compile(f"item={third}$"))
    assert standing(page) == third
    expect(page.get_by_label("Question")).to_have_value("Half of a sentence?")
    page.get_by_label("Question").press("Control+Enter")
    fourth = standing(page, third)
    expect(page).to_have_url(re.compile(f"item={fourth}$"))
    page.reload()
    assert standing(page) == fourth
    again.stop()
    with Workbench.open(app.workspace) as bench:
        assert items.get(bench.database, third).question == "Half of a sentence?"


@pytest.mark.fault(33)
def test_a_decision_whose_answer_was_lost_is_one_decision_and_brings_the_item_all_the_same(app: Served, page: Page) -> None:
    sign(page, app.url)
    page.goto(f"{app.url}/review")
    first = standing(page)
    lost: list[str] = []

    def lose(route: Route) -> None:
        if len(lost) < 2:
            lost.append(str(route.request.post_data_json["onward"]["key"]))
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/bench/decide", lose)
    page.keyboard.press("a")
    expect(page.locator(".saved")).to_have_text("not stored yet: no connection, trying again")
    second = standing(page, first)
    expect(page.locator(".bar .words")).to_contain_text(f"1 decided today, {ITEMS - 1} left")
    assert len(lost) == 2 and len(set(lost)) == 1
    page.keyboard.press("b")
    assert standing(page, second) == first
    app.stop()
    with Workbench.open(app.workspace) as bench:
        assert [one.item for one in reviews.load_effective(bench.database, NAMES)] == [first]
        assert second == NAMES[NAMES.index(first) + 1]


def test_the_next_document_comes_while_the_last_item_of_this_one_is_read(
    samples: Path, tmp_path: Path, serve: Serve, page: Page
) -> None:
    path = Path(shutil.copy(samples, tmp_path / "w.duckdb"))
    with Workbench.open(path) as bench:
        here, *others = (one for one in bench.reviews.items() if one.evidence)
        there = next(one for one in others if one.evidence[0].document != here.evidence[0].document)
        made = [replace(here, id="here", status="drafted"), replace(there, id="there", status="drafted")]
        items.add(bench.database, made)
    app = serve(path)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/bench/document/" in request.url else None)
    sign(page, app.url)
    with page.expect_response(lambda reply: quote(there.evidence[0].document, safe="") in reply.url and reply.ok):
        page.goto(f"{app.url}/review")
        assert standing(page) == "here"
    assert len(asked) == 2
    page.keyboard.press("a")
    assert standing(page, "here") == "there"
    expect(page.locator(".paper .sheet .block").first).to_be_visible()
    assert len(asked) == 2, "its document was there already"
    app.stop()


@pytest.mark.fault(33)
def test_a_step_whose_answer_was_lost_is_one_step(desk: Open, tap: Tap) -> None:
    page = desk(5)
    lost: list[str] = []

    def lose(route: Route) -> None:
        if len(lost) < 2:
            lost.append(str(route.request.post_data_json["key"]))
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/bench/next", lose)
    page.keyboard.press("a")
    expect(page.locator(".saved")).to_have_text("the item is not here yet: no connection, trying again")
    shows(page, 6)
    keys = [post["key"] for post in tap()["posts"] if post["path"] == "next"]
    assert len(keys) == 3 and set(keys) == set(lost), "it was told three times, and is one"
    page.keyboard.press("b")
    shows(page, 5)
    assert [one["item"] for one in tap()["decided"]] == ["item5"]


@pytest.mark.fault(30, 33)
def test_a_run_of_the_script_while_the_next_item_is_on_its_way_decides_nothing_twice(
    page: Page, desk_url: str, tap: Tap
) -> None:
    cable = Cable(int(desk_url.rsplit(":", 1)[1]))
    page.goto(f"{cable.url}/?item=5")
    ready(page)
    page.keyboard.press("n")
    shows(page, 6)
    tap(holds="next")
    page.keyboard.press("a")
    arrived(tap, lambda known: [post["path"] for post in known["posts"]].count("next") == 2)
    cable.pull()
    tap(holds=False)
    for _ in range(3):
        page.keyboard.press("a")
    cable.plug()
    shows(page, 7)
    expect(page.locator("[data-desk-item='item7']")).to_be_visible()
    assert [one["item"] for one in tap()["decided"]] == ["item6"]
    page.get_by_role("button", name="Draw again").evaluate("button => button.click()")
    expect(page.locator(".about")).to_contain_text("drawn again")
    shows(page, 7)
    cable.close()


@pytest.mark.fault(32)
def test_what_a_run_draws_of_an_item_that_was_left_changes_nothing(desk: Open, tap: Tap) -> None:
    page = desk(5)
    runs = tap()["runs"]
    for number in (6, 7):
        page.keyboard.press("a")
        shows(page, number)
    assert tap()["runs"] == runs
    page.keyboard.press("w")
    page.keyboard.type(" And")
    page.get_by_role("button", name="Draw again").evaluate("button => button.click()")
    expect(page.locator(".about")).to_contain_text("drawn again")
    page.keyboard.type(" more")
    expect(page.locator("textarea.answer")).to_have_value("Four times a day. And more")
    shows(page, 7)
    arrived(tap, lambda known: known["runs"] > runs)
