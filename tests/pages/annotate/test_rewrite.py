"""The rewrite page: whose turn it is, where a press leads, consent, and what stays hidden."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.rewrite import rewriting
from pages.parts.ui.presses import PageRequest
from tests.pages.conftest import Show
from workbench import Workbench
from workbench.annotate.reviewing.reviews import ItemKind
from workbench.annotate.wordings.consent import ConsentText
from workbench.annotate.wordings.rewrites import Rewrite, RewriteSheet

OWN = "Quite other $words$ of **mine**, to be sure"


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the sheet was given last; {"press": Pressed(...)} in it is pressed once."""
    seen: dict[str, Any] = {}

    def show(data: RewriteSheet, key: str = "rewriting") -> PageRequest | None:
        seen["data"] = data
        return seen.pop("press", None)

    monkeypatch.setattr(rewriting, "show", show)
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
    assert "Rewrites by others: 1 of 2" in words(at) and "So, " not in words(at)
    write(bench, item, "Ada")
    at.query_params["item"] = item
    at.run()
    assert OWN in words(at) and "So, " in words(at) and "spoken" in words(at)
    next(button for button in at.button if button.label == "Accept").click().run()
    assert [v.status for v in bench.rewrites.sheet(item, "Ada").written] == ["accepted", "accepted"]
    next(button for button in at.button if button.label == "Take back").click().run()
    assert bench.rewrites.sheet(item, "Ada").written == []


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
        write(bench, item, "Ada", text="完全是另外的话" if bench.rewrites.sheet(item, "").item.language == "zh" else OWN)
    assert "No question needs your rewrite" in words(show("annotate/rewrite"))


def test_an_unknown_item_and_a_missing_name_are_a_sentence(bench: Workbench, show: Show, shown: dict[str, Any]) -> None:
    at = show("annotate/rewrite", person=" ")
    assert shown["data"].person == "" and "Give your name" in words(at)
    at.query_params["item"] = "<b>nowhere"
    at.run()
    assert len(at.error) == 1
