"""Comparisons of a report: exact tests on binary metrics, ranks, what could be seen, failing apart, alarms; and where answers
are lost."""

from dataclasses import replace

import pytest

from core.nouns import Span
from core.statistics.statistics import mcnemar
from eval.reports.attribution import attribute_answers
from eval.reports.layout import build_page
from eval.reports.report import build_report
from eval.reports.results import RunResult, build_rows
from tests.eval.runs import item, result

MANY = [item(f"i{n:02}") for n in range(40)]


def test_a_binary_metric_is_tested_exactly_and_told_in_odds() -> None:
    good = result("good", MANY, {"exact_match": [1.0] * 30 + [0.0] * 10})
    bad = result("bad", MANY, {"exact_match": [1.0] * 22 + [0.0] * 16 + [1.0] * 2})
    (one,) = build_report([good, bad]).data["comparisons"]
    assert (one["test"], one["wins"], one["losses"], one["ties"]) == ("mcnemar", 8, 2, 30)
    assert one["p"] == one["mcnemar"] == mcnemar(8, 2) and one["odds"] == pytest.approx(8.5 / 2.5)


def test_a_metric_whose_main_value_is_a_part_is_compared_by_that_part_alone() -> None:
    def run(name: str, by: float) -> RunResult:
        parts = ("vital_strict", "vital", "all", "unread")
        return result(name, MANY, {f"nuggets.offline.{part}": [by] * 20 + [0.5] * 20 for part in parts})

    made = build_report([run("good", 1.0), run("bad", 0.0)])
    assert [one["metric"] for one in made.data["comparisons"]] == ["nuggets.offline.vital_strict"]
    assert {one["run"]: one["rank"] for one in made.data["ranks"]} == {"good": 1, "bad": 2}


def test_questions_of_one_document_are_drawn_together_unless_items_are_asked_for() -> None:
    span = [Span(f"d{n // 8}", 0, 5) for n in range(40)]
    items = [item(f"i{n:02}", evidence=(span[n],)) for n in range(40)]
    runs = [result("a", items, {"exact_match": [1.0] * 16 + [0.0] * 24}), result("b", items, {"exact_match": [0.0] * 40})]
    made, alone = build_report(runs), build_report(runs, cluster="item")
    (together,), (apart,) = made.data["comparisons"], alone.data["comparisons"]
    assert made.data["clusters"] == {"by": "item and document", "n": 5, "largest": 8} and alone.data["clusters"]["n"] == 40
    assert together["high"] - together["low"] > 1.5 * (apart["high"] - apart["low"])
    assert (together["test"], together["p"]) == ("permutation", 0.5) and together["mcnemar"] == apart["p"] < 0.001
    assert any("5 clusters by item and document" in note for note in build_page(made).notes)


def test_ranks_are_on_shared_questions_and_overlap_where_nothing_tells_runs_apart() -> None:
    clear = result("clear", MANY, {"token_f1": [0.9, 1.0] * 20}, failed=["i00"])
    even = [result(name, MANY, {"token_f1": scores}) for name, scores in (("x", [0.2, 0.3] * 20), ("y", [0.3, 0.21] * 20))]
    found = {one["run"]: one for one in build_report([*even, clear]).data["ranks"]}
    places = [(found[run]["rank"], found[run]["low"], found[run]["high"]) for run in ("clear", "y", "x")]
    assert places == [(1, 1, 1), (2, 2, 3), (3, 2, 3)]
    assert found["clear"]["n"] == 39


def test_the_summary_says_how_many_hold_and_what_could_be_seen() -> None:
    runs = [
        result("a", MANY, {"token_f1": [0.9, 1.0] * 20}),
        result("b", MANY, {"token_f1": [0.1, 0.3] * 20}),
        result("c", MANY, {"token_f1": [0.3, 0.1] * 20}),
    ]
    data = build_report(runs).data
    assert (
        data["summary"] == "2 of 3 differences hold at p < .05 after Holm's correction; the other differences are not decided."
    )
    one = data["comparisons"][0]
    assert data["detectable"]["token_f1"]["n"] == 40 and 0 < one["detectable"] < 0.05 and one["effect"] > 2


