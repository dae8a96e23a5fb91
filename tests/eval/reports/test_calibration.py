"""Judges of a run against people's marks: what is held against what, what a report says of it, and CRAG's table of judges."""

import json
from typing import Any

import pytest

from core.errors import BenchError
from eval.preset import presets
from eval.reports.calibration import (
    MIN_HUMAN_MARKS,
    HumanMark,
    JudgedAnswer,
    RunJudge,
    choose_scheme,
    has_claims,
    is_calibrated,
    list_kinds,
)
from eval.reports.layout import build_page
from eval.reports.renderer import renderers
from eval.reports.report import Report, build_report
from eval.reports.results import RunResult
from tests.eval.runs import item, result

PROMPT = "judge/correct.en@b2:1"
ITEMS = [item(str(n)) for n in range(100)]
CRAG = {"perfect": 1.0, "acceptable": 1.0, "missing": 0.0, "incorrect": -1.0}


def judging(base: str, people: int = 0, **more: Any) -> RunJudge:
    return RunJudge(base, "openai:m", {"en": PROMPT}, {PROMPT: people}, **more)


def graded(said: list[float | None], marks: list[str], seen: int = 60, base: str = "crag_truthfulness") -> RunResult:
    """A run whose judge said that, and of whose first answers people came to those marks."""
    found = [HumanMark(str(n), None, "four_grades", mark, len(said) / len(marks)) for n, mark in enumerate(marks)]
    return result("r", ITEMS[: len(said)], {base: said}, judges=[judging(base, seen)], marks=found)


def judges(made: Report) -> list[dict[str, Any]]:
    return list(made.data["runs"][0]["judges"])


def lenient() -> RunResult:
    """A judge that takes one in four wrong answers for right ones; people marked 40 of 100."""
    truth = ["perfect", "incorrect", "acceptable", "incorrect", "missing"] * 20
    said: list[float | None] = [1.0 if n % 8 == 3 else CRAG[mark] for n, mark in enumerate(truth)]
    return graded(said, truth[:40])


def test_crags_judge_is_held_against_three_classes_and_its_mean_is_corrected_on_its_own_scale() -> None:
    [one] = judges(build_report([lenient()]))
    assert (one["scheme"], one["per"], one["n"], one["calibrated"], one["people"]) == ("four_grades", "answer", 40, True, 60)
    assert list(one["confusion"]) == ["accurate", "missing", "incorrect"]
    truth = ["accurate", "incorrect", "accurate", "incorrect", "missing"] * 8
    assert {of: sum(row.values()) for of, row in one["confusion"].items()} == {of: truth.count(of) for of in one["confusion"]}
    assert one["confusion"]["missing"]["accurate"] + one["confusion"]["incorrect"]["accurate"] == 3
    assert one["raw"]["value"] > one["corrected"]["value"] and one["corrected"]["low"] <= 0.0 <= one["corrected"]["high"]
    assert one["raw"]["n"] == one["corrected"]["of"] == 100 and one["rogan_gladen"] is None


def test_marks_of_right_and_wrong_are_held_against_halves_of_s_f1() -> None:
    said: list[float | None] = [0.9, 0.6, 0.4, 0.1] * 25
    marks = [HumanMark(str(n), None, "right_wrong", "right" if n % 4 < 1 else "wrong", 2.0) for n in range(48)]
    made = build_report([result("r", ITEMS, {"s_f1": said}, judges=[judging("s_f1", 48)], marks=marks)])
    [one] = judges(made)
    assert one["confusion"] == {"right": {"right": 12, "wrong": 0}, "wrong": {"right": 12, "wrong": 24}}
    assert one["rogan_gladen"]["value"] == pytest.approx(0.25) and one["raw"]["value"] == pytest.approx(0.5)
    assert one["corrected"]["value"] == pytest.approx(0.25) and not one["calibrated"]


def test_claims_are_held_against_marks_on_claims_and_faithfulness_against_nothing_else() -> None:
    claims = [JudgedAnswer(str(n), None, "en", float(n % 3 > 0), k) for n in range(30) for k in range(2)]
    marks = [
        HumanMark(str(n), None, "right_wrong", "right" if n % 3 > 0 else "wrong", 2.0, "faithfulness", 1) for n in range(30)
    ]
    whole = [HumanMark(str(n), None, "four_grades", "perfect", 1.0) for n in range(30)]
    own = judging("faithfulness", 60, claims=claims)
    [one] = judges(build_report([result("r", ITEMS[:30], {"faithfulness": [0.5] * 30}, judges=[own], marks=[*marks, *whole])]))
    assert (one["per"], one["n"], one["kappa"]["value"], one["raw"]["n"]) == ("claim", 30, 1.0, 60)
    assert list_kinds(own, whole) == [] and has_claims("s_f1.offline") and not has_claims("crag_truthfulness")


