"""CRAG's table of its judges: precision, recall and F1 of each class (accurate, incorrect, missing) against what people came to
on the same answers, and their averages. People's perfect and acceptable answers are accurate ones. Ours has n beside each, and
kappa."""

from collections.abc import Mapping
from typing import Any

from core.errors import BenchError
from core.quality.grading import FOUR_GRADES
from eval.page import Cell, Page, Table, count, figure, words
from eval.preset import Preset
from eval.reports.layout import name_results
from eval.reports.report import Report

ORDER = ("accurate", "incorrect", "missing")


def build(report: Report) -> Page:
    rows: list[list[Cell]] = []
    for name, run in zip(name_results(report.results), report.data["runs"], strict=True):
        for one in run["judges"]:
            if one.get("scheme") == FOUR_GRADES and set(one["classes"]) == set(ORDER):
                rows += _rows(name, one)
    if not rows:
        raise BenchError(
            "No judge of crag_truthfulness to compare: grade answers of these runs with the four grades on the "
            "page Grade, and close the batch."
        )
    note = "In percent of answers. People's marks are taken for true; averages are over the classes that have a value."
    heads = ["run", "judge", "class", "people", "judge says", "precision", "recall", "F1", "kappa"]
    return Page("CRAG: judges against people", [Table("Precision, recall and F1 by class", heads, rows, [note])])


def _rows(name: str, one: Mapping[str, Any]) -> list[list[Cell]]:
    judge = f"{one['judge']}" + ("" if one["calibrated"] else " (not calibrated)")
    found = []
    for of in ORDER:
        own, said = one["classes"][of], sum(row[of] for row in one["confusion"].values())
        found.append(
            [
                words(name),
                words(judge),
                words(of),
                count(sum(one["confusion"][of].values())),
                count(said),
                *(figure(own[side]["value"], 1, 100) for side in ("precision", "recall")),
                figure(own["f1"], 1, 100),
                words(""),
            ]
        )
    sides = [[one["classes"][of][side]["value"] for of in ORDER] for side in ("precision", "recall")]
    sides.append([one["classes"][of]["f1"] for of in ORDER])
    averages = [figure(_mean(values), 1, 100) for values in sides]
    found.append(
        [
            words(name),
            words(judge),
            words("average"),
            count(one["n"]),
            count(one["n"]),
            *averages,
            figure(one["kappa"]["value"], 3),
        ]
    )
    return found


def _mean(values: list[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return sum(there) / len(there) if there else None


PRESET = Preset(label="CRAG: judges against people", build=build)
