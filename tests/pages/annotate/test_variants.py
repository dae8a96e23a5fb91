"""The pages of variants: whose turn it is, where a press leads, what a blind sample hides, and what it came to."""

from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.nouns import Variant
from pages.components.review import desk_bar
from pages.components.variant import variant
from pages.parts.ui.presses import PageRequest
from store.variants import variants
from tests.pages.conftest import Show
from workbench import Workbench
from workbench.annotate.desk.desk_data import DeskBar, DeskVisit
from workbench.annotate.queue.tab_visits import TabStep
from workbench.annotate.wordings.variant_quality import QualityAnswer
from workbench.annotate.wordings.variant_sheet import VariantSheet
from workbench.annotate.wordings.variant_visits import VariantQueue
from workbench.annotate.wordings.variants import VariantKind, VariantPress

EVIL = "Who **built** $it$ <b>then</b>?"


@pytest.fixture
def made(bench: Workbench) -> list[str]:
    """Two variants of each of two accepted items, in the order of the queue."""
    found = bench.reviews.items(status="accepted")[:2]
    new = [
        Variant(
            f"{kind}{n}",
            one.id,
            one.revision,
            kind,
            EVIL if n else f"{kind} {one.question}",
            checks={"flags": ["length"] * n},
        )
        for n, one in enumerate(found)
        for kind in ("spelling", "formality")
    ]
    variants.add(bench.database, new)
    return [v.id for v in new]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the sheet was given last; {"press": Pressed(...)} in it is pressed once. What the line over it says is a caption."""
    seen: dict[str, Any] = {}

    def show(data: VariantSheet, key: str = "variant") -> PageRequest | None:
        seen["data"] = data
        return seen.pop("press", None)

    def show_bar(bar: DeskBar, visit: DeskVisit | None) -> bool:
        st.caption(bar.words)
        return False

    monkeypatch.setattr(variant, "show", show)
    monkeypatch.setattr(desk_bar, "show", show_bar)
    return seen


def press(at: AppTest, shown: dict[str, Any], to: Any) -> str:
    """The variant on the screen after that press."""
    shown["press"] = PageRequest(to, shown["data"].item.id)
    at.run()
    assert not at.exception
    return str(shown["data"].item.id)


def words(at: AppTest) -> str:
    return " ".join(element.value for kind in (at.caption, at.text, at.info, at.error, at.markdown) for element in kind)


def accept(bench: Workbench, id_: str, person: str = "Ada") -> None:
    bench.variants.settle(VariantPress(f"{person}-{id_}", person, id_, "accept", "drafted", "", True, True))


def test_stored_goes_on_back_comes_back_and_undone_opens_what_waits_again(
    bench: Workbench, made: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/variants")
    assert shown["data"].item.id == made[0] == at.query_params["variant"] and "4 left" in words(at)
    accept(bench, made[0])
    assert press(at, shown, "saved") == made[1] and "1 decided today, 3 left" in words(at)
    assert press(at, shown, "back") == made[0] and shown["data"].has_undo
    assert press(at, shown, "next") == made[1]
    bench.variants.undo("Ada", "u")
    shown["press"] = PageRequest("undone", made[0])
    at.run()
    assert shown["data"].item.id == made[0] and shown["data"].status == "drafted"


def lead_on(bench: Workbench, shown: dict[str, Any], key: str, **step: Any) -> str:
    """What the sheet does on a press, without a run of the script; the variant that it draws then."""
    data = shown["data"]
    kind = dict(data.visit.kind)
    queue = VariantQueue(sample=kind.pop("sample"), kind=VariantKind(**kind))
    fields = {"number": data.visit.number, "item": data.item.id, "to": "next"} | step
    shown["data"] = bench.variant_visits.step(TabStep("Ada", data.visit.tab, key, **fields), queue)
    return str(shown["data"].item.id)


def test_a_later_run_keeps_the_variant_that_the_sheet_went_to_and_a_filter_leads_away(
    bench: Workbench, made: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/variants")
    assert [lead_on(bench, shown, f"k{n}") for n in range(2)] == made[1:3]
    number = shown["data"].visit.number
    assert at.query_params["variant"] == made[0], "Streamlit does not hear of the address that the sheet writes"
    at.run()
    assert (shown["data"].item.id, shown["data"].visit.number) == (made[2], number) and at.query_params["variant"] == made[2]
    next(box for box in at.selectbox if box.label == "Kind").set_value("spelling").run()
    assert shown["data"].item.id in made[::2] and shown["data"].visit.kind["kind"] == "spelling"
    assert shown["data"].visit.number > number


def test_from_the_queue_to_a_sample_and_back_it_is_one_tab(
    bench: Workbench, made: list[str], show: Show, shown: dict[str, Any]
) -> None:
    sample = bench.variant_quality.draw(by="Lea", size=4)
    at = show("annotate/variants")
    lead_on(bench, shown, "k")
    visit, here = shown["data"].visit, shown["data"].item.id
    next(button for button in at.button if "Blind sample" in button.label).click().run()
    assert shown["data"].sample == sample.id and shown["data"].visit.tab == visit.tab
    assert shown["data"].visit.number > visit.number, "or its sheet takes it for the sheet of a server that began anew"
    assert lead_on(bench, shown, "k2") == sample.variants[1] and shown["data"].sample == sample.id
    at.run()
    assert shown["data"].item.id == sample.variants[1]
    next(button for button in at.button if button.label == "Back to the queue").click().run()
    assert shown["data"].item.id == here and not shown["data"].sample


def test_filters_stand_in_the_address_and_lead_to_the_first_of_their_kind(
    bench: Workbench, made: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/variants")
    next(box for box in at.selectbox if box.label == "Kind").set_value("formality").run()
    assert at.query_params["kind"] == "formality" and shown["data"].kind == "formality"
    next(box for box in at.selectbox if box.label == "Guards").set_value("flagged").run()
    assert shown["data"].text == EVIL and shown["data"].flags[0].flag == "length"


def test_a_filter_stays_chosen_when_the_last_of_its_kind_is_decided(
    bench: Workbench, made: list[str], show: Show, shown: dict[str, Any]
) -> None:
    last = Variant("own", bench.reviews.items(status="accepted")[0].id, 1, "human", "So who built it?", generator="Bo")
    variants.add(bench.database, [last])
    at = show("annotate/variants", kind="human", flag="clean")
    assert shown["data"].item.id == "own"
    bench.reviews.decide("own", "accept", person="Ada")
    press(at, shown, "saved")
    for again in (at, show("annotate/variants", kind="human", flag="clean")):
        assert again.query_params["kind"] == "human" and "No variant of this kind waits" in words(again)
        assert next(box.value for box in again.selectbox if box.label == "Kind") == "human"
    for id_ in made:
        accept(bench, id_)
    nothing = show("annotate/variants", flag="flagged", domain=shown["data"].original.domain)
    assert "No variant of this kind waits" in words(nothing)
    next(button for button in nothing.button if button.key == "variant_every").click().run()
    assert "No variant waits for you" in words(nothing) and not {"flag", "domain"} & {*nothing.query_params}


def test_two_people_have_different_variants_and_the_last_says_what_comes_next(
    bench: Workbench, made: list[str], show: Show, shown: dict[str, Any]
) -> None:
    show("annotate/variants")
    show("annotate/variants", person="Bo")
    assert shown["data"].item.id == made[1]
    accept(bench, made[1], "Bo")
    for id_ in made[2:]:
        accept(bench, id_)
    at = show("annotate/variants")
    assert shown["data"].item.id == made[0]
    bench.reviews.decide(made[0], "accept", person="Bo")
    press(at, shown, "taken")
    assert "Bo took over the variant" in at.toast[0].value and "No variant waits for you" in words(at)


def test_a_sample_is_judged_blind_and_the_lead_sees_what_it_came_to(
    bench: Workbench, made: list[str], show: Show, shown: dict[str, Any]
) -> None:
    accept(bench, made[0], "Bo")
    sample = bench.variant_quality.draw(by="Lea", size=4)
    at = show("annotate/variants")
    next(button for button in at.button if "Blind sample" in button.label).click().run()
    assert "4 left for you" in words(at) and shown["data"].sample == sample.id
    assert all(bench.variant_quality.sheet(sample.id, id_, "Ada").decided is None for id_ in made)
    for person in ("Ada", "Bo"):
        for id_ in sample.variants:
            is_kept = (person, id_) != ("Bo", made[2])
            bench.variant_quality.judge(QualityAnswer(f"{person}{id_}", person, sample.id, id_, True, is_kept, EVIL))
    press(at, shown, "saved")
    assert "whole sample" in words(at)
    lead = show("annotate/variant_quality", person="Lea")
    assert "Ada 4 of 4, Bo 4 of 4" in words(lead) and f"Bo: applied yes, meaning kept no: {EVIL}" in words(lead)


def test_a_sample_is_drawn_on_the_page(bench: Workbench, made: list[str], show: Show) -> None:
    at = show("annotate/variant_quality", person="Lea")
    at.number_input[0].set_value(3)
    next(button for button in at.button if button.label == "Draw").click().run()
    [card] = bench.variant_quality.list_samples()
    assert (
        len(card.sample.variants) == 3
        and at.query_params["sample"] == card.sample.id
        and "nobody yet; the first two" in words(at)
    )