def test_a_judge_of_nuggets_is_held_against_three_marks_per_nugget() -> None:
    """Ten nuggets each of support, partial and no support; the judge calls two partial ones support, and misses one support."""
    marks_of = {"support": 1.0, "partial support": 0.5, "no support": 0.0}
    people = [name for name in marks_of for _ in range(10)]
    said = [marks_of[name] for name in people]
    said[10] = said[11] = 1.0
    said[0] = 0.0
    claims = [JudgedAnswer(str(n), None, "en", value, 3, f"nugget {n}") for n, value in enumerate(said)]
    marks = [HumanMark(str(n), None, "nugget_support", name, 1.0, "nuggets", 0, f"nugget {n}") for n, name in enumerate(people)]
    old = [HumanMark("0", None, "nugget_support", "support", 1.0, "nuggets", 3, "a nugget that was taken out")]
    own = judging("nuggets", 60, claims=claims)
    made = build_report([result("r", ITEMS[:30], {"nuggets.all": said}, judges=[own], marks=[*marks, *old])])
    [one] = judges(made)
    assert (one["per"], one["scheme"], one["n"]) == ("nugget", "nugget_support", 30)
    assert one["confusion"] == {
        "support": {"support": 9, "partial support": 0, "no support": 1},
        "partial support": {"support": 2, "partial support": 8, "no support": 0},
        "no support": {"support": 0, "partial support": 0, "no support": 10},
    }
    # 27 of 30 agree; by chance (10 · 11 + 10 · 8 + 10 · 11) / 900 would
    assert one["kappa"]["value"] == pytest.approx((27 / 30 - 1 / 3) / (1 - 1 / 3))
    assert one["tpr"]["value"] == 0.9 and one["tnr"]["value"] == 0.9 and one["rogan_gladen"] is None
    assert one["raw"]["value"] == pytest.approx(sum(said) / 30) and one["corrected"]["value"] == pytest.approx(0.5)
    assert choose_scheme("nuggets.offline.judge2") == "nugget_support" and choose_scheme("s_f1") == "right_wrong"
    assert has_claims("nuggets.offline")


def test_a_judge_that_people_have_not_seen_enough_of_is_marked_wherever_its_figure_stands() -> None:
    said: list[float | None] = [1.0, -1.0] * 10
    made = build_report(
        [graded(said, ["perfect", "incorrect"] * 6, seen=12), result("s", ITEMS[:20], {"token_f1": [0.5] * 20})]
    )
    assert [one["why"] for one in judges(made)] == [f"judge not calibrated: 12 of {MIN_HUMAN_MARKS} human marks"]
    cells = {(run["run"], cell["metric"]): cell for run in made.data["runs"] for cell in run["cells"]}
    assert cells["r", "crag_truthfulness"]["calibrated"] is False and "calibrated" not in cells["s", "token_f1"]
    for name, renderer in renderers().items():
        told = renderer.render(build_page(made)).replace("\\", "")
        assert "not calibrated: 12 of 50" in told or (name == "csv" and ",calibrated," in told and ",False," in told), name
    nobody = build_report([result("r", ITEMS[:20], {"s_f1": said}, judges=[judging("s_f1")])])
    assert judges(nobody)[0]["why"] == "judge not calibrated: no person marked what it judged"
    assert "kappa" not in judges(nobody)[0] and "crag_truthfulness by" not in str(build_page(nobody).notes)


def test_a_mean_of_judges_is_calibrated_when_all_of_them_are() -> None:
    both = [judging("s_f1.judge1", 60), judging("s_f1.judge2", 10)]
    assert [is_calibrated(name, both) for name in ("s_f1.judge1", "s_f1", "s_f1.judge2.precision", "token_f1")] == [
        True,
        False,
        False,
        None,
    ]


def test_an_answer_that_the_judge_did_not_score_is_in_no_pair_and_shifts_none() -> None:
    truth = ["perfect", "incorrect"] * 10
    said = [None if n == 0 else CRAG[mark] for n, mark in enumerate(truth)]
    [one] = judges(build_report([graded(said, truth)]))
    assert one["n"] == 19 and one["kappa"]["value"] == 1.0 and one["raw"]["n"] == 19


def test_crags_table_of_judges_has_precision_recall_and_f1_by_class_and_their_averages() -> None:
    page = presets()["crag_judge"].build(build_report([lenient()]))
    rows = {row[2].text: [cell.text for cell in row[3:]] for row in page.tables[0].rows}
    assert rows["accurate"] == ["16", "19", "84.2", "100.0", "91.4", ""] and rows["missing"][2] == "100.0"
    averages = [sum(float(rows[of][side]) for of in ("accurate", "incorrect", "missing")) / 3 for side in (2, 3, 4)]
    assert [float(cell) for cell in rows["average"][2:5]] == pytest.approx(averages, abs=0.1)
    assert "data" not in json.loads(renderers()["json"].render(page)).get("runs", {})
    with pytest.raises(BenchError, match="have no human grades"):
        presets()["crag_judge"].build(build_report([result("r", ITEMS[:3], {"token_f1": [0.5] * 3})]))
