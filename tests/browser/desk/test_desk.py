"""The desk in real Chromium on a fake bench: keys, boxes, evidence by mouse, and everything that must not lose a word or decide
twice."""

import json
import re
import urllib.request
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.at_desk import Open, Tap, arrived, ready, select, shows
from tests.browser.cable import Cable
from tests.browser.conftest import new_page

CONTRAST = """node => {
  const style = getComputedStyle(node, "::before")
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
  const behind = getComputedStyle(node.closest(".desk")).backgroundColor
  const light = (...colours) => {
    for (const colour of colours) { pixel.fillStyle = colour; pixel.fillRect(0, 0, 1, 1) }
    const shares = [...pixel.getImageData(0, 0, 1, 1).data].map(x => x / 255)
    const [r, g, b] = shares.map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4)
    return .2126 * r + .7152 * g + .0722 * b + .05
  }
  const [ground, ink] = [light(behind), light(behind, style.color)]
  return [parseFloat(style.fontSize), Math.max(ground, ink) / Math.min(ground, ink)]
}"""
"""The font size of a sentence's number in pixels, and its contrast with the page."""
SAVED = re.compile(r"^saved \d\d:\d\d:\d\d$")


def test_keys_accept_and_go_on_and_come_back(desk: Open, tap: Tap) -> None:
    page = desk(5)
    page.keyboard.press("a")
    shows(page, 6)
    page.keyboard.press("n")
    shows(page, 7)
    page.keyboard.press("b")
    shows(page, 6)
    [decided] = tap()["decided"]
    assert (decided["item"], decided["revision"], decided["decision"], decided["person"]) == ("item5", 1, "accept", "Ada")
    assert decided["answer"] == "Four times a day." and decided["seconds"] >= 0
    assert not tap()["scratch"], "an item that was not touched leaves no scratch"


def test_discard_by_keys_takes_a_reason(desk: Open, tap: Tap) -> None:
    page = desk(5)
    page.keyboard.press("x")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.locator(".said")).to_have_text("Choose a reason, or write one.")
    assert not tap()["decided"]
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    shows(page, 6)
    [decided] = tap()["decided"]
    assert (decided["decision"], decided["reason"]) == ("discard", "unclear")
    page.keyboard.press("x")
    page.keyboard.press("Escape")
    expect(page.locator("section.discard")).to_be_hidden()
    page.keyboard.press("u")
    shows(page, 5)
    assert tap()["undone"] == 1 and not tap()["decided"]


def test_a_skip_by_keys_takes_a_reason_and_decides_nothing(desk: Open, tap: Tap) -> None:
    page = desk(5)
    page.keyboard.press("k")
    expect(page.locator("section.discard")).to_contain_text("Why do you skip it")
    page.keyboard.press("Enter")
    expect(page.locator(".said")).to_have_text("Choose a reason, or write one.")
    page.keyboard.press("2")
    page.locator(".comment").fill("page 3 is upside down")
    page.keyboard.press("Enter")
    shows(page, 6)
    [skipped] = [one for one in tap()["posts"] if one["path"] == "skip"]
    assert (skipped["item"], skipped["revision"], skipped["reason"]) == ("item5", 1, "hard to read: page 3 is upside down")
    assert not tap()["decided"]
    page.keyboard.press("x")
    expect(page.locator("section.discard")).to_contain_text("Why is it discarded")


def test_an_answer_of_fifty_kilobytes_is_asked_about_once(desk: Open, tap: Tap) -> None:
    page = desk(5)
    page.locator("textarea.answer").fill("Four times a day. " * 2_800)
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.locator(".said")).to_contain_text("50,400 characters")
    assert not tap()["decided"]
    page.keyboard.press("a")
    shows(page, 6)
    assert len(tap()["decided"][0]["answer"]) == 50_400


