"""Review of variants: what a press stores, edits with their lineage, undo, and what keeps somebody from deciding."""

from collections.abc import Iterator
from typing import Any

import pytest

from core.errors import BenchError
from core.nouns import Variant
from store.items import items
from store.reviews import reviews, state
from store.reviews.unsent_edits import EditedElsewhere
from store.variants import variants
from tests.store.sample_items import item
from workbench import Workbench
from workbench.annotate.wordings.variant_sheet import GuardFlag
from workbench.annotate.wordings.variants import VariantConflict, VariantKind, VariantPress

CHECKS = {
    "flags": ["much longer"],
    "words_ratio": 3.5,
    "shared": 0.5,
    "similarity": None,
    "similarity_why": "not measured",
    "flesch": 61.25,
    "flesch_original": 70.0,
    "mode": "protected",
}


@pytest.fixture
def bench() -> Iterator[Workbench]:
    """An accepted item and two variants of its question."""
    with Workbench.open(":memory:") as bench:
        items.add(bench.database, [item("a", question="Who built the bridge at Orvel?", status="accepted")])
        variants.add(
            bench.database,
            [
                Variant("typo", "a", 1, "spelling", "Who bult the bridge at Orvel?", generator="nlpaug", seed=3, checks=CHECKS),
                Variant("casual", "a", 1, "formality", "So who put up Orvel's bridge?", generator="offline"),
            ],
        )
        yield bench


def press(variant: str = "typo", **more: Any) -> VariantPress:
    given = {
        "key": f"key-{variant}",
        "person": "Ada",
        "decision": "accept",
        "seen": "drafted",
        "text": "",
        "applied": True,
        "kept": True,
        "seconds": 4.5,
    }
    return VariantPress(variant=variant, **(given | more))


def stored(bench: Workbench, id_: str) -> Variant:
    return variants.load_variants(bench.database, [id_])[0]


def test_the_sheet_shows_both_forms_the_answer_the_guards_numbers_and_what_is_flagged(bench: Workbench) -> None:
    data = bench.variants.sheet("typo", "Ada")
    assert data.original.question == "Who built the bridge at Orvel?" and data.original.answers == ("a",)
    assert {one.label: one.said for one in data.guards} == {
        "similarity in meaning": "not measured",
        "length in words": "× 3.50",
        "content words kept": "50%",
        "Flesch reading ease": "61.25, the original's 70",
    }
    assert data.flags == [GuardFlag("much longer", "twice the original's words or more")] and data.asks
    made = {one.label: one.said for one in data.making}
    assert made == {"made by": "nlpaug", "seed": "3", "mode": "protected"}


def test_accepting_stores_both_answers_and_the_seconds_and_the_same_press_is_one(bench: Workbench) -> None:
    assert not bench.variants.settle(press(comment="fine")).is_repeat
    assert bench.variants.settle(press(comment="fine")).is_repeat
    [review] = reviews.load_reviews(bench.database, ["typo"])
    assert (review.decision, review.seconds, review.comment) == ("accept", 4.5, "fine")
    assert review.details == {"applied": True, "kept": True} and stored(bench, "typo").status == "accepted"


@pytest.mark.parametrize("answers", [{"kept": False}, {"applied": None}])
def test_what_is_accepted_has_a_yes_to_both(bench: Workbench, answers: dict[str, Any]) -> None:
    with pytest.raises(BenchError, match="both questions"):
        bench.variants.settle(press(**answers))
    assert stored(bench, "typo").status == "drafted"


def test_a_discard_wants_a_reason_and_keeps_the_no(bench: Workbench) -> None:
    no = press(decision="discard", kept=False)
    with pytest.raises(BenchError, match="reason"):
        bench.variants.settle(no)
    bench.variants.settle(press(decision="discard", kept=False, reason="meaning changed"))
    [review] = reviews.load_reviews(bench.database, ["typo"])
    assert (review.reason, review.details["kept"], stored(bench, "typo").status) == ("meaning changed", False, "discarded")


