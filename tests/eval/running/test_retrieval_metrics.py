"""Metrics of retrieval: equal to pytrec_eval where a passage is one gold span or none, and by hand where spans are cut or
repeated."""

import random

import pytest

from core.nouns import Span
from eval.metric import ScoringCase, Unscored, metrics

NAMES = ("evidence_recall", "retrieval_precision", "mrr", "ndcg")


def scored(metric: str, evidence: list[Span], retrieved: list[Span] | None, **rest: object) -> dict[str, object]:
    score = metrics()[metric].score
    assert score
    case = ScoringCase(
        "x", "", ("a",), evidence=tuple(evidence), retrieved=None if retrieved is None else tuple(retrieved), **rest
    )  # type: ignore[arg-type]
    return dict(score(case))


def test_they_equal_pytrec_eval_on_random_rankings() -> None:
    import pytrec_eval

    chance = random.Random(3)
    for _ in range(200):
        names = [f"d{n}" for n in range(30)]
        gold, ranked = chance.sample(names, chance.randint(1, 8)), chance.sample(names, chance.randint(10, 20))
        peer = pytrec_eval.RelevanceEvaluator(
            {"q": dict.fromkeys(gold, 1)}, {"recip_rank", "ndcg_cut.1,3,5,10", "P.1,3,5,10", "recall.1,3,5,10"}
        ).evaluate({"q": {name: float(-place) for place, name in enumerate(ranked)}})["q"]
        evidence, retrieved = ([Span(name, 0, 10) for name in found] for found in (gold, ranked))
        assert scored("mrr", evidence, retrieved)[""] == pytest.approx(peer["recip_rank"], abs=1e-12)
        for k in (1, 3, 5, 10):
            found = [scored(name, evidence, retrieved)[f"@{k}"] for name in ("ndcg", "retrieval_precision", "evidence_recall")]
            assert found == pytest.approx([peer[f"ndcg_cut_{k}"], peer[f"P_{k}"], peer[f"recall_{k}"]], abs=1e-12)


def test_a_passage_that_only_repeats_brings_nothing_and_one_with_two_spans_brings_both() -> None:
    gold = [Span("d", 0, 10), Span("d", 50, 60)]
    wide, again, other = Span("d", 0, 100), Span("d", 0, 20), Span("e", 0, 100)
    assert scored("ndcg", gold, [wide, again, other])["@3"] == 1.0, "both in the first place: no better than the ideal"
    assert scored("ndcg", gold, [other, again, Span("d", 0, 30)])["@3"] == pytest.approx((1 / 1.5849625) / (1 + 1 / 1.5849625))
    assert scored("retrieval_precision", gold, [again, again, other])["@3"] == pytest.approx(2 / 3)
    assert scored("mrr", gold, [other, Span("d", 0, 4)])[""] == 0.0, "four of ten characters are not a hit"
    assert scored("mrr", gold, [other, Span("d", 0, 5)])[""] == 0.5


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_measured_says_why(name: str) -> None:
    gold = [Span("d", 0, 10)]
    for why, found in (
        ("no retrieval", scored(name, gold, None)),
        ("no gold evidence", scored(name, [], gold)),
        ("not run: the item's source is excluded from retrieval", scored(name, gold, gold, is_left_out=True)),
    ):
        assert list(found.values()) == [Unscored(why)]


def test_no_passage_is_no_precision_and_a_recall_of_nothing() -> None:
    gold = [Span("d", 0, 10)]
    assert set(scored("retrieval_precision", gold, []).values()) == {Unscored("no passage came")}
    assert scored("evidence_recall", gold, [])["@5"] == scored("ndcg", gold, [])["@5"] == scored("mrr", gold, [])[""] == 0.0