def test_sentence_numbers_are_twelve_pixels_and_they_and_key_caps_dark_enough(desk: Open, tap: Tap) -> None:
    for scheme in ("light", "dark"):
        tap(reset=True)
        page = desk(5)
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.reload()
        ready(page)
        size, ratio = page.locator(".number").first.evaluate(CONTRAST)
        assert size >= 12 and ratio >= 4.5, (scheme, size, ratio)
        for key_cap in page.locator(".discard-open kbd, .skip-open kbd").all():
            _, ratio = key_cap.evaluate(CONTRAST.replace('"::before"', "null"))
            assert ratio >= 4.5, (scheme, key_cap, ratio)
        assert page.locator(".discard-open kbd").count() == 1


def test_an_answer_as_long_as_a_pasted_page_is_asked_about_once(desk: Open, tap: Tap) -> None:
    page = desk(5)
    pasted = "The ferry crosses the lake four times a day. " * 1_200
    page.locator("textarea.answer").fill(pasted)
    page.locator("textarea.answer").press("Escape")
    page.keyboard.press("a")
    expect(page.locator(".said")).to_contain_text("The answer has 54,000 characters: more than a pasted page.")
    assert not tap()["decided"]
    page.keyboard.press("a")
    shows(page, 6)
    assert tap()["decided"][0]["answer"] == pasted


@pytest.mark.fault(31)
def test_no_key_decides_while_one_types(desk: Open, tap: Tap) -> None:
    page = desk(5)
    page.keyboard.press("q")
    page.keyboard.type(" axnbu [1]")
    expect(page.locator("textarea.question")).to_have_value(
        "How often does the ferry cross Lake Orme, asked for the time 5? axnbu [1]"
    )
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+A")
    page.keyboard.press("Alt+a")
    page.get_by_role("combobox", name="Filter").focus()
    page.keyboard.press("a")
    assert not tap()["decided"]
    page.keyboard.press("Escape")
    page.locator("#review").click()
    page.keyboard.press("a")
    shows(page, 6)
    assert tap()["decided"][0]["question"].endswith("axnbu [1]")


@pytest.mark.fault(31)
def test_enter_that_ends_a_composition_accepts_nothing(desk: Open, tap: Tap) -> None:
    page = desk(5)
    page.keyboard.press("w")
    composing = "bubbles: true, composed: true, cancelable: true, ctrlKey: true, key: 'Enter'"
    for how in ("isComposing: true", "keyCode: 229"):
        page.locator("textarea.answer").evaluate(
            f"box => box.dispatchEvent(new KeyboardEvent('keydown', {{{composing}, {how}}}))"
        )
    page.keyboard.type("!")
    arrived(tap, lambda known: known["scratch"])
    assert not tap()["decided"]
    page.keyboard.press("Control+Enter")
    shows(page, 6)
    assert tap()["decided"][0]["answer"] == "Four times a day.!"


@pytest.mark.fault(30)
def test_eight_fast_presses_and_a_held_key_decide_once(desk: Open, tap: Tap) -> None:
    page = desk(5)
    tap(holds=True)
    for _ in range(8):
        page.keyboard.press("a")
    tap(holds=False)
    shows(page, 6)
    assert [one["item"] for one in tap()["decided"]] == ["item5"]
    page.keyboard.down("a")
    for _ in range(30):
        page.keyboard.down("a")  # the browser marks these as repeats
        page.wait_for_timeout(30)
    page.keyboard.up("a")
    shows(page, 7)
    assert [one["item"] for one in tap()["decided"]] == ["item5", "item6"]
    assert len([one for one in tap()["posts"] if one["path"] == "decide"]) == 2


@pytest.mark.fault(32)
def test_half_a_sentence_is_there_after_a_reload(desk: Open, tap: Tap) -> None:
    page = desk(5)
    page.keyboard.press("w")
    page.keyboard.type(" In summ")
    known = arrived(tap, lambda known: known["scratch"])
    assert known["scratch"]["Ada:item5"]["answer"] == "Four times a day. In summ"
    expect(page.locator(".saved")).to_have_text(SAVED)
    page.keyboard.type("er")
    page.reload()
    ready(page)
    expect(page.locator("textarea.answer")).to_have_value("Four times a day. In summer")
    expect(page.locator(".notice.back")).to_contain_text("is back")
    page.get_by_role("button", name="Put back the stored text").click()
    expect(page.locator("textarea.answer")).to_have_value("Four times a day.")
    arrived(tap, lambda known: known["scratch"]["Ada:item5"]["answer"] == "Four times a day.")
    page.reload()
    ready(page)
    expect(page.locator(".notice.back")).to_be_hidden()


