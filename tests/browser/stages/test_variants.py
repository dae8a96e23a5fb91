"""Variants in the real app, by keyboard alone: two answers and a press decide, half a sentence outlives a reload, two people
never have the same one, and a sample is judged blind."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.nouns import Variant
from store.reviews import reviews
from store.variants import variants
from tests.browser.conftest import Serve, count_told, new_page, saving, sign, until_still
from workbench import Workbench

FORMS = ("spelling", "formality")


@pytest.fixture
def varied(workspace: Path) -> Path:
    """The samples, with two variants of each of three accepted items: s0, f0, s1, f1, s2, f2 in the order of the queue."""
    with Workbench.open(workspace) as bench:
        found = bench.reviews.items(status="accepted")[:3]
        variants.add(
            bench.database,
            [
                Variant(f"{kind[0]}{n}", one.id, one.revision, kind, f"{kind.capitalize()}, {one.question}")
                for n, one in enumerate(found)
                for kind in FORMS
            ],
        )
    return workspace


def at(page: Page, variant: str) -> None:
    """That variant is on the screen, and takes presses."""
    expect(page.locator(f'[data-variant-item="{variant}"]')).to_be_visible()
    expect(page.locator("button.next")).to_be_enabled()


def opened(browser: Browser, url: str, person: str, address: str = "variants") -> Page:
    page = new_page(browser)
    sign(page, url, person)
    page.goto(f"{url}/{address}")
    return page


def test_every_decision_is_made_by_keys_and_a_press_held_down_is_one(serve: Serve, varied: Path, page: Page) -> None:
    served = serve(varied)
    sign(page, served.url)
    page.goto(f"{served.url}/variants")
    at(page, "s0")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Answer both questions")
    page.keyboard.press("y")
    page.keyboard.press("y")
    for _ in range(8):
        page.keyboard.press("a")
    at(page, "f0")
    expect(page.get_by_text("1 decided today, 5 left")).to_be_visible()
    page.keyboard.press("y")
    page.keyboard.press("o")
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="meaning changed")).to_have_attribute("aria-checked", "true")
    page.keyboard.press("Enter")
    at(page, "s1")
    page.keyboard.press("u")
    at(page, "f0")
    page.keyboard.press("n")
    at(page, "s1")
    served.stop()
    with Workbench.open(varied) as bench:
        assert {v.id: v.status for v in variants.load_variants(bench.database, ["s0", "f0"])} == {
            "s0": "accepted",
            "f0": "drafted",
        }
        assert [r.decision for r in reviews.load_reviews(bench.database, ["s0", "f0"])] == ["accept", "discard", "undo"]
        assert all(r.seconds is not None for r in reviews.load_reviews(bench.database, ["s0"]))


@pytest.mark.fault(30, 32)
def test_six_variants_are_decided_and_a_sample_is_judged_without_a_run_of_the_script(
    serve: Serve, varied: Path, page: Page
) -> None:
    with Workbench.open(varied) as bench:
        sample = bench.variant_quality.draw(by="Lea", size=3, kinds=["spelling"])
    served = serve(varied)
    sign(page, served.url)
    told = count_told(page)
    page.goto(f"{served.url}/variants")
    order = ["s0", "f0", "s1", "f1", "s2", "f2"]
    at(page, "s0")
    until_still(page)
    before = told()
    assert before, "what is told to Streamlit can be heard here"
    for n, here in enumerate(order[:-1], 1):
        page.keyboard.press("y")
        page.keyboard.press("y")
        for _ in range(4):
            page.keyboard.press("a")
        at(page, order[n])
        assert page.url.endswith(f"variant={order[n]}"), here
        expect(page.locator(".bar .words")).to_have_text(f"{n} decided today, {6 - n} left")
    page.keyboard.press("w")
    box = page.get_by_label("Your words")
    with saving(page, "Half of another"):
        box.fill("Half of another")
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    at(page, "s2")
    page.keyboard.press("u")
    at(page, "s2")
    page.keyboard.press("n")
    at(page, "f2")
    expect(box).to_have_value("Half of another")
    page.keyboard.press("b")
    at(page, "s2")
    assert told() == before, "no run of the script between them"

    page.get_by_role("button", name="Blind sample: 3 left").click()
    expect(page.get_by_text("3 left for you")).to_be_visible()
    at(page, sample.variants[0])
    until_still(page)
    before = told()
    for left, following in enumerate(sample.variants[1:]):
        page.keyboard.press("y")
        page.keyboard.press("y")
        page.keyboard.press("Enter")
        at(page, following)
        expect(page.get_by_text(f"{2 - left} left for you")).to_be_visible()
    page.keyboard.press("b")
    at(page, sample.variants[1])
    page.keyboard.press("b")
    at(page, sample.variants[0])
    assert told() == before
    page.get_by_role("button", name="Back to the queue").click()
    at(page, "s2")
    served.stop()
    with Workbench.open(varied) as bench:
        assert [v.id for v in variants.load_variants(bench.database, order) if v.status == "accepted"] == order[:4]
        assert bench.variant_quality.list_samples()[0].done == {"Ada": 2}


def test_an_edit_outlives_a_reload_and_becomes_a_variant_of_its_own(serve: Serve, varied: Path, page: Page) -> None:
    served = serve(varied)
    sign(page, served.url)
    page.goto(f"{served.url}/variants")
    at(page, "s0")
    page.keyboard.press("y")
    page.keyboard.press("w")
    box = page.get_by_label("Your words")
    with saving(page, "Spellling, but by a person, this time"):
        box.fill("Spellling, but by a person, this time")
    page.reload()
    at(page, "s0")
    expect(box).to_have_value("Spellling, but by a person, this time")
    expect(page.get_by_role("group", name="Perturbation applied?").get_by_role("button", name="Yes")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.keyboard.press("y")
    box.press("Control+Enter")
    at(page, "f0")
    served.stop()
    with Workbench.open(varied) as bench:
        [edit] = variants.list_variants(bench.database, "spelling", "accepted")
        assert edit.text == "Spellling, but by a person, this time" and edit.checks["edited"]["of"] == "s0"
        assert variants.load_variants(bench.database, ["s0"])[0].status == "discarded"


def test_two_people_have_different_variants_and_judge_a_sample_blind(serve: Serve, varied: Path, chromium: Browser) -> None:
    with Workbench.open(varied) as bench:
        sample = bench.variant_quality.draw(by="Lea", size=2, kinds=["spelling"]).id
    served = serve(varied)
    ada, bo = (opened(chromium, served.url, name) for name in ("Ada", "Bo"))
    at(ada, "s0")
    at(bo, "f0")
    taken = {"ok": False, "kind": "changed", "message": "It is accepted now.", "taken_by": "Bo"}
    ada.route("**/bench/variant/decide", lambda route: route.fulfill(status=409, json=taken))
    for key in "yya":
        ada.keyboard.press(key)
    at(ada, "s1")
    expect(ada.locator(".lost")).to_contain_text("Bo took over what you had open: nothing was stored on it from you")
    for page, words in ((ada, "Ada alone reads this"), (bo, "")):
        page.get_by_role("button", name="Blind sample").click()
        for left in ("2 left for you", "1 left for you"):
            expect(page.get_by_text(left)).to_be_visible()
            expect(page.get_by_role("button", name="Store and next")).to_be_enabled()
            assert (page is ada) or "Ada alone" not in page.content()
            page.keyboard.press("y")
            page.keyboard.press("y" if page is ada else "o")
            if words:
                page.keyboard.press("c")
                page.keyboard.type(words)
                page.keyboard.press("Escape")
            page.keyboard.press("Enter")
        expect(page.get_by_text("You have judged the whole sample")).to_be_visible()
    lead = opened(chromium, served.url, "Lea", f"variant_quality?sample={sample}")
    expect(lead.get_by_text("Variants judged differently (2)")).to_be_visible()
    expect(lead.get_by_text("Ada alone reads this").first).to_be_visible()
