"""Blind samples of variants: what is drawn, who judges, and what it comes to."""

from collections import Counter
from collections.abc import Iterator

import pytest

from core.errors import BenchError
from core.nouns import Variant
from store.items import items
from store.variants import variants
from store.variants.variant_samples import SampleStratum
from tests.store.sample_items import item
from workbench import Workbench
from workbench.annotate.wordings.variant_quality import QualityAnswer, draw_stratified
from workbench.annotate.wordings.variant_sheet import VariantAnswers


@pytest.fixture
def bench() -> Iterator[Workbench]:
    """Ten items, a spelling and a formality variant of each, and one that was discarded."""
    with Workbench.open(":memory:") as bench:
        names = "abcdefghij"
        items.add(bench.database, [item(name, status="accepted") for name in names])
        variants.add(
            bench.database,
            [
                Variant(f"{name}-{kind}", name, 1, kind, f"{name} {kind}?", generator="offline")
                for kind in ("spelling", "formality")
                for name in names
            ],
        )
        variants.add(bench.database, [Variant("gone", "a", 1, "spelling", "gone?", "discarded")])
        yield bench


def judge(bench: Workbench, sample: str, person: str, no: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    """That person judges the whole sample; the meaning of those is not kept."""
    while variant := bench.variant_quality.find_next(sample, person):
        bench.variant_quality.judge(
            QualityAnswer(f"{person}-{variant}", person, sample, variant, True, variant not in no, seconds=1.0)
        )


def test_a_sample_is_even_over_kinds_and_the_same_for_its_seed() -> None:
    pool = [(f"s{n}", "spelling") for n in range(50)] + [(f"f{n}", "formality") for n in range(3)]
    chosen = draw_stratified(pool, 10, 7)
    assert Counter(dict(pool)[one] for one in chosen) == {"spelling": 7, "formality": 3}
    assert chosen == draw_stratified(pool, 10, 7) != draw_stratified(pool, 10, 8)


def test_what_was_drawn_is_stored_with_its_seed_and_never_changes(bench: Workbench) -> None:
    drawn = bench.variant_quality.draw(by="Lea", size=6, seed=3)
    variants.add(bench.database, [Variant("new", "a", 1, "keyboard", "new?")])
    [told] = bench.variant_quality.list_samples()
    assert (told.sample.seed, told.sample.asked, len(told.sample.variants), told.sample.made_by) == (3, 6, 6, "Lea")
    assert told.sample.strata == (SampleStratum("formality", 10, 3), SampleStratum("spelling", 10, 3))
    assert "gone" not in drawn.variants and len(bench.variant_quality.draw(by="Lea", seed=3).variants) == 21


def test_pass_rates_and_kappa_are_those_worked_by_hand(bench: Workbench) -> None:
    sample = bench.variant_quality.draw(by="Lea", size=20).id
    judge(bench, sample, "Ada", {"a-spelling", "b-spelling"})
    judge(bench, sample, "Bo", {"b-spelling", "c-formality"})
    report = bench.variant_quality.report(sample, "Lea")
    rates = {(row.person, row.kind): (row.passed, row.n) for row in report.rates}
    assert rates == {
        ("Ada", "formality"): (10, 10),
        ("Ada", "spelling"): (8, 10),
        ("Ada", "all"): (18, 20),
        ("Bo", "formality"): (9, 10),
        ("Bo", "spelling"): (9, 10),
        ("Bo", "all"): (18, 20),
    }
    # both pass 17, both fail 1, of 20: observed .9; by chance .9 * .9 + .1 * .1 = .82
    assert report.kappa["passed"].value == pytest.approx((0.9 - 0.82) / 0.18)
    assert report.kappa["applied"].value is None and "one and the same" in report.kappa["applied"].why
    assert {one.variant.id for one in report.conflicts} == {"a-spelling", "c-formality"}
    wilson = next(row for row in report.rates if (row.person, row.kind) == ("Ada", "all"))
    assert (wilson.share.low, wilson.share.high) == (pytest.approx(0.699, abs=1e-3), pytest.approx(0.972, abs=1e-3))


def test_nobody_sees_the_others_word_and_a_third_is_refused(bench: Workbench) -> None:
    sample = bench.variant_quality.draw(by="Lea", size=4).id
    first = bench.variant_quality.find_next(sample, "Ada")
    assert first is not None
    bench.variant_quality.judge(QualityAnswer("k", "Ada", sample, first, True, False, "Ada's words"))
    shown = bench.variant_quality.sheet(sample, first, "Bo")
    assert shown.said == VariantAnswers() and "Ada's words" not in str(shown)
    with pytest.raises(BenchError, match="after you finish"):
        bench.variant_quality.report(sample, "Ada")
    judge(bench, sample, "Bo")
    assert bench.variant_quality.list_waiting("Cy") == [] and bench.variant_quality.find_next(sample, "Cy") is None
    with pytest.raises(BenchError, match="Two other people"):
        bench.variant_quality.judge(QualityAnswer("c", "Cy", sample, first, True, True))


def test_named_reviewers_are_the_only_ones_and_must_be_two(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="two different"):
        bench.variant_quality.draw(by="Lea", reviewers=["Ada", "Ada"])
    sample = bench.variant_quality.draw(by="Lea", size=4, reviewers=["Ada", "Bo"]).id
    assert bench.variant_quality.find_next(sample, "Cy") is None and bench.variant_quality.find_next(sample, "Bo")


def test_an_undo_takes_the_last_word_back_and_the_press_again_is_one(bench: Workbench) -> None:
    sample = bench.variant_quality.draw(by="Lea", size=2).id
    first = str(bench.variant_quality.find_next(sample, "Ada"))
    word = QualityAnswer("k", "Ada", sample, first, True, True)
    assert (bench.variant_quality.judge(word), bench.variant_quality.judge(word)) == (False, True)
    assert bench.variant_quality.undo(sample, "Ada", "u") == first
    assert bench.variant_quality.find_next(sample, "Ada") == first
    assert bench.variant_quality.report(sample, "Lea").card.done == {}


def test_kappa_of_one_reviewer_is_undefined_and_says_why(bench: Workbench) -> None:
    sample = bench.variant_quality.draw(by="Lea", size=2).id
    assert "nobody" in bench.variant_quality.report(sample).kappa["passed"].why
    judge(bench, sample, "Ada")
    assert bench.variant_quality.report(sample).kappa["passed"].why == "undefined, because only Ada has judged it"