@pytest.mark.fault(33)
def test_words_outlive_a_lost_connection_and_a_reload_within_it(desk: Open, tap: Tap) -> None:
    page = desk(5)
    cut: Callable[[Route], None] = lambda route: route.abort()  # noqa: E731
    page.route("**/bench/scratch", cut)
    page.keyboard.press("w")
    page.keyboard.type(" Twice")
    expect(page.locator(".saved")).to_have_text("not saved yet: no connection, trying again")
    page.reload()
    ready(page)
    expect(page.locator("textarea.answer")).to_have_value("Four times a day. Twice")
    page.unroute("**/bench/scratch", cut)
    known = arrived(tap, lambda known: known["scratch"])
    assert known["scratch"]["Ada:item5"]["answer"] == "Four times a day. Twice"
    expect(page.locator(".saved")).to_have_text(SAVED)
    assert page.evaluate("Object.keys(localStorage).filter(key => key.includes('.words:')).length") == 0


@pytest.mark.fault(33)
def test_a_decision_waits_for_the_connection_and_is_one(page: Page, desk_url: str, tap: Tap) -> None:
    cable = Cable(int(desk_url.rsplit(":", 1)[1]))
    page.goto(f"{cable.url}/?item=5")
    ready(page)
    tap(holds=True)
    page.keyboard.press("a")
    arrived(tap, lambda known: "decide" in [post["path"] for post in known["posts"]])
    cable.pull()
    tap(holds=False)  # the decision has arrived, its answer has not
    expect(page.locator(".saved")).to_have_text("not stored yet: no connection, trying again")
    expect(page.locator("button.accept")).to_be_disabled()
    expect(page.locator("textarea.question")).to_have_value("How often does the ferry cross Lake Orme, asked for the time 5?")
    cable.plug()
    shows(page, 6)
    known = tap()
    decisions = [post["key"] for post in known["posts"] if post["path"] == "decide"]
    assert len(known["decided"]) == 1 and len(set(decisions)) == 1 and len(decisions) >= 2
    tap(fail=1)
    page.keyboard.press("a")
    shows(page, 7)
    assert [one["item"] for one in tap()["decided"]] == ["item5", "item6"]
    cable.close()


@pytest.mark.fault(35)
def test_a_refusal_is_said_and_the_next_press_is_a_new_one(desk: Open, tap: Tap) -> None:
    page = desk(5)
    tap(message="The figure 4 is not in the evidence.")
    page.keyboard.press("a")
    expect(page.locator(".said")).to_have_text("The figure 4 is not in the evidence.")
    page.keyboard.press("a")
    shows(page, 6)
    keys = [one["key"] for one in tap()["posts"] if one["path"] == "decide"]
    assert len(set(keys)) == 2


@pytest.mark.parametrize("take", [False, True])
@pytest.mark.fault(29)
def test_a_conflict_shows_both_texts(desk: Open, tap: Tap, take: bool) -> None:
    page = desk(5)
    evidence = [{"document": "lake", "start": 0, "end": 4}]
    theirs = {
        "revision": 4,
        "question": "Bo's <b>question</b>?",
        "answers": ["Bo's answer", "4"],
        "evidence": evidence,
        "by": "Bo",
    }
    tap(conflict=theirs)
    page.keyboard.press("w")
    page.keyboard.type(" Mine")
    page.keyboard.press("Control+Enter")
    conflict = page.locator(".conflict")
    expect(conflict).to_contain_text("Bo changed this item.")
    expect(conflict).to_contain_text("Bo's <b>question</b>?")
    expect(page.locator("textarea.answer")).to_have_value("Four times a day. Mine")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    assert not tap()["decided"], "first one of the two is taken"
    if take:
        page.get_by_role("button", name="Take theirs").click()
        expect(page.locator("textarea.question")).to_have_value("Bo's <b>question</b>?")
        ready(page)
        page.keyboard.press("a")
    else:
        page.get_by_role("button", name="Keep mine and accept").click()
    shows(page, 6)
    [decided] = tap()["decided"]
    assert decided["revision"] == 4
    assert decided["answer"] == ("Bo's answer" if take else "Four times a day. Mine")
    assert (decided["evidence"] == evidence) == take