def test_an_edit_is_a_variant_of_its_own_that_says_whose_it_is(bench: Workbench) -> None:
    made = bench.variants.settle(press(text="Who biult the bridge at Orvel?")).variant
    assert made.id != "typo" and (made.kind, made.generator, made.seed) == ("spelling", "nlpaug", 3)
    edited = {"of": "typo", "first": "typo", "by": "Ada", "was": "Who bult the bridge at Orvel?", "checks": CHECKS}
    assert made.checks["edited"] == edited
    assert made.checks["words_ratio"] == 1.0 and made.checks["flags"] == [], "its numbers are of its own words"
    assert (stored(bench, "typo").status, stored(bench, made.id).status) == ("discarded", "accepted")
    assert bench.variants.sheet(made.id, "Ada").edited_by == "Ada"
    assert state.list_differences(bench.database) == []


def test_undo_of_an_edit_brings_the_machines_words_back(bench: Workbench) -> None:
    made = bench.variants.settle(press(text="Who biult the bridge at Orvel?")).variant
    assert bench.variants.undo("Ada", "u1", made.id) == bench.variants.undo("Ada", "u1", made.id) == "typo"
    assert (stored(bench, "typo").status, stored(bench, made.id).status) == ("drafted", "discarded")
    assert bench.variants.find_next(VariantKind(), "Ada") == "typo" and state.list_differences(bench.database) == []
    bench.variants.settle(press(key="again", text="Who biult the bridge at Orvel?"))
    assert stored(bench, made.id).status == "accepted"


def test_undo_takes_the_last_back_and_nothing_that_others_decided_since(bench: Workbench) -> None:
    bench.variants.settle(press())
    bench.variants.settle(press("casual"))
    with pytest.raises(BenchError, match="last decision is not on typo"):
        bench.variants.undo("Ada", "u1", "typo")
    assert bench.variants.undo("Ada", "u2") == "casual" and stored(bench, "casual").status == "drafted"
    bench.variants.settle(press(key="bo", person="Bo", seen="accepted", decision="discard", reason="no"))
    with pytest.raises(BenchError, match="Bo decided"):
        bench.variants.undo("Ada", "u3")


def test_whoever_was_faster_or_holds_it_is_told(bench: Workbench) -> None:
    assert bench.variants.find_next(VariantKind(), "Bo") == "typo"
    with pytest.raises(VariantConflict, match="Bo has this variant"):
        bench.variants.settle(press())
    bench.variants.settle(press(key="bo", person="Bo"))
    with pytest.raises(VariantConflict, match="accepted now"):
        bench.variants.settle(press())


def test_the_question_itself_and_no_words_are_no_variant(bench: Workbench) -> None:
    for text in ("who built the bridge at orvel", "?!"):
        with pytest.raises(BenchError):
            bench.variants.settle(press(text=text))
    assert stored(bench, "typo").status == "drafted"


def test_typed_words_outlive_a_reload_and_go_with_the_decision(bench: Workbench) -> None:
    bench.variants.keep("Ada", "typo", 1, "Who buildt", 2.0, comment="hm", tab="t1", since="")
    left = bench.variants.sheet("typo", "Ada").scratch
    assert (left.question, left.answer, left.seconds) == ("Who buildt", "hm", 2.0)
    assert bench.variants.sheet("typo", "Bo").scratch is None
    with pytest.raises(EditedElsewhere):
        bench.variants.keep("Ada", "typo", 1, "other words", 1.0, tab="t2", since="")
    bench.variants.settle(press(text="Who buildt the bridge at Orvel?", tab="t1"))
    assert bench.variants.sheet("typo", "Ada").scratch is None


def test_words_that_were_refused_for_want_of_room_are_not_stored(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_no_room(*given: object, **named: object) -> None:
        raise BenchError("w.duckdb could not be written; nothing of this change was stored: make room, try again.")

    monkeypatch.setattr("workbench.annotate.wordings.variants.variant_queue.hold", find_no_room)
    with pytest.raises(BenchError, match="nothing of this change was stored"):
        bench.variants.keep("Ada", "typo", 1, "Who buildt", 2.0)
    assert bench.variants.sheet("typo", "Ada").scratch is None


def test_the_command_line_decides_on_a_variant_as_often_as_somebody_changes_their_mind(bench: Workbench) -> None:
    said = [
        bench.reviews.decide("typo", decision, person="Ada", reason="r").status  # type: ignore[arg-type]
        for decision in ("accept", "accept", "discard", "accept")
    ]
    assert said == ["accepted", "accepted", "discarded", "accepted"]
    assert [r.decision for r in reviews.load_reviews(bench.database, ["typo"])] == ["accept", "discard", "accept"]