def test_no_question_and_one_are_undefined_with_a_reason() -> None:
    two = [result(name, MANY[:1], {"token_f1": [value]}) for name, value in (("a", 1.0), ("b", 0.0))]
    data = build_report(two).data
    (one,) = data["comparisons"]
    assert (one["difference"], one["low"], one["p"], one["p_corrected"], one["effect"]) == (1.0, None, None, None, None)
    assert one["why"] == "one cluster: no interval" and data["ranks"][0]["why"].startswith("undefined, because")
    assert data["detectable"]["token_f1"]["why"].startswith("undefined, because")
    assert build_report([result("a", [], {}), result("b", [], {})]).data["summary"].startswith("Nothing is compared")


def test_systems_that_fail_at_different_rates_are_flagged() -> None:
    late = [f"i{n:02}" for n in range(12)]
    failing = result("failing", MANY, {"token_f1": [0.5, 0.6] * 20}, failed=late)
    whole = result("whole", MANY, {"token_f1": [0.5, 0.6] * 20}, failed=late[:1], system="echo")
    made = build_report([failing, whole])
    (one,) = made.data["failure_rates"]
    assert (one["failed_a"], one["failed_b"], one["n"], one["p"]) == (12, 1, 40, mcnemar(11, 0))
    assert any("compare the bounds instead" in note for note in build_page(made).notes)
    assert build_report([whole, whole]).data["failure_rates"] == []


def test_scores_of_one_metric_by_different_versions_are_a_doubt() -> None:
    names = ("nuggets.vital", "nuggets.all")
    old, new = (result(name, MANY, dict.fromkeys(names, [0.5, 0.6] * 20), failed=["i39"]) for name in ("old", "new"))
    edited = {"i00", "i01", "i39"}
    scores = [replace(one, version="1 with set 0002") if one.item in edited else one for one in new.scores]
    made = build_report([old, replace(new, scores=scores)])
    assert made.data["versions"] == [{"metric": "nuggets", "n": 39, "differ": 2}]
    assert any("nuggets scored 2 of the 39 questions that the runs share" in note for note in build_page(made).notes)
    assert build_report([old, new]).data["versions"] == [] == build_report([replace(new, scores=scores)]).data["versions"]


def test_the_same_passages_for_every_question_and_equal_scores_raise_an_alarm() -> None:
    made = build_report([result("r", MANY, {"token_f1": [0.0] * 40}, same_passages=40)])
    assert [one["alarm"] for one in made.data["alarms"]] == ["same passages", "all equal"]
    assert build_page(made).notes[0].startswith("Alarm, ")
    assert build_report([result("r", MANY, {"token_f1": [0.0, 1.0] * 20})]).data["alarms"] == []


def test_each_answer_is_lost_in_one_place() -> None:
    items = [item(name, level=level) for name, level in zip("abcdefg", (1, 1, 1, 2, 2, 2, 2), strict=True)]
    base = result(
        "r",
        items,
        {
            "token_f1": [1.0, 0.6, 0.2, 0.4, 0.0, 0.0, 0.0],
            "evidence_recall@1": [1.0, 0, 0, 0, 0, 0, 0],
            "evidence_recall@5": [1.0, 1.0, 0.5, 1.0, 1.0, 1.0, 1.0],
        },
        failed=["f"],
    )
    oracle = result("o", items, {"token_f1": [1.0, 1.0, 1.0, 1.0, 0.2, 1.0, None]})
    closed = result("c", items, {"token_f1": [0.0, 0.9, 0.0, 0.0, 0.0, 0.0, 0.0]})
    found = attribute_answers(build_rows(base), build_rows(oracle), build_rows(closed), "token_f1")
    assert [found.of[name, None] for name in "abcdefg"] == [
        "right with evidence",
        "right without evidence",
        "retrieval miss",
        "evidence ignored",
        "wrong despite evidence",
        "failed",
        "not known",
    ]
    assert found.by_level[0] == (1, {"right with evidence": 1, "right without evidence": 1, "retrieval miss": 1})
    strict = attribute_answers(build_rows(base), build_rows(oracle), build_rows(closed), "token_f1", threshold=0.95)
    assert strict.of["b", None] == "evidence ignored" and sum(strict.counts.values()) == found.n == 7
