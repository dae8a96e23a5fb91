"""The rewrite page: whose turn it is, where a press leads, consent, and what stays hidden."""

from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.components.review import desk_bar
from pages.components.rewrite import rewriting
from pages.parts.ui.presses import PageRequest
from tests.pages.conftest import Show
from workbench import Workbench
from workbench.annotate.desk.desk_data import DeskBar, DeskVisit
from workbench.annotate.queue.tab_visits import TabStep
from workbench.annotate.reviewing.reviews import ItemKind
from workbench.annotate.wordings.consent import ConsentText
from workbench.annotate.wordings.rewrites import Rewrite, RewriteSheet

OWN = "Quite other $words$ of **mine**, to be sure"


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the sheet was given last; {"press": Pressed(...)} in it is pressed once. What the line over it says is a caption."""
    seen: dict[str, Any] = {}

    def show(data: RewriteSheet, key: str = "rewriting") -> PageRequest | None:
        seen["data"] = data
        return seen.pop("press", None)

    def show_bar(bar: DeskBar, visit: DeskVisit | None) -> bool:
        st.caption(bar.words)
        return False

    monkeypatch.setattr(rewriting, "show", show)
    monkeypatch.setattr(desk_bar, "show", show_bar)
    return seen


def press(at: AppTest, shown: dict[str, Any], to: Any) -> str:
    """The item on the screen after that press."""
    shown["press"] = PageRequest(to, shown["data"].item.id)
    at.run()
    assert not at.exception
    return str(shown["data"].item.id)


def write(bench: Workbench, item: str, person: str, reason: str = "", text: str = OWN) -> None:
    bench.rewrites.write(Rewrite(person, item, 1, text, reason))


def words(at: AppTest) -> str:
    return " ".join(element.value for kind in (at.caption, at.text, at.info, at.error, at.markdown) for element in kind)


def test_stored_goes_on_and_back_comes_back(bench: Workbench, show: Show, shown: dict[str, Any]) -> None:
    at = show("annotate/rewrite")
    first = str(shown["data"].item.id)
    assert at.query_params["item"] == first and not shown["data"].has_back
    second = press(at, shown, "next")
    write(bench, second, "Ada")
    third = press(at, shown, "saved")
    assert len({first, second, third}) == 3 and "1 by you" in words(at)
    assert press(at, shown, "back") == second and press(at, shown, "back") == first
    assert press(at, shown, "next") == third, "a question that one has rewritten is passed over"


def test_rewrites_of_others_are_seen_after_ones_own(bench: Workbench, show: Show, shown: dict[str, Any]) -> None:
    item = bench.rewrites.find_next(ItemKind(), "Ada")
    assert item is not None
    question = bench.rewrites.sheet(item, "Bo").item.question
    write(bench, item, "Bo", "spoken", f"So, {question}")
    at = show("annotate/rewrite")
    data = shown["data"]
    assert (data.people, data.wanted, data.written) == (1, 2, []) and "So, " not in words(at)
    write(bench, item, "Ada")
    at.query_params["item"] = item
    at.run()
    assert OWN in words(at) and "So, " in words(at) and "spoken" in words(at)
    next(button for button in at.button if button.label == "Accept").click().run()
    assert [v.status for v in bench.rewrites.sheet(item, "Ada").written] == ["accepted", "accepted"]
    next(button for button in at.button if button.label == "Take back").click().run()
    assert bench.rewrites.sheet(item, "Ada").written == []


def lead_on(bench: Workbench, shown: dict[str, Any], key: str, **step: Any) -> str:
    """What the sheet does on a press, without a run of the script; the item that it draws then."""
    data = shown["data"]
    fields = {"number": data.visit.number, "item": data.item.id, "to": "next"} | step
    shown["data"] = bench.rewrite_visits.step(TabStep("Ada", data.visit.tab, key, **fields), ItemKind(**data.visit.kind))
    return str(shown["data"].item.id)


def test_a_later_run_keeps_the_item_that_the_sheet_went_to_and_an_address_leads_away(
    bench: Workbench, show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/rewrite")
    first = str(shown["data"].item.id)
    second = lead_on(bench, shown, "k")
    number = shown["data"].visit.number
    assert first != second and at.query_params["item"] == first, "Streamlit does not hear of the address that the sheet writes"
    for _ in range(2):
        at.run()
        assert (shown["data"].item.id, shown["data"].visit.number) == (second, number), "it is not a newer visit"
        assert at.query_params["item"] == second
    third = lead_on(bench, shown, "k2")
    assert press(at, shown, "saved") not in (first, second, third), "a press that the page answers goes on from there"
    at.query_params["item"] = first
    at.run()
    assert shown["data"].item.id == first and shown["data"].visit.number > number


def test_consent_stands_before_the_first_rewrite(bench: Workbench, show: Show, shown: dict[str, Any]) -> None:
    bench.rewrites.consent.change("Your words are **published**.")
    at = show("annotate/rewrite")
    assert "data" not in shown and "Version 1" in words(at)
    at.button(key="rewrite_agree").click().run()
    assert shown["data"].item.id and [record.version for record in bench.rewrites.consent.list_agreements("Ada")] == [1]


def test_rules_are_set_on_the_page(bench: Workbench, show: Show, shown: dict[str, Any]) -> None:
    at = show("annotate/rewrite")
    at.number_input[0].set_value(1)
    at.text_area[0].set_value("We keep your words.")
    next(button for button in at.button if button.label == "Save").click().run()
    assert bench.rewrites.wanted == 1 and bench.rewrites.consent.load_current() == ConsentText(1, "We keep your words.")


def test_when_everybody_wrote_the_page_says_what_comes_next(bench: Workbench, show: Show, shown: dict[str, Any]) -> None:
    while item := bench.rewrites.find_next(ItemKind(), "Ada"):
        write(
            bench,
            item,
            "Ada",
            text="完全是另外的话" * 3 if bench.rewrites.sheet(item, "").item.language == "zh" else f"{OWN} {OWN}",
        )
    assert "No question needs your rewrite" in words(show("annotate/rewrite"))


def test_an_unknown_item_and_a_missing_name_are_a_sentence(bench: Workbench, show: Show, shown: dict[str, Any]) -> None:
    at = show("annotate/rewrite", person=" ")
    assert shown["data"].person == "" and "Give your name" in words(at)
    at.query_params["item"] = "<b>nowhere"
    at.run()
    assert len(at.error) == 1
