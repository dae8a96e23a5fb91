"""The review page: what it shows of the queue, where a press leads, and what it says when there is nothing, or no name."""

import json
from dataclasses import replace
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.as_json import as_json
from core.nouns import Item, Span
from pages.components.review import desk, desk_bar
from pages.parts.ui.presses import PageRequest
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions
from tests.pages.conftest import Show
from workbench import Workbench
from workbench.annotate.desk.desk_data import DeskBar, DeskData, DeskPosition, DeskVisit
from workbench.annotate.reviewing.desk_visits import DeskStep
from workbench.annotate.reviewing.reviews import DecisionRequest, UnsentEdit


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the desk was given last; {"press": Pressed(...)} in it is pressed once. What the desk and the line over it say are
    captions."""
    seen: dict[str, Any] = {}

    def show(data: DeskData, key: str = "desk") -> PageRequest | None:
        seen["data"] = data
        st.caption(data.note)
        return seen.pop("press", None)

    def show_bar(bar: DeskBar, visit: DeskVisit | None) -> bool:
        for words in (bar.words, bar.control, f"{bar.disputed} to decide between" if bar.disputed else ""):
            st.caption(words)
        return False

    monkeypatch.setattr(desk, "show", show)
    monkeypatch.setattr(desk_bar, "show", show_bar)
    return seen


@pytest.fixture
def queue(bench: Workbench) -> list[str]:
    """Four drafted items beside the accepted samples."""
    sample = items.get(bench.database, bench.reviews.items()[0].id)
    made = [
        replace(
            sample,
            id=f"draft-{n}",
            question=f"Question {n}: $a$ <b>?",
            status="drafted",
            level=1 + n % 2,
            task="explicit_factoid",
        )
        for n in range(4)
    ]
    items.add(bench.database, made)
    return [item.id for item in made]


def accept(bench: Workbench, item: str, key: str, person: str = "Ada") -> None:
    found: Item = items.get(bench.database, item)
    spans: tuple[Span, ...] = found.evidence
    bench.reviews.settle(DecisionRequest(key, person, item, found.revision, "accept", found.question, found.answers[0], spans))


def press(at: AppTest, shown: dict[str, Any], to: Any, item: str) -> str:
    """The item on the screen after that press."""
    shown["press"] = PageRequest(to, item)
    at.run()
    assert not at.exception
    return str(shown["data"].item.id)


def words(at: AppTest) -> str:
    return " ".join(element.value for kind in (at.caption, at.markdown, at.info, at.error) for element in kind)


def test_the_first_that_waits_is_on_the_desk_with_its_place(queue: list[str], show: Show, shown: dict[str, Any]) -> None:
    at = show("annotate/review")
    assert shown["data"].item.id == "draft-0" and shown["data"].person == "Ada"
    assert shown["data"].position == DeskPosition(4, False, None)
    assert at.query_params["item"] == "draft-0" and "0 decided today, 4 left" in words(at)


def test_how_many_more_wait_of_the_open_document_is_told(
    bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/review")
    assert "4 left, 3 more from this document" in words(at)
    bench.reviews.holds.hold("draft-2", "Bo")
    accept(bench, "draft-0", "k0")
    press(at, shown, "decided", "draft-0")
    assert "2 left, 1 more held by others, 1 more from this document" in words(at)


def test_next_back_and_round_again(queue: list[str], show: Show, shown: dict[str, Any]) -> None:
    at = show("annotate/review")
    assert [press(at, shown, "next", item) for item in queue] == ["draft-1", "draft-2", "draft-3", "draft-0"]
    assert [press(at, shown, "back", "?") for _ in range(2)] == ["draft-3", "draft-2"]
    assert press(at, shown, "open", "draft-1") == "draft-1" and press(at, shown, "back", "?") == "draft-2"


def test_decided_goes_on_and_undone_comes_back(bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]) -> None:
    at = show("annotate/review")
    accept(bench, "draft-0", "k0")
    assert press(at, shown, "decided", "draft-0") == "draft-1"
    position = shown["data"].position
    assert (position.left, position.has_back, position.undo.item) == (3, True, "draft-0")
    assert "1 decided today, 3 left" in words(at)
    assert bench.reviews.undo("Ada", "u0") == "draft-0"
    assert press(at, shown, "undone", "draft-0") == "draft-0" and shown["data"].position.left == 4


def test_filters_come_from_the_url_and_go_into_it(queue: list[str], show: Show, shown: dict[str, Any]) -> None:
    at = show("annotate/review", level="2")
    at.query_params["level"] = "2"
    at.run()
    assert shown["data"].item.id == "draft-1" and shown["data"].position.left == 2
    assert press(at, shown, "next", "draft-1") == "draft-3" and press(at, shown, "next", "draft-3") == "draft-1"
    at.selectbox(key="review_level").set_value("1").run()
    assert at.query_params["level"] == "1" and shown["data"].item.id == "draft-0"
    at.button(key="review_all").click().run()
    assert "level" not in at.query_params and shown["data"].position.left == 4


def test_an_empty_queue_says_what_was_done_and_what_comes_next(
    bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/review")
    for n, item in enumerate(queue):
        accept(bench, item, f"k{n}")
    press(at, shown, "decided", "draft-3")
    assert "item" not in at.query_params
    assert "Nothing waits for review" in words(at) and "You decided on 4 items today" in words(at)


def test_next_stays_on_the_only_one_that_waits(bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]) -> None:
    at = show("annotate/review")
    for n, item in enumerate(queue[:3]):
        accept(bench, item, f"k{n}")
    at.query_params["item"] = "draft-3"
    assert press(at, shown, "next", "draft-3") == "draft-3"
    accept(bench, "draft-3", "k3")
    press(at, shown, "next", "draft-3")
    assert "Nothing waits for review" in words(at)


def test_a_decided_item_opens_with_its_decision_and_can_be_decided_again(
    bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    accept(bench, "draft-2", "k")
    at = show("annotate/review")
    at.query_params["item"] = "draft-2"
    at.run()
    assert shown["data"].item.status == "accepted" and "You accepted this item" in words(at)
    accept(bench, "draft-3", "k2", person="Bo")
    at.query_params["item"] = "draft-3"
    at.run()
    assert shown["data"].decision is None and "is accepted already" in words(at), "who decided it is not told"


def test_an_unknown_item_is_one_sentence_and_a_way_on(queue: list[str], show: Show, shown: dict[str, Any]) -> None:
    at = show("annotate/review")
    at.query_params["item"] = "<b>nowhere"
    at.run()
    assert len(at.error) == 1 and "nowhere" in at.error[0].value
    at.button[-1].click().run()
    assert shown["data"].item.id == "draft-0" and not at.error


def test_nobody_in_particular_reads_but_is_told_to_give_a_name(queue: list[str], show: Show, shown: dict[str, Any]) -> None:
    at = show("annotate/review", person=" ")
    assert shown["data"].person == "" and "Give your name" in words(at)
    assert shown["data"].position.undo is None


@pytest.mark.fault(28)
def test_two_people_never_get_one_item(bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]) -> None:
    ada = show("annotate/review")
    bo = show("annotate/review", person="Bo")
    assert bo.query_params["item"] == "draft-1" and shown["data"].position.left == 3
    assert "3 left, 1 more held by others" in words(bo)
    assert press(ada, shown, "next", "draft-0") == "draft-2" and press(bo, shown, "next", "draft-1") == "draft-3"


def test_anothers_item_opens_with_who_holds_it(bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]) -> None:
    show("annotate/review")
    bo = show("annotate/review", person="Bo")
    bo.query_params["item"] = "draft-0"
    bo.run()
    assert shown["data"].item.id == "draft-0" and shown["data"].held.by == "Ada"
    bench.reviews.holds.take_over("draft-0", "Bo")
    assert press(bo, shown, "open", "draft-0") == "draft-0" and shown["data"].held is None
    assert "Bo took over draft" in words(bo).replace("\\", "")


def test_who_holds_what_is_told_and_released(bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]) -> None:
    for item in ("draft-2", "draft-3"):
        bench.reviews.holds.hold(item, "Bo <b>")
    at = show("annotate/review")
    assert "15 more minutes" in at.text[0].value
    at.button(key="release_Bo <b>_draft-2").click().run()
    assert [one.item for one in bench.reviews.holds.list_held()] == ["draft-0", "draft-3"]


@pytest.mark.fault(28)
def test_whatever_others_hold_is_said_when_nothing_is_free(
    bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    for item in queue:
        bench.reviews.holds.hold(item, "Bo")
    at = show("annotate/review")
    assert "Nothing is free for you" in words(at) and "Other people have 4 more" in words(at)
    at.button(key="release_all_Bo").click().run()
    assert shown["data"].item.id == "draft-0"


def test_the_desk_itself_is_drawn(queue: list[str], show: Show) -> None:
    assert show("annotate/review").header[0].value == "Review"


def two_wanted(bench: Workbench) -> None:
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")


def test_a_draft_that_several_are_wanted_on_says_nothing_of_others(
    bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    two_wanted(bench)
    accept(bench, "draft-0", "k", person="Bo")
    at = show("annotate/review")
    alone = words(at)
    at.query_params["item"] = "draft-1"
    at.run()
    assert words(at) == alone and "Bo" not in json.dumps(as_json(shown["data"]))


def test_ones_own_opinion_is_shown_and_can_be_changed_until_all_are_in(
    bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    two_wanted(bench)
    accept(bench, "draft-0", "k")
    at = show("annotate/review")
    assert shown["data"].item.id == "draft-1"
    at.query_params["item"] = "draft-0"
    at.run()
    assert "Your opinion: accepted. The item waits for 1 more opinion; until then you can change yours." in words(at)
    found = items.get(bench.database, "draft-0")
    bench.reviews.settle(
        DecisionRequest("b", "Bo", "draft-0", 1, "discard", found.question, found.answers[0], found.evidence, "wrong")
    )
    at.run()
    assert "All opinions are in, and they differ: somebody decides between them." in words(at) and "wrong" not in words(at)


def test_a_disputed_item_is_no_matter_of_the_queue_and_leads_to_its_page(
    bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    two_wanted(bench)
    accept(bench, "draft-0", "k", person="Ann")
    found = items.get(bench.database, "draft-0")
    bench.reviews.settle(
        DecisionRequest("b", "Bo", "draft-0", 1, "discard", found.question, found.answers[0], found.evidence, "wrong")
    )
    at = show("annotate/review")
    assert shown["data"].item.id == "draft-1"
    assert "1 to decide between" in words(at)
    at.query_params["item"] = "draft-0"
    at.run()
    assert "somebody decides between them" in words(at)
    assert all(one.item != "draft-0" for one in bench.reviews.holds.list_held()), "a look takes it from nobody"


def test_back_from_a_break_the_next_free_item_comes_and_the_other_is_said_to_be_taken_over(
    bench: Workbench, queue: list[str], shown: dict[str, Any], show: Show
) -> None:
    bench.people.give("Lea", "admin")
    at = show("annotate/review", item=queue[0])
    assert shown["data"].item.id == queue[0]
    bench.reviews.holds.release("Ada", "Ada")
    assert bench.reviews.find_next(ItemKind(), "Bo") == queue[0]
    at.run()
    assert not at.error and shown["data"].item.id == queue[1]
    [told] = at.toast
    assert "Bo took over the item" in told.value
    at.run()
    assert not at.toast, "it is said once"


def test_what_one_held_and_somebody_took_over_leads_on_unless_words_of_ones_own_are_on_it(
    bench: Workbench, queue: list[str], shown: dict[str, Any], show: Show
) -> None:
    at = show("annotate/review")
    assert shown["data"].item.id == queue[0]
    bench.reviews.holds.take_over(queue[0], "Bo")
    at.run()
    assert shown["data"].item.id == queue[1] and "Bo took over the item" in at.toast[0].value
    at.query_params["item"] = queue[0]
    at.run()
    assert shown["data"].item.id == queue[0], "a look at it by its address is not a break"
    assert shown["data"].held.by == "Bo"
    at.query_params["item"] = queue[1]
    at.run()
    bench.reviews.holds.take_over(queue[1], "Bo")
    accept(bench, queue[1], "bo-1", "Bo")
    at.run()
    assert shown["data"].item.id == queue[2] and "Bo took over the item" in at.toast[0].value, "Bo decided on it meanwhile"
    at.query_params["item"] = queue[1]
    at.run()
    at.run()
    assert shown["data"].item.id == queue[1] and not at.toast, "a look at what Bo decided stays"
    at.query_params["item"] = queue[3]
    at.run()
    bench.reviews.keep(UnsentEdit("Ada", queue[3], 1, "What is it?", "A bridge"))
    bench.reviews.holds.take_over(queue[3], "Bo")
    at.run()
    assert not at.toast and shown["data"].item.id == queue[3] and shown["data"].scratch


def test_a_name_given_where_it_is_needed_is_the_persons_from_then_on(
    queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/review", person=" ")
    at.text_input(key="person_name_here").set_value("Nora").run()
    assert shown["data"].person == "Nora" and "Give your name" not in words(at)


def lead_on(bench: Workbench, shown: dict[str, Any], key: str, **step: Any) -> str:
    """What the desk does on a press, without a run of the script; the item that it draws then."""
    data = shown["data"]
    kind = ItemKind(**data.visit.kind)
    fields = {"key": key, "number": data.visit.number, "item": data.item.id, "to": "next", "kind": kind} | step
    shown["data"] = bench.desk_visits.step(DeskStep("Ada", data.visit.tab, **fields))
    return str(shown["data"].item.id)


def test_a_later_run_keeps_the_item_that_the_desk_went_to(
    bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/review")
    assert [lead_on(bench, shown, f"k{n}") for n in range(2)] == ["draft-1", "draft-2"]
    number = shown["data"].visit.number
    assert at.query_params["item"] == "draft-0", "Streamlit does not hear of the address that the desk writes"
    at.run()
    assert (shown["data"].item.id, shown["data"].visit.number) == ("draft-2", number), "it is not a newer visit"
    assert at.query_params["item"] == "draft-2"
    assert press(at, shown, "next", "draft-2") == "draft-3", "a press that the page answers goes on from there"
    assert shown["data"].visit.number > number


def test_an_address_or_a_filter_leads_away_from_the_item_of_the_desk(
    bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/review")
    number = shown["data"].visit.number
    assert lead_on(bench, shown, "k") == "draft-1"
    at.query_params["item"] = "draft-3"
    at.run()
    assert shown["data"].item.id == "draft-3" and shown["data"].visit.number > number + 1
    assert lead_on(bench, shown, "k2") == "draft-0"
    at.selectbox(key="review_level").set_value("2").run()
    assert shown["data"].item.id in ("draft-1", "draft-3") and shown["data"].visit.kind["level"] == 2


def test_the_menu_opens_the_item_that_the_desk_went_to_and_a_link_the_one_that_it_names(
    bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/review")
    assert lead_on(bench, shown, "k") == "draft-1"
    at.switch_page("pages/annotate/find.py").run()
    at.query_params.clear()
    at.switch_page("pages/annotate/review.py").run()
    assert shown["data"].item.id == "draft-1"
    assert lead_on(bench, shown, "k2") == "draft-2"
    at.switch_page("pages/annotate/find.py").run()
    at.query_params["item"] = "draft-1"
    at.switch_page("pages/annotate/review.py").run()
    assert shown["data"].item.id == "draft-1"


def test_an_item_that_the_desk_went_to_and_somebody_took_over_leads_on(
    bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/review")
    assert lead_on(bench, shown, "k") == "draft-1"
    bench.reviews.holds.take_over("draft-1", "Bo")
    at.run()
    assert shown["data"].item.id == "draft-0" and "Bo took over the item" in at.toast[0].value


def test_another_name_is_that_of_the_item_on_the_desk(
    bench: Workbench, queue: list[str], show: Show, shown: dict[str, Any]
) -> None:
    at = show("annotate/review")
    assert lead_on(bench, shown, "k") == "draft-1"
    at.text_input(key="person_name").set_value("Cy").run()
    assert (shown["data"].item.id, shown["data"].person, shown["data"].held.by) == ("draft-1", "Cy", "Ada")
