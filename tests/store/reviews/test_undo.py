"""Undo: the last decision of a person that stands is taken back, nothing is deleted, and nobody counts what was undone."""

import random
from dataclasses import replace

import pytest

from core.errors import BenchError
from core.nouns import Review
from store.engine.database import Database
from store.items import items
from store.reviews import reviews, state
from store.reviews.reviews import ReviewConflict, decide
from store.reviews.undo import load_last_decision, undo
from tests.store.sample_items import item, review


def by(person: str, id: str, item: str, decision: str = "accept", revision: int = 1) -> Review:
    return replace(review(id, item, decision, revision), person=person)


def test_an_undone_decision_stands_no_longer_and_the_item_waits_again() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a"), item("b")])
        decide(database, review("k1", "a", "discard", reason="too easy"))
        decide(database, review("k2", "b"))
        with pytest.raises(BenchError, match="last decision is not on a, and only the last one can be undone"):
            undo(database, "ann", "u0", "a")
        assert undo(database, "ann", "u1") == "b" and items.get(database, "b").status == "drafted"
        assert undo(database, "ann", "u2") == "a" and items.get(database, "a").status == "drafted"
        assert reviews.load_effective(database, ["a", "b"]) == []
        assert [r.decision for r in reviews.load_reviews(database, ["a", "b"])] == ["discard", "accept", "undo", "undo"]
        with pytest.raises(BenchError, match="no decision that could be undone"):
            undo(database, "ann", "u3")
        assert decide(database, review("k3", "a")).subject.status == "accepted"
        assert [r.id for r in reviews.load_effective(database, ["a"])] == ["k3"] and state.list_differences(database) == []


def test_after_the_undo_of_an_edit_the_new_words_wait() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        decide(database, review("k1", "a"), replace(items.get(database, "a"), question="Better?"))
        undo(database, "ann", "u1")
        found = items.get(database, "a")
        assert (found.revision, found.question, found.status) == (2, "Better?", "drafted")
        assert state.list_differences(database) == []


def test_an_imported_item_is_again_what_it_was_when_it_came() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a", status="accepted"), item("b", status="refused")])
        for name in "ab":
            decide(database, review(f"k{name}", name, "discard"))
            undo(database, "ann", f"u{name}")
        assert [items.get(database, name).status for name in "ab"] == ["accepted", "refused"]
        assert state.list_differences(database) == []


@pytest.mark.fault(30)
def test_the_same_key_again_is_the_same_undo() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a"), item("b")])
        decide(database, review("k1", "a"))
        decide(database, review("k2", "b"))
        assert [undo(database, "ann", "u") for _ in range(8)] == ["b"] * 8
        assert items.get(database, "a").status == "accepted" and len(reviews.load_reviews(database, ["a", "b"])) == 3
        for key, person in (("k1", "ann"), ("u", "bo")):
            with pytest.raises(BenchError, match="another decision"):
                undo(database, person, key)


def test_what_others_did_since_is_not_undone() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        decide(database, by("ann", "k1", "a"))
        decide(database, by("bo", "k2", "a", "discard"))
        with pytest.raises(BenchError, match="bo decided on a after you"):
            undo(database, "ann", "u1")
        assert undo(database, "bo", "u2") == "a" and items.get(database, "a").status == "drafted"
        assert load_last_decision(database, "ann") is None, "bo's undo takes back what stood before it, too"
        assert state.list_differences(database) == []


def test_a_newer_revision_by_somebody_else_is_not_undone() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        decide(database, by("ann", "k1", "a"))
        items.edit(database, replace(items.get(database, "a"), question="Bo's?"), by="bo")
        with pytest.raises(BenchError, match="newer revision by bo"):
            undo(database, "ann", "u1")
        assert state.list_differences(database) == []


def test_an_undo_of_another_item_than_the_one_on_the_screen_is_refused() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a"), item("b")])
        decide(database, review("k1", "a"))
        decide(database, review("k2", "b"))
        with pytest.raises(BenchError, match="last decision is not on a, and only the last one can be undone"):
            undo(database, "ann", "u1", item="a")
        assert items.get(database, "b").status == "accepted"


def test_a_status_that_was_not_on_the_screen_is_a_conflict() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        decide(database, by("ann", "k1", "a"), seen="drafted")
        with pytest.raises(ReviewConflict, match="is accepted by now and was drafted"):
            decide(database, by("bo", "k2", "a", "discard"), seen="drafted")
        assert decide(database, by("bo", "k3", "a", "discard"), seen="accepted").subject.status == "discarded"


def test_the_state_rebuilt_after_many_undos_equals_the_kept_one() -> None:
    """400 random decisions, edits and undos by three people on 8 items."""
    rng = random.Random(5)
    with Database.open(":memory:") as database:
        items.add(database, [item(f"i{n}", status=rng.choice(["drafted", "accepted", "refused"])) for n in range(8)])
        undone = 0
        for step in range(400):
            person, seen = rng.choice(["ann", "bo", "cy"]), items.get(database, f"i{rng.randrange(8)}")
            if rng.random() < 0.4:
                try:
                    undo(database, person, f"u{step}")
                    undone += 1
                except BenchError:
                    continue
            else:
                new = replace(seen, question=f"Q{step}?") if rng.random() < 0.3 else None
                decide(database, by(person, f"k{step}", seen.id, rng.choice(["accept", "discard"]), seen.revision), new)
        kept = database.rows("SELECT * FROM state ORDER BY item")
        assert undone > 20 and state.list_differences(database) == []
        state.rebuild(database)
        assert database.rows("SELECT * FROM state ORDER BY item") == kept
        for found in items.list_items(database):
            standing = [r for r in reviews.load_effective(database, [found.id]) if r.revision == found.revision]
            if standing:
                assert found.status == {"accept": "accepted", "discard": "discarded"}[standing[-1].decision]
