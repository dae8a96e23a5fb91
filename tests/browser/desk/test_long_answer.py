"""A level 4 item, its answer of twelve sentences verified claim by claim against a text of 6,000 words, by keyboard alone."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from store.corpus import documents
from store.items import items
from store.reviews import reviews
from store.reviews.state import list_differences
from tests.browser.conftest import Serve, Served, saving, sign
from tests.browser.long_answer import FACTS, UNFOUNDED, WRONG, document, item, sentence
from workbench import Workbench

TEXT = document()
RIGHT = "The first pier stood in 1911, after a winter of hardship."


@pytest.fixture
def app(tmp_path: Path, serve: Serve) -> Served:
    """The app on a workspace with that one item."""
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [TEXT])
        items.add(bench.database, [item(TEXT)])
    return serve(tmp_path / "w.duckdb")


def at_desk(page: Page, url: str) -> None:
    page.goto(f"{url}/review")
    page.locator("[data-desk-item='long']").wait_for()
    page.locator("button.accept:enabled").wait_for()


def stands_at(page: Page, n: int) -> None:
    """The nth claim is the current one, and what it cites is marked and on the screen, its candidates beside it."""
    expect(page.locator(".claim.current .claim-text")).to_have_text(FACTS[n][1])
    expect(page.locator("mark.look-now")).to_have_text(FACTS[n][0])
    expect(page.locator("mark.look-now")).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".claim.current")).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".claim.current .claim-span.candidate")).to_have_count(3)


def test_an_answer_of_twelve_claims_is_verified_by_keyboard(app: Served, page: Page) -> None:
    assert len(TEXT.text.split()) >= 6_000
    sign(page, app.url)
    at_desk(page, app.url)
    keys, note, left = page.keyboard, page.locator(".claims-note"), page.locator(".claims-left")
    keys.press("g")
    expect(page.locator(".claim")).to_have_count(12)
    expect(left).to_have_text("12 claims not marked")
    for n in range(4):
        stands_at(page, n)
        keys.press("1")
    stands_at(page, WRONG)
    expect(page.locator(".claim.current .missing")).to_have_text("1912")
    keys.press("2")
    stands_at(page, 5)
    expect(note).to_have_text("5 of 12 claims, 1 to fix")
    keys.press("ArrowRight")
    expect(page.locator("mark.look-now")).not_to_have_text(FACTS[5][0])
    expect(page.locator("mark.look-now")).to_be_in_viewport()
    keys.press("ArrowLeft")
    stands_at(page, 5)
    keys.press("j")  # left for later
    for n in (6, 7, 8):
        stands_at(page, n)
        keys.press("1")
    stands_at(page, UNFOUNDED)
    keys.press("3")
    expect(page.locator("textarea.answer")).not_to_have_value(" ".join(claim for _, claim in FACTS))
    for n in (10, 11):
        stands_at(page, n)
        keys.press("1")
    expect(note).to_have_text("11 of 12 claims, 1 to fix")
    expect(left).to_have_text("1 claim not marked, 1 to fix")

    keys.press("m")  # from the last one on: the wrong figure
    stands_at(page, WRONG)
    keys.press("Enter")
    keys.press("Control+a")
    with saving(page, RIGHT):
        keys.type(RIGHT)
    page.reload()
    page.locator("button.accept:enabled").wait_for()
    expect(note).to_have_text("11 of 12 claims")
    expect(page.locator(".claim.fixed .claim-text")).to_have_text(RIGHT)
    keys.press("m")
    stands_at(page, 5)
    keys.press("1")
    expect(left).to_be_empty()
    keys.press("s")
    keys.type("12, 14-16")
    keys.press("Enter")
    expect(page.locator(".evidence .span-row")).to_have_count(13)  # sentence 12 was there
    keys.press("k")  # the claims have the keys again
    stands_at(page, 5)
    keys.press("a")
    page.locator(":text('Nothing waits')").first.wait_for()

    app.stop()
    with Workbench.open(app.workspace) as bench:
        [decision] = reviews.load_effective(bench.database, ["long"])
        now = items.get(bench.database, "long")
        marks = ["drop" if n == UNFOUNDED else "fix" if n == WRONG else "supported" for n in range(12)]
        assert decision.details["claims"] == [
            {"claim": claim, "mark": mark} for (_, claim), mark in zip(FACTS, marks, strict=True)
        ]
        assert (decision.person, decision.decision, decision.revision, now.status) == ("Ada", "accept", 2, "accepted")
        said = [RIGHT if n == WRONG else claim for n, (_, claim) in enumerate(FACTS) if n != UNFOUNDED]
        assert now.answers == (" ".join(said),)
        first, last = sentence(TEXT, 14), sentence(TEXT, 16)
        assert set(now.evidence) == {*item(TEXT).evidence, type(first)(TEXT.id, first.start, last.end)}
        assert not list_differences(bench.database)
