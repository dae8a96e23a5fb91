"""Claims at the desk: dropped ones leave the answer and come back, one is written anew in its place, and what is left to do is
said without keeping anybody from deciding."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.at_desk import Open, Tap, arrived, shows

FIRST, SECOND, THIRD = "Lake Orme lies at 412 metres.", "The ferry was built in 1912.", "It crosses four times a day."


@pytest.mark.parametrize(("n", "rest"), [(0, [SECOND, THIRD]), (1, [FIRST, THIRD]), (2, [FIRST, SECOND])])
def test_a_dropped_claim_leaves_the_answer_and_comes_back_to_its_place(desk: Open, tap: Tap, n: int, rest: list[str]) -> None:
    page = desk(4)
    page.keyboard.press("g")
    expect(page.locator(".claim")).to_have_count(3)
    for _ in range(n):
        page.keyboard.press("j")
    page.keyboard.press("3")
    expect(page.locator("textarea.answer")).to_have_value(" ".join(rest))
    if n < 2:
        page.keyboard.press("k")
    page.keyboard.press("1")
    expect(page.locator("textarea.answer")).to_have_value(f"{FIRST} {SECOND} {THIRD}")
    assert not tap()["decided"]


def test_all_claims_dropped_and_taken_back_are_the_answer_again(desk: Open, tap: Tap) -> None:
    page = desk(4)
    page.keyboard.press("g")
    expect(page.locator(".claim")).to_have_count(3)
    for key in ("3", "3", "3"):
        page.keyboard.press(key)
    expect(page.locator("textarea.answer")).to_have_value("")
    for key in ("k", "k", "3", "j", "3", "j", "3"):
        page.keyboard.press(key)
    expect(page.locator("textarea.answer")).to_have_value(f"{FIRST} {SECOND} {THIRD}")


def test_what_is_left_is_said_and_the_next_press_accepts_all_the_same(desk: Open, tap: Tap) -> None:
    page = desk(4)
    page.keyboard.press("g")
    expect(page.locator(".claim")).to_have_count(3)
    for key in ("1", "2"):
        page.keyboard.press(key)
    expect(page.locator(".claims-left")).to_have_text("1 claim not marked, 1 to fix")
    page.keyboard.press("a")
    shows(page, 5)
    expect(page.locator(".saved")).to_contain_text("1 claim not marked, 1 to fix")
    assert [one["mark"] for one in tap()["decided"][0]["claims"]] == ["supported", "fix"]


def test_a_claim_written_anew_hears_no_key_but_its_own_and_is_there_after_a_reload(desk: Open, tap: Tap) -> None:
    page = desk(4)
    page.keyboard.press("g")
    expect(page.locator(".claim")).to_have_count(3)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.keyboard.type(" axnm 123 ?")
    enter = "{bubbles: true, composed: true, cancelable: true, key: 'Enter', isComposing: true}"
    page.locator(".claim-fix").evaluate(f"box => box.dispatchEvent(new KeyboardEvent('keydown', {enter}))")
    page.keyboard.type("!")
    expect(page.locator("textarea.answer")).to_have_value(f"{FIRST} {SECOND} axnm 123 ?! {THIRD}")
    page.keyboard.press("Escape")
    expect(page.locator(".claim.current .claim-text")).to_have_text(f"{SECOND} axnm 123 ?!")
    arrived(tap, lambda known: any("axnm 123 ?!" in one["answer"] for one in known["scratch"].values()))
    page.reload()
    expect(page.locator(".claim.fixed .claim-text")).to_have_text(f"{SECOND} axnm 123 ?!")
    page.keyboard.press("g")
    page.keyboard.press("j")
    page.keyboard.press("3")
    expect(page.locator("textarea.answer")).to_have_value(f"{FIRST} {THIRD}")
    page.get_by_role("button", name="Put the machine's text back").click()
    expect(page.locator("textarea.answer")).to_have_value(f"{FIRST} {SECOND} {THIRD}")
    expect(page.locator(".claim.drop, .claim.fixed")).to_have_count(0)
    assert not tap()["decided"]


def test_a_claim_that_was_typed_away_says_so(desk: Open, tap: Tap) -> None:
    page = desk(4)
    page.keyboard.press("g")
    expect(page.locator(".claim")).to_have_count(3)
    page.keyboard.press("w")
    page.keyboard.press("Control+a")
    page.keyboard.type(f"{FIRST} {THIRD}")
    page.keyboard.press("Escape")
    expect(page.locator(".lost-note")).to_have_count(1)
    page.keyboard.press("j")  # the claims have the keys again
    page.keyboard.press("Enter")
    expect(page.locator(".said")).to_contain_text("not in the answer as it stands")


def test_the_place_that_a_claim_shows_becomes_evidence_by_a_key(desk: Open, tap: Tap) -> None:
    page = desk(4)
    page.keyboard.press("g")
    expect(page.locator(".claim")).to_have_count(3)
    page.keyboard.press("ArrowRight")
    expect(page.locator("mark.look-now")).to_have_text("Its water is clear.")
    page.keyboard.press("e")
    expect(page.locator(".evidence .span-row")).to_have_count(4)
    page.keyboard.press("j")
    expect(page.locator(".claim.current .claim-text")).to_have_text(SECOND)


def test_what_an_opinion_leads_to_is_in_sight_on_the_next_item(desk: Open, tap: Tap) -> None:
    page = desk(4)
    page.set_viewport_size({"width": 1400, "height": 900})  # the foot is as wide as the app's in a window of 1280

    def add_outcome(route: Route) -> None:
        reply = route.fetch()
        route.fulfill(response=reply, json={**reply.json(), "told": "waits for 1 more"})

    page.route("**/decide", add_outcome)
    page.keyboard.press("a")
    shows(page, 5)
    line = page.locator(".saved")
    expect(line).to_have_text(re.compile(r"^last: accepted, waits for 1 more, \d\d:\d\d:\d\d$"))
    assert line.evaluate(
        """line => {
          const range = document.createRange()
          range.setStart(line.firstChild, 0)
          range.setEnd(line.firstChild, line.textContent.lastIndexOf(","))
          return range.getBoundingClientRect().right <= line.getBoundingClientRect().right
        }"""
    ), "only the time may be cut"
