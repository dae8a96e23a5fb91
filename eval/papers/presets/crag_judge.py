"""crag_judge: how well judges (language models) agree with human grades on CRAG's classes: precision, recall and F1 of each
class (accurate, incorrect, missing), and their averages. The mark that people agreed on is taken as true; the human grades
perfect and acceptable both count as accurate. Unlike CRAG's table, this table also contains n and kappa."""

from collections.abc import Mapping
from typing import Any

from core.errors import BenchError
from core.quality.grading import FOUR_GRADES
from eval.page import Page, Record, figure, tabulate
from eval.preset import Preset
from eval.reports.report import Report

ORDER = ("accurate", "incorrect", "missing")


def build(report: Report) -> Page:
    records: list[Record] = []
    for name, run in zip(report.names, report.data["runs"], strict=True):
        for check in run["judges"]:
            if check.get("scheme") == FOUR_GRADES and set(check["classes"]) == set(ORDER):
                records += _list_records(name, check)
    if not records:
        raise BenchError(
            "These runs have no human grades to compare their judges with: grade answers with the four grades on the "
            "page Grade, and close the batch."
        )
    note = "In percent of answers. People's marks are taken as true; averages are over the classes that have a value."
    return Page("CRAG: judges against people", [tabulate("Precision, recall and F1 by class", records, [note])])


def _list_records(name: str, check: Mapping[str, Any]) -> list[Record]:
    judge = f"{check['judge']}" + ("" if check["calibrated"] else " (not calibrated)")
    sides: dict[str, list[float | None]] = {
        "precision": [check["classes"][of]["precision"]["value"] for of in ORDER],
        "recall": [check["classes"][of]["recall"]["value"] for of in ORDER],
        "F1": [check["classes"][of]["f1"] for of in ORDER],
    }
    records: list[Record] = [
        {
            "run": name,
            "judge": judge,
            "class": of,
            "people": sum(check["confusion"][of].values()),
            "judge says": sum(row[of] for row in check["confusion"].values()),
            **{side: figure(values[place], 1, 100) for side, values in sides.items()},
            "kappa": "",
        }
        for place, of in enumerate(ORDER)
    ]
    averages = {}
    for side, values in sides.items():
        numbers = [value for value in values if value is not None]
        averages[side] = figure(sum(numbers) / len(numbers) if numbers else None, 1, 100)
    head = {"run": name, "judge": judge, "class": "average", "people": check["n"], "judge says": check["n"]}
    return [*records, {**head, **averages, "kappa": figure(check["kappa"]["value"], 3)}]


PRESET = Preset(label="CRAG: judges against people", build=build)
