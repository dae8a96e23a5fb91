"""The page where it is decided between opinions, by keyboard: whose they are is nowhere in the page, and no word is lost."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions, reviews
from tests.browser.conftest import Serve, Served, saving, sign, until_still
from workbench import Workbench
from workbench.annotate.reviewing.reviews import DecisionRequest

NAMES = ("Annabel Annotator", "Boris Bookish")
WATCH = """
  node => {
    const app = document.querySelector('[data-testid="stApp"]')
    const host = node.getRootNode().host
    const seen = (globalThis.seen = { boxes: new Set(), isTold: false })
    const note = () => {
      const { top, height } = host.getBoundingClientRect()
      if (host.isConnected) seen.boxes.add([top, height].join())
      if (app.innerText.includes("somebody decided between these opinions")) seen.isTold = true
    }
    new MutationObserver(note).observe(app, { attributes: true, childList: true, subtree: true, characterData: true })
    note()
  }"""
"""Notes each place and height of the desk, and whether the page says that its item is decided."""
LONG = " ".join(f"clause {n} of the answer" for n in range(300))


@pytest.fixture
def app(samples: Path, tmp_path: Path, serve: Serve) -> Served:
    """Two drafts that one person accepted as they are and the other with an edit."""
    path = Path(shutil.copy(samples, tmp_path / "w.duckdb"))
    with Workbench.open(path) as bench:
        opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
        sample = items.get(bench.database, bench.reviews.items(task="explicit_factoid")[0].id)
        items.add(bench.database, [replace(sample, id=name, question="Which one?", status="drafted") for name in ("x", "y")])
        for name in ("x", "y"):
            for person, question in zip(NAMES, ("Which one?", "Which one of them, then?"), strict=True):
                answer = LONG if (name, person) == ("y", NAMES[1]) else sample.answers[0]
                bench.reviews.settle(
                    DecisionRequest(
                        f"{person}-{name}", person, name, 1, "accept", question, answer, sample.evidence, seconds=3.0
                    )
                )
    return serve(path)


def count_runs(page: Page) -> Callable[[], int]:
    """A function that says how often the script has begun for this page, also by itself; for a page that opens later."""
    begun: list[object] = []

    def hear(frame: str | bytes) -> None:
        if isinstance(frame, bytes) and ForwardMsg.FromString(frame).WhichOneof("type") == "new_session":
            begun.append(frame)

    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    return lambda: len(begun)


def test_an_opinion_is_taken_by_its_key_and_why_outlives_a_reload(app: Served, page: Page) -> None:
    sign(page, app.url, "Cy")
    runs = count_runs(page)
    page.goto(f"{app.url}/adjudicate")
    page.locator("button.accept:enabled").wait_for()
    assert not any(name in page.content() + page.locator(".desk").inner_text() for name in NAMES)
    expect(page.locator(".opinion .chip.warn").first).to_have_text("decided in 3 s")
    edited = page.locator(".opinion", has_text="accepted, edited")
    expect(edited.locator("ins").first).to_have_text("of them, then")
    key = "1" if edited.get_attribute("data-letter") == "A" else "2"

    page.get_by_label("Question").fill("My own words?")
    page.keyboard.press("Escape")
    page.keyboard.press(key)
    expect(page.get_by_label("Question")).to_have_value("Which one of them, then?")
    page.get_by_role("button", name="Put them back").click()
    expect(page.get_by_label("Question")).to_have_value("My own words?")
    page.keyboard.press(key)
    page.keyboard.press("y")
    with saving(page, "because 1 and 2 say"):
        page.keyboard.type("because 1 and 2 say")
    page.reload()
    expect(page.get_by_label("Reason for your decision")).to_have_value("because 1 and 2 say")
    expect(page.get_by_label("Question")).to_have_value("Which one of them, then?")
    page.locator("button.accept:enabled").wait_for()
    until_still(page)
    page.locator(".desk").evaluate(WATCH)
    for pressed, item in (("a", "y"), ("u", "x"), ("n", "y"), ("n", "x"), ("a", "y")):
        before = runs()
        page.keyboard.press(pressed)
        page.locator(f"[data-desk-item='{item}']").wait_for()
        page.locator("button.accept:enabled").wait_for()
        until_still(page)
        seen = page.evaluate("({ isTold: seen.isTold, boxes: [...seen.boxes] })")
        assert (runs() - before, seen["isTold"], len(seen["boxes"])) == (1, False, 1), (pressed, runs() - before, seen)
        expect(page.get_by_label("Reason for your decision")).to_have_value("")
    page.locator("button.previous:enabled").wait_for()
    page.keyboard.press("b")
    expect(page.locator(".opinion-head b")).to_have_count(2)
    assert all(name in page.locator(".opinions").inner_text() for name in NAMES), "decided, they are told"
    app.stop()
    with Workbench.open(app.workspace) as bench:
        made = [one for one in reviews.load_reviews(bench.database, ["x"]) if one.role == "adjudicated"]
        assert (made[0].comment, made[0].details["taken"]) == ("because 1 and 2 say", f"{NAMES[1]}-x")
        assert items.get(bench.database, "x").status == "accepted"


def test_a_long_difference_is_read_whole_by_scrolling_and_stays_where_one_reads(app: Served, page: Page) -> None:
    sign(page, app.url, "Cy")
    page.goto(f"{app.url}/adjudicate?item=y")
    page.locator("button.accept:enabled").wait_for()
    line = page.locator(".opinion .diff-line", has_text="clause 299")
    assert LONG in line.inner_text().replace("\n", " "), "nothing in it is left out"
    assert line.evaluate("node => node.scrollHeight > 2 * node.clientHeight && node.clientHeight < 220")
    line.hover()
    page.mouse.wheel(0, 400)
    page.wait_for_function("node => node.scrollTop >= 300", arg=line.element_handle())
    before = line.evaluate("node => node.scrollTop")
    line.click()
    expect(page.locator(".opinion.current")).to_be_visible()
    assert line.evaluate("node => node.scrollTop") == before
