"""The counts behind the progress page, at the corners: what is undone, shared, or on a variant."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.agent import Completion
from core.nouns import Provenance, Variant
from store.engine.database import Database
from store.items import draft_costs, items
from store.ledger.calls import Call, Ledger
from store.reviews import opinion_table, progress, reviews, undo
from store.variants import variants
from tests.store.sample_items import item, review


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "w.duckdb") as database:
        yield database


def drafted(*calls: str) -> Provenance:
    return Provenance("openai:m", "draft/x.en@b2:1", 1, calls)


def call(database: Database, id: str, seconds: float, price: float | None) -> None:
    completion = Completion(text="", tokens_in=1, tokens_out=1, seconds=seconds, waited=100.0, finish="stop", price=price)
    Ledger(database).store(Call(id, id, "openai:m", "p@1", "draft", None, {}, completion, price, 1, None, None, "t")).result()


def test_a_call_of_two_items_counts_once_and_waiting_for_a_place_is_not_in_it(database: Database) -> None:
    call(database, "shared", 4.0, 0.5)
    call(database, "own", 1.0, None)
    made = [item("a", provenance=drafted("shared", "gone")), item("b", provenance=drafted("shared", "own"))]
    items.add(database, [*made, item("c", provenance=drafted("gone")), item("d", provenance=drafted("shared"))])
    [row] = draft_costs.load_drafts(database)
    assert (row.items, row.timed, row.generation, row.cost, row.unpriced) == (4, 3, 5.0, 0.5, 1)
    assert (row.active, row.measured, row.reviews) == (None, 0, 0)


def test_what_was_undone_is_in_no_figure(database: Database) -> None:
    items.add(database, [item("a"), item("b")])
    reviews.decide(database, review("k1", "a", "discard", reason="other", seconds=9.0))
    undo.undo(database, "ann", "u1")
    reviews.decide(database, review("k2", "b", "discard", reason="ambiguous", at="2026-11-20T23:59:59.000+00:00"))
    assert progress.load_work(database) == [progress.DecisionWork("ann", 0, 1, 0, 0, None, None)]
    assert progress.load_reasons(database) == [("ann", "ambiguous", 1)]
    assert progress.load_slots(database) == [progress.TimeSlot("2026-11-20T23:5", "ann", 0, 1, 0, 0, None)]
    [row] = draft_costs.load_drafts(database)
    assert (row.waiting, row.discarded, row.reviews, row.measured) == (1, 1, 1, 0)


def test_an_edit_is_the_accept_of_ones_own_words_that_are_not_the_drafts(database: Database) -> None:
    items.add(database, [item("a"), item("b"), item("c")])
    reviews.decide(database, review("k1", "a", seconds=3.0), replace(item("a"), question="Who was it?"))
    reviews.decide(database, review("k2", "b"), replace(item("b"), labels={"referent": "x"}))  # the words stay
    edited = items.edit(database, replace(item("c"), answers=("cc",)), "bob")
    assert edited is not None
    reviews.decide(database, review("k3", "c", revision=2))  # another's words
    assert [(w.person, w.accepted, w.edited, w.median) for w in progress.load_work(database)] == [("ann", 3, 1, 3.0)]
    assert progress.load_edits(database) == [progress.WordEdit("ann", "Who was it?", '["a"]', "Who is a?", '["a"]')]
    [row] = draft_costs.load_drafts(database)
    assert (row.saved, row.edited) == (3, 2)


def test_decisions_on_variants_are_not_decisions_on_items(database: Database) -> None:
    items.add(database, [item("a")])
    variants.add(database, [Variant("v", "a", 1, "human", "Who then?")])
    reviews.decide(database, review("k1", "v"))
    assert progress.load_work(database) == [] and progress.load_slots(database) == []


def test_two_people_on_one_item_are_two_opinions_with_each_ones_last(database: Database) -> None:
    items.add(database, [item("a"), item("b")])
    for key, name, person, decision in (
        ("1", "a", "ann", "discard"),
        ("2", "a", "bob", "discard"),
        ("3", "a", "ann", "accept"),
        ("4", "b", "ann", "accept"),
    ):
        reviews.decide(database, replace(review(key, name, decision), person=person))
    found = opinion_table.load_opinions(database)
    decisions = found.tabulate_decisions()
    assert [found.names[place] for place in found.people] == ["ann", "bob"] and decisions.count_units() == 1
    assert [decisions.values[place] for place in decisions.labels] == ["accept", "discard"]
    assert [(text.answer, text.is_changed) for text in found.read] == [("a", False)] and found.texts.tolist() == [0, 0]


def test_the_fingerprint_changes_with_a_decision_and_its_undo(database: Database) -> None:
    items.add(database, [item("a")])
    seen = [progress.fingerprint(database)]
    reviews.decide(database, review("k1", "a"))
    seen.append(progress.fingerprint(database))
    undo.undo(database, "ann", "u1")
    seen.append(progress.fingerprint(database))
    call(database, "c", 1.0, None)
    seen.append(progress.fingerprint(database))
    assert len(set(seen)) == 4
