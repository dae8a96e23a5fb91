"""How often few items decide otherwise than all, with cases in which the claim must fail."""

import numpy as np
import pytest

from core.nouns import Item
from eval.tiny.agreement import RandomResult, TinyReport, decide_pairs, lay_out_scores, measure_agreement, measure_trials
from eval.tiny.choosing import choose_items
from eval.tiny.layout import build_page, encode_report, judge_choice
from tests.eval.tiny.worlds import make_items, make_scores

FAST = {"seed": 13, "samples": 6, "resamples": 500}


def table_of(columns: dict[str, str]) -> tuple[list[Item], dict[tuple[str, str], float]]:
    """Items and scores from a text of 0, 1 and - (missing) for each system."""
    items = make_items(len(next(iter(columns.values()))))
    scores = {
        (system, item.id): float(value)
        for system, values in columns.items()
        for item, value in zip(items, values, strict=True)
        if value != "-"
    }
    return items, scores


def test_decisions_are_counted_by_hand() -> None:
    # On all 40 items a beats b (30 : 0) and c (30 : 10), and c beats b (10 : 0); on the first 10, c beats both (10 : 0).
    a, b = "0" * 10 + "1" * 30, "0" * 40
    c = "1" * 10 + "0" * 30
    items, scores = table_of({"a": a, "b": b, "c": c})
    table = lay_out_scores(items, scores)
    whole = decide_pairs(table, range(40), 500)
    assert whole == {(0, 1): 1, (0, 2): 1, (1, 2): -1}
    first = {item.id: 4 for item in items[:10]}
    found = measure_trials(table, [({"a"}, first)], whole, 500)
    assert [(pair.held_out, pair.other, pair.outcome, pair.is_order_kept) for pair in found.pairs] == [
        ("a", "b", "missed", False),
        ("a", "c", "opposite", False),
    ]
    assert (found.differs.mean, found.wrong.mean, found.missed.mean, found.order.mean) == (1.0, 1.0, 0.5, 0.0)
    assert [(one.system, one.whole, one.n_whole, one.estimate, one.n) for one in found.errors] == [("a", 0.75, 40, 0.0, 10)]


def test_estimates_are_weighted_and_missing_scores_leave_their_weight_out() -> None:
    items, scores = table_of({"a": "11-0", "b": "0000"})
    found = measure_trials(
        lay_out_scores(items, scores), [({"a"}, {items[0].id: 3, items[2].id: 5, items[3].id: 1})], {(0, 1): 0}, 500
    )
    [error] = found.errors
    assert (error.estimate, error.n, error.n_whole) == (0.75, 2, 3)
    assert error.whole == pytest.approx(2 / 3)


def test_of_five_systems_four_choose_as_the_five_do() -> None:
    items, scores = make_items(200), make_scores(np.linspace(-2, 2, 5), 200, 8)
    report = measure_agreement(items, scores, 40, **FAST)
    table = lay_out_scores(items, scores)
    whole = decide_pairs(table, range(200), 500)
    trials = []
    for name in table.systems:
        seen = {key: value for key, value in scores.items() if key[0] != name}
        choice = choose_items(items, seen, 40, 4)
        assert choice.method == "irt"
        trials.append(({name}, choice.weights))
    assert report.chosen is not None
    assert sorted(report.chosen.errors) == sorted(measure_trials(table, trials, whole, 500).errors)


def test_fewer_than_three_systems_are_no_zero() -> None:
    report = measure_agreement(make_items(100), make_scores([0.0, 1.0], 100, 1), 40, **FAST)
    assert report.chosen is None and report.random == {}
    assert judge_choice(report) == "How often decisions are wrong is unknown: 2 systems have scores, and 3 are needed."
    assert encode_report(report)["held_out"] is None


def test_equal_systems_are_never_decided() -> None:
    items = make_items(120)
    scores = {(f"s{j}", item.id): float(n % 3 == 0) for j in range(6) for n, item in enumerate(items)}
    report = measure_agreement(items, scores, 40, **FAST)
    assert report.chosen is not None
    assert set(report.chosen.counts) == {"neither"} and report.chosen.counts["neither"] == 30
    assert (report.chosen.wrong.mean, report.chosen.wrong.n, report.chosen.order.mean) == (None, 0, None)
    assert report.chosen.differs.mean == 0.0 and report.chosen.differs.low == 0.0
    assert report.chosen.differs.high == pytest.approx(0.3903, abs=1e-4)  # Wilson, 0 of 6 systems


def test_specialists_make_the_tiny_release_miss_what_the_whole_decides() -> None:
    """Systems that differ on a twentieth of the items alone: 40 items hold about two of these."""
    items = make_items(400)
    chance = np.random.default_rng(5)
    base = chance.random(400) < 0.6
    scores = {}
    for j in range(8):
        special = chance.random(400) < (j + 1) / 9
        for n, item in enumerate(items):
            scores[f"s{j}", item.id] = float(special[n] if n % 20 == 0 else base[n])
    plain = measure_agreement(items, make_scores(np.linspace(-2, 2, 8), 400, 5), 40, **FAST).chosen
    narrow = measure_agreement(items, scores, 40, **FAST).chosen
    assert plain is not None and narrow is not None
    assert narrow.missed.mean is not None and plain.missed.mean is not None
    assert narrow.missed.mean > 0.9 > plain.missed.mean


def test_a_random_sample_that_is_as_good_is_said_to_be() -> None:
    """Scores that depend on nothing about the items: no choice can be better than chance."""
    chance = np.random.default_rng(2)
    items = make_items(300)
    scores = {(f"s{j}", item.id): float(chance.random() < 0.5) for j in range(6) for item in items}
    report = measure_agreement(items, scores, 40, **FAST)
    assert report.random["differs"].n == 6 and report.random["differs"].as_good >= 3
    assert judge_choice(report).startswith("Decisions: a random sample is as good (")


def test_a_gain_is_claimed_only_if_hardly_any_sample_is_as_good() -> None:
    one = RandomResult(0.1, 0.0, 0.2, 30, 1)
    report = TinyReport(None, {"differs": one._replace(as_good=2), "error": one}, "")
    assert judge_choice(report) == (
        "Decisions: no clear gain over random samples (2 of 30 random samples of the same size differ from the whole no more "
        "often). Estimated scores: the chosen items are better than random ones (1 of 30 are at least as close)."
    )


def test_the_page_has_the_counts_the_measures_and_the_scores() -> None:
    items, scores = make_items(200), make_scores(np.linspace(-2, 2, 6), 200, 3)
    report = measure_agreement(items, scores, 40, **FAST)
    record = {
        "of": {"name": "v1", "hash": "b2:x", "items": 210},
        "metric": "exact_match",
        "method": "irt",
        "why": "",
        "by": ["level"],
        "strata": [{"values": ["1"], "items": 200, "chosen": 40}],
        "unscored": 10,
        "systems": [{"run": f"s{j:02}", "name": f"System {j}"} for j in range(6)],
        "weights": {item.id: 5 for item in items[:40]},
    }
    page = build_page(record, report, {"s00": "System 0"}, report.chosen)
    pairs, measures, systems, strata = page.tables
    assert [row[1].value for row in pairs.rows] == [30, 30]
    assert len(measures.rows) == 5 and len(systems.rows) == 6 and len(strata.rows) == 1
    assert "10 items without a score by exact_match could not be chosen." in page.notes
    assert page.data["held_out"]["pairs"] == 30 and page.data["fresh"]["pairs"] == 30