@pytest.mark.fault(29, 39)
def test_an_item_that_somebody_took_over_leads_to_the_next_which_says_so_and_words_are_kept(desk: Open, tap: Tap) -> None:
    page = desk(5)
    tap(taken={"item5": "Bo", "item6": "Bo"})
    page.keyboard.press("a")
    shows(page, 6)
    lost = page.locator(".lost")
    expect(lost).to_have_text(
        "Bo took over what you had open: nothing was stored on it from you, and this is the next free one."
    )
    ready(page)
    page.keyboard.press("w")
    page.keyboard.type(" Mine")
    page.keyboard.press("Control+Enter")
    shows(page, 7)
    expect(lost).to_contain_text("What you typed on it is kept: b leads back to it.")
    ready(page)
    page.keyboard.press("a")
    shows(page, 8)
    expect(lost).to_be_hidden()
    known = tap()
    assert [one["item"] for one in known["decided"]] == ["item7"]
    assert known["scratch"]["Ada:item6"]["answer"] == "Four times a day. Mine"


def test_evidence_by_mouse_counts_code_points(desk: Open, tap: Tap) -> None:
    page = desk(5)
    select(page, "at the ", " inn.")
    expect(page.locator(".bar")).to_be_visible()
    page.get_by_role("button", name="Add as evidence").click()
    expect(page.locator(".evidence .span-row")).to_have_count(2)
    select(page, "In winter", "not run.")
    page.keyboard.press("e")
    expect(page.locator(".evidence .span-row")).to_have_count(3)
    expect(page.locator(".evidence .words")).to_have_text(
        [f"at the {chr(0x20BB7)} inn.", "The ferry crosses it four times a day.", "In winter it does not run."]
    )
    page.get_by_role("button", name="Remove evidence 2").click()
    page.keyboard.press("a")
    shows(page, 6)
    text = json.loads(urllib.request.urlopen(f"{page.url.split('/?')[0]}/bench/document/lake").read())["text"]
    cuts = [text[one["start"] : one["end"]] for one in tap()["decided"][0]["evidence"]]
    assert cuts == [f"at the {chr(0x20BB7)} inn.", "In winter it does not run."]


def test_evidence_over_lines_and_in_the_place_of_another(desk: Open, tap: Tap) -> None:
    page = desk(5)
    select(page, "In winter", "entry 1 speaks of calm water.")
    page.get_by_role("button", name="Replace evidence 1").click()
    expect(page.locator(".evidence .words")).to_have_text(
        ["In winter it does not run.\nChronicle entry 1 speaks of calm water."]
    )
    expect(page.locator(".sheet mark")).to_have_count(2)


def test_evidence_by_sentence_numbers(desk: Open, tap: Tap) -> None:
    page = desk(5)
    page.keyboard.press("s")
    page.keyboard.type("1, 999")
    page.keyboard.press("Enter")
    expect(page.locator(".sentences-hint")).to_have_text("This document has sentences 1 to 86.")
    page.locator("input.sentences").fill("1-2, 86")
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".evidence .words")).to_have_text(
        ["Lake Orme lies at 412 metres. Its water is clear.", "The ferry was built in 1911 by two brothers."]
    )
    page.keyboard.press("]")
    expect(page.locator(".where")).to_have_text("Evidence 2 of 2")
    expect(page.locator("mark.current")).to_be_in_viewport()


