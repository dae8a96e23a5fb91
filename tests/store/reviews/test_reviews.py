"""Decisions: one transaction each, idempotent, never over somebody else's change; and the state that follows from history."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from core.errors import BenchError
from core.nouns import Variant
from store.engine.database import Cursor, Database
from store.items import items
from store.reviews import reviews, state
from store.reviews.review_rows import review_from_row
from store.reviews.reviews import ReviewConflict, decide
from store.variants import variants
from tests.store.sample_items import item, review


def everything(database: Database) -> list[list[tuple[object, ...]]]:
    """The state of all items and variants."""
    return [database.rows("SELECT * FROM state ORDER BY item"), database.rows("SELECT id, status FROM variant ORDER BY id")]


def test_the_last_decision_on_the_current_revision_counts() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        assert decide(database, review("k1", "a", seconds=4.5, comment="good")).subject.status == "accepted"
        assert decide(database, review("k2", "a", "discard", reason="too easy")).subject.status == "discarded"
        assert items.get(database, "a").status == "discarded"
        first, second = reviews.load_effective(database, ["a"])
        assert (first.id, first.seconds, first.comment, second.reason) == ("k1", 4.5, "good", "too easy")
        assert first.at and state.list_differences(database) == []


def test_an_edit_and_its_acceptance_are_one() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        edited = replace(items.get(database, "a"), question="Better?")
        decided = decide(database, review("k1", "a"), edited)
        assert decided.subject == replace(edited, revision=2, status="accepted") == items.get(database, "a")
        assert decided.review.revision == 2 and reviews.load_effective(database, ["a"]) == [decided.review]
        assert [r.by for r in items.load_history(database, ["a"])] == ["drafted", "ann"]
        assert state.list_differences(database) == []


def test_reviews_share_their_common_texts() -> None:
    row = ("item of a long name", 1, "a person", "accept", "", "", None, "2026-03-01T10:00:00+00:00", None, "opinion")
    rows = [(key, *(text.encode().decode() if isinstance(text, str) else text for text in row)) for key in "ab"]
    first, second = map(review_from_row, rows)
    assert rows[0][1] is not rows[1][1] and first == replace(second, id="a")
    assert all(getattr(first, name) is getattr(second, name) for name in ("item", "person", "decision", "at", "role"))


@pytest.mark.fault(30)
def test_the_same_key_again_is_the_same_decision() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a"), item("b")])
        seen = items.get(database, "a")
        first = decide(database, review("k1", "a"), replace(seen, question="Better?"))
        again = decide(database, review("k1", "a"), replace(seen, question="Better?"))
        assert again.is_repeat and not first.is_repeat and again.review == first.review and again.subject == first.subject
        assert len(items.load_history(database, ["a"])) == 2 and len(reviews.load_effective(database, ["a"])) == 1
        with pytest.raises(BenchError, match="same key as another decision"):
            decide(database, review("k1", "b"))


@pytest.mark.fault(29)
def test_a_decision_on_another_revision_stores_nothing_and_keeps_both_texts() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        seen = items.get(database, "a")
        decide(database, review("k1", "a"), replace(seen, question="Ann's?"))
        mine = replace(seen, question="Bo's?")
        with pytest.raises(ReviewConflict, match="look at it and decide again") as raised:
            decide(database, review("k2", "a", "accept"), mine)
        assert raised.value.yours == mine and raised.value.theirs.question == "Ann's?"
        with pytest.raises(ReviewConflict):
            decide(database, review("k3", "a", "discard"))
        assert len(reviews.load_effective(database, ["a"])) == 1 and items.get(database, "a").status == "accepted"


def test_what_cannot_be_decided_is_one_sentence() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        variants.add(database, [Variant("v", "a", 1, "formality", "Whom?")])
        for bad, edited in (
            (review("k", "unknown"), None),
            (review("k", "a"), item("b")),
            (review("k", "v"), replace(item("a"), id="v")),
        ):
            with pytest.raises(BenchError):
                decide(database, bad, edited)
        assert reviews.load_effective(database, ["a", "v", "unknown"]) == []


def test_a_variant_is_decided_on_its_own() -> None:
    variant = Variant("v", "a", 1, "formality", "Whom?", generator="rules", seed=3, checks={"same": True})
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        assert variants.add(database, [variant, variant]) == (["v"], ["v"])
        assert decide(database, review("k", "v")).subject == replace(variant, status="accepted")
        assert variants.list_variants(database, status="accepted") == variants.load_variants_of(database, ["a"])
        assert items.get(database, "a").status == "drafted" and state.list_differences(database) == []


@pytest.mark.fault(29)
def test_of_many_at_once_on_one_item_one_edit_wins_and_each_other_is_told() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        seen = items.get(database, "a")

        def try_to(n: int) -> bool:
            try:
                decide(database, review(f"k{n}", "a"), replace(seen, question=f"Mine {n}?"))
            except ReviewConflict:
                return False
            return True

        with ThreadPoolExecutor(16) as pool:
            assert sorted(pool.map(try_to, range(16))) == [False] * 15 + [True]
        assert len(items.load_history(database, ["a"])) == 2 and state.list_differences(database) == []


def test_the_state_rebuilt_from_history_equals_the_kept_one() -> None:
    """300 random edits, decisions, repeats and conflicts on 20 items and 5 variants, imported ones among them."""
    rng = random.Random(1)
    with Database.open(":memory:") as database:
        items.add(database, [item(f"i{n}", status=rng.choice(["drafted", "refused", "accepted"])) for n in range(20)])
        variants.add(database, [Variant(f"v{n}", "i0", 1, "k", "t") for n in range(5)])
        conflicts = 0
        for step in range(300):
            if rng.random() < 0.2:
                decide(database, review(f"k{step}", f"v{rng.randrange(5)}", rng.choice(["accept", "discard"])))
                continue
            seen = items.get(database, f"i{rng.randrange(20)}")
            revision = max(1, seen.revision - rng.choice([0, 0, 0, 1]))
            edited = replace(seen, revision=revision, question=f"Q{step}?", domain=rng.choice(["law", "tech"]))
            key, decision = f"k{rng.randrange(step + 1)}-{seen.id}", rng.choice(["accept", "discard"])
            match rng.randrange(3):
                case 0:
                    items.edit(database, edited, by="ann")
                case kind:
                    try:
                        decide(database, review(key, seen.id, decision, revision), edited if kind == 1 else None)
                    except ReviewConflict:
                        conflicts += 1
        kept = everything(database)
        assert conflicts > 5 and state.list_differences(database) == []
        state.rebuild(database)
        assert everything(database) == kept


def test_a_state_row_that_history_does_not_give_is_found_and_mended() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a"), item("b"), item("c")])
        decide(database, review("k", "a"))

        def damage(cursor: Cursor) -> None:
            cursor.execute("UPDATE state SET status = 'drafted' WHERE item = 'a'")
            cursor.execute("DELETE FROM state WHERE item = 'b'")

        database.write(damage)
        assert state.list_differences(database) == [("a", "other"), ("b", "missing")]
        state.rebuild(database)
        assert state.list_differences(database) == [] and items.get(database, "a").status == "accepted"
        assert [i.id for i in items.list_items(database)] == ["a", "b", "c"]
