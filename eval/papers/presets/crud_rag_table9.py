"""crud_rag_table9: recommends a value for each task and factor: the best by ROUGE-L, with its gain over the base setting on the
same questions and its cost; "not separable" if the gain's paired interval contains 0. The recommendation is based on ROUGE-L,
because an answer that echoes the question scores high in the paper's bleu."""

from collections.abc import Mapping
from typing import Any

from core.errors import BenchError
from eval.page import DASH, Cell, Page, Record, figure, tabulate
from eval.papers.crud_rag import (
    FACTORS,
    NOT_RUN,
    FactorSetting,
    SweepLayout,
    describe_base,
    lay_out_settings,
    list_tasks,
    name_task,
)
from eval.preset import Preset
from eval.reports.report import Report
from eval.reports.results import Rows, find_part

METRIC = "rouge_l_crud"
RESULTS = ("best", "gain in rouge-L", "95 % interval", "n", "recommended", "seconds", "base seconds", "tokens", "base tokens")


def build(report: Report) -> Page:
    layout = lay_out_settings(report)
    around = {factor: layout.vary_factor(factor.name) for factor in FACTORS}
    if all(len(settings) < 2 for settings in around.values()):
        raise BenchError(
            "No two of these runs differ in only one factor, so no value can be recommended: choose the runs of a sweep."
        )
    records: list[Record] = [
        {"task": name_task(task), "factor": factor.label, **_recommend(report, layout, task, settings, factor.name)}
        for task in list_tasks(layout.rows[layout.base])
        for factor, settings in around.items()
    ]
    title = "CRUD-RAG: recommendations"
    notes = [
        "Best: the value with the highest mean rouge-L. Gain: difference from the base, over the questions that "
        "both answered, in hundredths. Chance favours the best of several values, so repeat the run before you "
        "trust a gain.",
        "Seconds and tokens are means per answered question.",
        *describe_base(layout),
    ]
    return Page(title, [tabulate(title, records, notes)], notes=report.notes)


def _recommend(report: Report, layout: SweepLayout, task: str, settings: Mapping[Any, FactorSetting], factor: str) -> Record:
    base = getattr(layout.base, factor)
    rows = {value: [row for row in layout.rows[setting] if row.task == task] for value, setting in settings.items()}
    means = {value: mean for value, own in rows.items() if (mean := _average(report, own, METRIC)) is not None}
    tried: Record = {"tried": len(means), "base": _format_value(base)}
    if len(means) < 2 or base not in means:
        return {**tried, **dict.fromkeys(RESULTS, DASH), "best": NOT_RUN}
    best = max(means, key=lambda value: (means[value], value == base))
    gain: Record = {"gain in rouge-L": Cell(DASH), "95 % interval": DASH, "n": len(rows[base]), "recommended": "the base"}
    runs = layout.first[settings[best]], layout.first[layout.base]
    name = find_part(rows[base], METRIC) or METRIC
    if best != base and (pair := report.compare_runs(*runs, name, rows[best], rows[base])):
        difference, low, high = (pair[key] for key in ("difference", "low", "high"))
        gain = {
            "gain in rouge-L": Cell(f"{difference * 100:+.2f}", difference * 100),
            "95 % interval": DASH if low is None else f"[{low * 100:+.2f}, {high * 100:+.2f}]",
            "n": pair["n"],
            "recommended": _format_value(best) if low is not None and low > 0 else "not separable",
        }
    costs = {
        f"{prefix}{cost}": figure(_average(report, rows[value], cost), digits)
        for cost, digits in (("seconds", 2), ("tokens", 0))
        for prefix, value in (("", best), ("base ", base))
    }
    return {**tried, "best": _format_value(best), **gain, **costs}


def _average(report: Report, rows: Rows, metric: str) -> float | None:
    name = find_part(rows, metric)
    summary = report.summaries(rows).get(name) if name else None
    return summary.mean if summary else None


def _format_value(value: Any) -> str:
    return "none" if value is None else str(value)


PRESET = Preset(label="CRUD-RAG table 9: recommendations", build=build)
