"""A web question has one way to a decision, its two phases: no other door decides on it, and none freezes it undecided."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Item, Provenance, Review, Span
from store.corpus import documents
from store.engine.columns import current_time
from store.engine.database import Database
from store.format import Bundle, Revision
from store.items import items
from store.queue import leases
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import bulk, review_import, reviews
from store.reviews.review_rows import insert
from tests.workbench.build.test_web_questions import handed_in, status
from workbench import Workbench, actor
from workbench.annotate.desk.decisions import DecisionRequest
from workbench.annotate.finding.bulk_rules import BulkPlan, BulkRequest
from workbench.annotate.finding.bulk_work import load_rows
from workbench.annotate.finding.finding import ItemSearch, SimilarityQuery
from workbench.annotate.reviewing.phases import PhaseOpinion
from workbench.release.importing import import_bundle

LICENCE = "made for a test"


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as made:
        yield made


def press(item: Item, decision: str = "accept") -> DecisionRequest:
    return DecisionRequest(
        "k",
        "Ann",
        item.id,
        item.revision,
        decision,
        item.question,
        item.answers[0],
        item.evidence,
        reason="r",
        labels={"domain": "open", "question_type": "set", "static_or_dynamic": "slow-changing", "popularity": ""},
    )


def through_both_phases(bench: Workbench, item: Item, again: str = "") -> str:
    came = ""
    for phase in ("labels", "answers"):
        for person in ("Ann", "Bob"):
            asked = bench.phases.find_next(person)
            assert asked is not None and (asked.item.id, asked.phase) == (item.id, phase)
            came = bench.phases.say(PhaseOpinion(f"{person}{phase}{again}", person, item.id, asked.phase, asked.values))
    return came


def test_the_review_queue_neither_counts_nor_gives_it(bench: Workbench) -> None:
    handed_in(bench)
    assert bench.reviews.find_next(ItemKind(), "Ann") is None and bench.reviews.find_next(ItemKind(), "") is None
    assert bench.reviews.progress(ItemKind(), "Ann").left == 0


@pytest.mark.parametrize("decision", ["accept", "discard"])
def test_neither_a_press_nor_the_command_line_decides_on_it(bench: Workbench, decision: Any) -> None:
    item = handed_in(bench)
    for door in (
        lambda: bench.reviews.settle(press(item, decision)),
        lambda: bench.reviews.decide(item.id, decision, person="Ann", reason="no"),
    ):
        with pytest.raises(BenchError, match="waits on the page Annotate > Two phases"):
            door()
    assert status(bench, item) == "drafted" and through_both_phases(bench, item).endswith("accepted")


@pytest.mark.parametrize(
    "asked",
    [
        BulkRequest("accept", "Lea"),
        BulkRequest("discard", "Lea", reason="no"),
        BulkRequest("give", "Lea", to="Ann"),
    ],
)
def test_in_bulk_it_is_left_out_and_says_where_it_waits(bench: Workbench, asked: BulkRequest) -> None:
    item = handed_in(bench)
    _, why = load_rows(bench.database.rows, BulkPlan(asked, asked, {}), [item.id], current_time())
    assert why == {item.id: "waits in Two phases"}
    assert leases.assign(bench.database, [item.id], "Ann", by="Lea", at=current_time()) == []


def test_an_imported_review_of_it_is_refused(bench: Workbench) -> None:
    item = handed_in(bench)
    for details in ({}, {"phases": ["labels", "answers"]}):
        came = review_import.import_reviews(
            bench.database, [Review("r", item.id, 1, "Zoe", "accept", at=current_time(), details=details)]
        )
        assert not came.added and "waits in Two phases here" in came.refused[0][1]
    assert status(bench, item) == "drafted"


def test_an_overlap_of_several_people_makes_no_opinion_of_what_two_phases_came_to(bench: Workbench) -> None:
    bench.queue.set_rules(QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
    item = handed_in(bench)
    assert through_both_phases(bench, item).endswith("accepted") and status(bench, item) == "accepted"


def test_taken_back_it_begins_both_phases_anew(bench: Workbench) -> None:
    item = handed_in(bench)
    through_both_phases(bench, item)
    with pytest.raises(BenchError, match="no decision that could be undone"):
        bench.reviews.undo("Bob", "u")
    with pytest.raises(BenchError, match="was decided in Two phases"):
        bench.reviews.undo("Bob", "u", item.id)
    back = Review("back", item.id, 1, "Lea", "undo", at=current_time(), details={"bulk": "b"})
    bench.database.write(lambda cursor: bulk.take_back(cursor, [back]))
    assert status(bench, item) == "drafted"
    assert through_both_phases(bench, item, "again").endswith("accepted") and status(bench, item) == "accepted"


def test_on_a_newer_text_of_its_page_it_goes_through_both_phases_anew(bench: Workbench) -> None:
    item = handed_in(bench)
    through_both_phases(bench, item)
    old = documents.get(bench.database, item.given[0])
    newer = replace(old, id=content_hash(f"{old.text} "), text=f"{old.text} ")
    documents.add(bench.database, [newer])
    assert bench.removal.replace(old.id, newer.id, "Lea").moved == [item.id]
    assert status(bench, item) == "drafted" and items.get(bench.database, item.id).given[0] == newer.id
    assert through_both_phases(bench, item, "again").endswith("accepted") and status(bench, item) == "accepted"


def discarded_in_phases(bench: Workbench) -> Item:
    item = handed_in(bench)
    for person in ("Ann", "Bob"):
        bench.phases.say(PhaseOpinion(f"{person}no", person, item.id, "labels", None, "not worth asking"))
    assert status(bench, item) == "discarded"
    return item


def test_afterwards_nobody_puts_other_words_into_it_alone(bench: Workbench) -> None:
    item = handed_in(bench)
    through_both_phases(bench, item)
    other = replace(press(item), answer="in March", seen="accepted")
    for door in (
        lambda: bench.reviews.settle(other),
        lambda: bench.reviews.decide(item.id, "accept", person="Ann", answer="in May"),
        lambda: bench.reviews.decide(item.id, "discard", person="Ann", reason="no"),
    ):
        with pytest.raises(BenchError, match="was decided in Two phases"):
            door()
    assert items.get(bench.database, item.id).answers == item.answers and status(bench, item) == "accepted"


def test_what_two_phases_discarded_nobody_accepts_alone(bench: Workbench) -> None:
    item = discarded_in_phases(bench)
    with pytest.raises(BenchError, match="was decided in Two phases"):
        bench.reviews.decide(item.id, "accept", person="Ann")
    asked = BulkRequest("accept", "Lea")
    _, why = load_rows(bench.database.rows, BulkPlan(asked, asked, {}), [item.id], current_time())
    assert why == {item.id: "decided in Two phases: take the decision back first"}
    again = BulkRequest("take_back", "Lea")
    _, why = load_rows(bench.database.rows, BulkPlan(again, again, {}), [item.id], current_time())
    assert why == {item.id: ""}


def test_words_and_reviews_from_elsewhere_change_nothing_that_two_phases_settled(bench: Workbench) -> None:
    item = handed_in(bench)
    through_both_phases(bench, item)
    said = Review("r", item.id, 2, "Zoe", "accept", at=current_time())
    words = Revision(item.id, 2, item.question, ("in May",), "Zoe", current_time(), evidence=item.evidence)
    came = review_import.import_reviews(bench.database, [said], [words])
    assert not came.added and not came.reworded and "was decided in Two phases here" in came.refused[0][1]
    assert items.get(bench.database, item.id).answers == item.answers and status(bench, item) == "accepted"


def test_the_last_decision_alone_tells_whether_a_freeze_takes_it(bench: Workbench) -> None:
    item = handed_in(bench)
    through_both_phases(bench, item)
    _alone(bench.database, item, among=2)
    with pytest.raises(BenchError, match="Nothing accepted to freeze"):
        bench.releases.freeze("v1", allow_unlicensed=LICENCE)


def test_what_one_person_accepted_before_there_was_one_way_is_frozen_into_nothing(bench: Workbench) -> None:
    item, other = handed_in(bench), handed_in(bench, question="how long is the bridge?")
    bench.database.write(lambda cursor: cursor.execute("UPDATE state SET status = 'accepted' WHERE item = ?", [item.id]))
    _alone(bench.database, item)
    with pytest.raises(BenchError, match="Nothing accepted to freeze"):
        bench.releases.freeze("v1", allow_unlicensed=LICENCE)
    assert bench.release_browser.preview().left_out == {"drafted": 1, "outside_two_phases": 1}
    through_both_phases(bench, other)
    made = bench.releases.freeze("v1", allow_unlicensed=LICENCE)
    assert (made.items, made.left_out) == (1, {"outside_two_phases": 1})
    preview = bench.release_browser.preview()
    assert preview.items == 1 and [cell.items for cell in preview.cells] == [1]


def test_one_that_came_in_accepted_from_a_file_is_frozen(bench: Workbench) -> None:
    item = handed_in(bench)
    (span,) = [Span(item.given[0], 0, 4)]
    there = replace(item, id="there", status="accepted", evidence=(span,))
    items.add(bench.database, [there])
    assert bench.releases.freeze("v1", allow_unlicensed=LICENCE).items == 1


def test_an_import_that_states_one_as_accepted_without_its_phases_sends_it_there(bench: Workbench, tmp_path: Path) -> None:
    item = handed_in(bench)
    came = [replace(item, id=id_, status="accepted") for id_ in ("alone", "phased")]
    came.append(replace(item, id="crag", status="accepted", provenance=Provenance(origin="imported")))
    told = Review("k", "phased", 1, "Zoe", "accept", at=current_time(), details={"phases": ["labels", "answers"]})
    report = import_bundle(bench.database, Bundle(items=came, reviews=[told]), tmp_path)
    assert report.waiting == 1
    there = {one.id: one.status for one in items.load_items(bench.database, ["alone", "phased", "crag"])}
    assert there == {"alone": "drafted", "phased": "accepted", "crag": "accepted"}
    assert bench.phases.find_next("Ann", after=item.id)


def _alone(database: Database, item: Item, among: int = 1) -> None:
    """A decision as Review stored it before."""
    database.write(lambda cursor: insert(cursor, [Review("alone", item.id, item.revision, "Ann", "accept", at=current_time())]))
    made = reviews.load_effective(database, [item.id])
    assert len(made) == among and made[-1].person == "Ann"


def test_lists_leave_out_its_answer_until_both_phases_are_over(bench: Workbench) -> None:
    item = handed_in(bench)

    def listed(text: str = "") -> list[tuple[str, ...]]:
        return [one.answers for one in bench.item_list.items(text=text)]

    def found(text: str = "") -> list[str]:
        page = bench.find.page(ItemSearch(text=text), SimilarityQuery(), 1).value
        assert page is not None
        return [row.answer for row in page.rows]

    assert listed() == [item.answers] and found("nine") == [item.answers[0]], "the workspace's owner sees all"
    with actor.act_as("Ann"):
        assert listed() == [item.answers], "everybody may do everything until somebody has a role"
    bench.people.give("Lea", "lead")
    with actor.act_as("Ann"):
        assert listed() == [()] and listed("nine") == []
        assert found() == ["(hidden until its two phases are over)"] and found("nine") == []
    with actor.act_as("Lea"):
        assert listed("nine") == [item.answers] and found() == [item.answers[0]], "who decides between people sees it"
    through_both_phases(bench, item)
    with actor.act_as("Ann"):
        assert listed() == [item.answers] and found("nine") == [item.answers[0]]
