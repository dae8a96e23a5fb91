"""A rewrite that holds its whole gold answer reaches no release before somebody but its writer has decided on it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import BenchError
from core.nouns import Document, Item, Review, Span, Variant
from store.corpus import documents
from store.engine.columns import current_time
from store.format import Bundle
from store.items import items
from store.variants import variants
from workbench import Workbench
from workbench.annotate.wordings.rewrites import NearCopy
from workbench.annotate.wordings.variants import VariantPress
from workbench.release.freeze_preview import preview_freeze
from workbench.release.importing import import_bundle

TEXT = "Marta Quill designed the bridge at Orvel."
FACT = Item(
    "fact", "explicit_factoid", "Who designed the bridge at Orvel?", ("Marta Quill",), (Span("d", 0, 11),), status="accepted"
)
TELLING = "Is the name behind Orvel's crossing over the river MARTA QUILL, or whose is it?"


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as made:
        documents.add(made.database, [Document("d", TEXT, "Orvel", licence="CC0-1.0")])
        items.add(made.database, [FACT])
        yield made


def accepted(id_: str = "v", **fields: object) -> Variant:
    return replace(Variant(id_, "fact", 1, "human", TELLING, "accepted", "Ann"), **fields)  # type: ignore[arg-type]


def frozen(bench: Workbench, name: str = "v1", **how: bool) -> tuple[int, dict[str, int]]:
    made = bench.releases.freeze(name, **how)
    return made.variants, made.variants_left_out


def test_it_is_refused_without_a_reason_and_told_while_it_is_typed(bench: Workbench) -> None:
    assert "contains the gold answer “Marta Quill”" in bench.rewrites.measure_rewrite("fact", TELLING).near
    with pytest.raises(NearCopy, match="contains the gold answer “Marta Quill”"):
        bench.rewrites.rewrite("fact", TELLING, "Ann")
    assert not variants.list_variants(bench.database)


def test_with_a_reason_it_waits_for_a_second_person(bench: Workbench) -> None:
    made = bench.rewrites.rewrite("fact", TELLING, "Ann", "it is asked so")
    assert made.status == "drafted" and "gold answer" in made.checks["near"]
    for name in ("Ann", " ann "):
        with pytest.raises(BenchError, match="somebody else"):
            bench.reviews.decide(made.id, "accept", person=name)
        with pytest.raises(BenchError, match="somebody else"):
            bench.variants.settle(VariantPress(f"k{name}", name, made.id, "accept", "drafted", TELLING, True, True))
    assert frozen(bench, unreviewed_variants=True) == (0, {"answer_told": 1})
    bench.reviews.decide(made.id, "accept", person="Bob")
    assert frozen(bench, "v2") == (1, {})


def test_a_hint_at_the_answer_waits_too_even_where_unreviewed_variants_are_wanted(bench: Workbench) -> None:
    made = bench.rewrites.rewrite("fact", "Was it M. Quill, or who, at Orvel's bridge?", "Ann", "it is asked so")
    assert frozen(bench, unreviewed_variants=True) == (0, {"answer_told": 1})
    bench.reviews.decide(made.id, "accept", person="Bob")
    assert frozen(bench, "v2") == (1, {})


def test_one_that_only_its_writer_accepted_is_held_back_and_counted_before_the_freeze(bench: Workbench) -> None:
    variants.add(bench.database, [accepted(), accepted("plain", text="Whose design was Orvel's bridge?")])
    assert bench.release_browser.preview().variants == {"accepted": 1, "answer_told": 1}
    assert frozen(bench) == (1, {"answer_told": 1})


def test_an_imported_one_waits_unless_somebody_else_accepted_it_there(bench: Workbench, tmp_path: Path) -> None:
    other = replace(FACT, id="other")
    said = [
        Review("own", "v", 1, "ANN", "accept", at=current_time()),
        Review("second", "w", 1, "Bob", "accept", at=current_time()),
    ]
    came = Bundle(items=[FACT, other], variants=[accepted(), accepted("w", item="other")], reviews=[])
    import_bundle(bench.database, came, tmp_path)
    assert {v.id: v.status for v in variants.list_variants(bench.database)} == {"v": "drafted", "w": "drafted"}
    import_bundle(bench.database, Bundle(reviews=said), tmp_path)
    assert frozen(bench) == (1, {"answer_told": 1})


def test_an_imported_one_that_hints_at_the_answer_or_was_doubted_there_waits_too(bench: Workbench, tmp_path: Path) -> None:
    other = "Whose is the bridge by Orvel?"
    came = [
        accepted("hint", text="Was it M. Quill, or who, at Orvel's bridge?"),
        accepted("near", text=other, checks=NEAR),
        accepted("plain", text=f"{other} Say it shortly."),
    ]
    assert import_bundle(bench.database, Bundle(items=[FACT], variants=came), tmp_path).waiting == 2
    found = {v.id: v.status for v in variants.list_variants(bench.database)}
    assert found == {"hint": "drafted", "near": "drafted", "plain": "accepted"}
    assert frozen(bench) == (1, {"answer_told": 1, "drafted": 1})


def test_an_edit_at_the_variants_sheet_does_not_bring_the_answer_in(bench: Workbench) -> None:
    variants.add(bench.database, [Variant("noise", "fact", 1, "spelling", "Who desinged it?", generator="nlpaug")])
    press = VariantPress("k", "Ann", "noise", "accept", "drafted", TELLING, True, True)
    with pytest.raises(BenchError, match="contains the gold answer “Marta Quill”"):
        bench.variants.settle(press)
    variants.add(bench.database, [accepted(text="Whose is the bridge by Orvel?", status="drafted", checks=NEAR)])
    press = replace(press, key="k2", variant="v", person="Bob", text="Was it a certain M. Quill, or who, at the bridge?")
    with pytest.raises(BenchError, match="take it out, or discard the variant"):
        bench.variants.settle(press)


NEAR = {"near": "It keeps 9 of 10 content words.", "kept_because": "it is asked so"}


def test_its_writer_does_not_discard_and_then_accept_what_waits_for_somebody_else(bench: Workbench) -> None:
    variants.add(bench.database, [accepted(text="Who designed the bridge by Orvel?", status="drafted", checks=NEAR)])
    bench.reviews.decide("v", "discard", person="Ann", reason="not good")
    with pytest.raises(BenchError, match="somebody else decides"):
        bench.reviews.decide("v", "accept", person=" ann")
    assert [one.status for one in variants.list_variants(bench.database)] == ["discarded"]


def test_its_writers_imported_word_does_not_accept_it(bench: Workbench, tmp_path: Path) -> None:
    variants.add(bench.database, [accepted(text="Who designed the bridge by Orvel?", status="drafted", checks=NEAR)])
    said = [Review("own", "v", 1, "ANN", "accept", at=current_time())]
    came = import_bundle(bench.database, Bundle(reviews=said), tmp_path)
    assert came.reviews == 0 and "own rewrite" in came.refused[0].message
    assert frozen(bench) == (0, {"drafted": 1})
    import_bundle(bench.database, Bundle(reviews=[replace(said[0], id="second", person="Bob")]), tmp_path)
    assert frozen(bench, "v2") == (1, {})


def test_rewrites_that_only_their_writers_read_are_counted(bench: Workbench) -> None:
    text = "Whose plans were followed for the Orvel crossing?"
    variants.add(bench.database, [accepted("v1", text=text), accepted("v2", text=f"{text} Say it shortly.")])
    assert preview_freeze(bench.database).rewrites_read_by_one == 2
    assert bench.reviews.decide("v1", "accept", person="ann") and bench.reviews.decide("v2", "accept", person="Bo")
    assert preview_freeze(bench.database).rewrites_read_by_one == 1
    made = bench.releases.freeze("v1")
    assert (made.variants, made.rewrites_read_by_one) == (2, 1)