def test_claims_are_marked_by_keys(desk: Open, tap: Tap) -> None:
    page = desk(4)
    page.keyboard.press("g")
    expect(page.locator(".claim")).to_have_count(3)
    expect(page.locator(".missing")).to_have_text("1912")
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.keyboard.press("k")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("3")
    page.keyboard.press("a")
    shows(page, 5)
    assert [one["mark"] for one in tap()["decided"][0]["claims"]] == ["supported", "fix", "drop"]


@pytest.mark.fault(1, 2, 3, 5)
def test_foreign_text_is_shown_to_the_letter(desk: Open, tap: Tap) -> None:
    page = desk(2)
    text = json.loads(urllib.request.urlopen(f"{page.url.split('/?')[0]}/bench/document/hostile").read())["text"]
    assert "\n".join(page.locator(".sheet .block").all_text_contents()) == text
    assert page.locator("textarea.question").input_value() == text
    assert page.locator(".desk img, .desk script, .desk b:not(.figure b), .desk a").count() == 0
    assert page.title() == "Desk"
    expect(page.locator(".title")).to_have_text("<b>Hostile</b>")
    assert page.locator(".sheet .ghost").evaluate_all("all => all.map(one => one.dataset.name)") == [
        "RLO",
        "PDF",
        "zero width space",
    ]
    page.keyboard.press("a")
    expect(page.locator(".left")).to_have_text("9 left")
    decided = tap()["decided"][0]
    assert decided["question"] == text and decided["answer"] == text


def test_a_frame_wants_an_answer_of_ones_own(desk: Open, tap: Tap) -> None:
    page = desk(3)
    page.keyboard.press("a")
    expect(page.locator(".said")).to_contain_text("This is a frame to fill")
    expect(page.locator("textarea.answer")).not_to_be_focused()
    page.keyboard.type("dd")
    assert not tap()["decided"]
    expect(page.locator("textarea.answer")).to_have_value("A frame")
    page.keyboard.press("w")
    page.keyboard.type(" with words of mine")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".left")).to_have_text("8 left")
    assert tap()["decided"][0]["answer"] == "A frame with words of mine"


@pytest.mark.fault(32)
def test_typing_goes_on_through_a_rerun(desk: Open, tap: Tap) -> None:
    page = desk(5)
    page.keyboard.press("w")
    page.keyboard.type(" On and")
    page.get_by_role("button", name="Draw again").evaluate("button => button.click()")
    page.keyboard.type(" on")
    expect(page.locator(".about")).to_contain_text("drawn again")
    page.keyboard.type(" and on")
    expect(page.locator("textarea.answer")).to_have_value("Four times a day. On and on and on")
    expect(page.locator("textarea.answer")).to_be_focused()


@pytest.mark.fault(7)
def test_five_megabytes_open_at_their_evidence(desk: Open, tap: Tap) -> None:
    tap(large=5_000_000)
    page = desk(5)
    expect(page.locator("mark.current")).to_be_in_viewport()
    assert page.locator(".scroller").evaluate("node => node.querySelectorAll('*').length") < 6_000, "little of it is drawn"
    page.keyboard.press("d")
    page.locator(".scroller").evaluate("node => node.scrollTop = node.scrollHeight / 2")
    expect(page.locator(".sheet .block").nth(1)).to_be_attached()
    page.keyboard.press("[")
    expect(page.locator("mark.current")).to_be_in_viewport()


@pytest.mark.fault(41)
def test_time_counts_only_while_somebody_is_there(chromium: Browser, desk_url: str, tap: Tap) -> None:
    page = new_page(chromium)
    page.clock.install()
    page.goto(f"{desk_url}/?item=5")
    ready(page)
    page.clock.fast_forward(30_000)
    page.mouse.move(5, 5)
    page.clock.fast_forward(3_600_000)  # away for an hour: a minute of it counts
    page.mouse.move(9, 9)
    page.clock.fast_forward(10_000)
    page.keyboard.press("a")
    seconds = arrived(tap, lambda known: known["decided"])["decided"][0]["seconds"]
    page.context.close()
    assert 99 <= seconds < 600, "the hour is not in it, the seconds that a slow machine takes are"
