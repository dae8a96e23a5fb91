"""crud_rag_table9: recommendations: for each task and factor the best value by ROUGE-L, what it gains over the base on the same
questions, and what it takes; "not separable" where the paired interval leaves the gain undecided. ROUGE-L decides because the
paper's bleu can be won by echoing the question."""

from collections.abc import Sequence
from typing import Any

from core.errors import BenchError
from eval.page import DASH, Cell, Page, Table, count, figure, words
from eval.papers.crud_rag import (
    FACTORS,
    NOT_RUN,
    FactorSetting,
    SweepLayout,
    describe_base,
    find_metric_name,
    lay_out_settings,
    list_tasks,
    name_task,
)
from eval.preset import Preset
from eval.reports.layout import list_notes
from eval.reports.report import Report
from eval.reports.results import ResultRow

METRIC = "rouge_l_crud"
HEADS = (
    "task",
    "factor",
    "tried",
    "base",
    "best",
    "gain in rouge-L",
    "95 % interval",
    "n",
    "recommended",
    "seconds",
    "base seconds",
    "tokens",
    "base tokens",
)


def build(report: Report) -> Page:
    found = lay_out_settings(report)
    around = {factor: found.vary_factor(factor.name) for factor in FACTORS}
    if all(len(settings) < 2 for settings in around.values()):
        raise BenchError(
            "These runs vary nothing one factor at a time, so nothing can be recommended: choose the runs of a sweep."
        )
    lines = [
        _line(report, found, task, factor.label, settings, factor.name)
        for task in list_tasks(found.rows[found.base])
        for factor, settings in around.items()
    ]
    title = "CRUD-RAG: recommendations"
    notes = [
        "Best is the highest mean rouge-L. The gain is over the base on the questions that both answered, in hundredths; the "
        "best of several is favoured by chance, so a gain wants another run before it is trusted.",
        "Seconds and tokens are means per answered question.",
        *describe_base(found),
    ]
    return Page(title, [Table(title, HEADS, lines, notes)], notes=list_notes(report))


def _line(
    report: Report, found: SweepLayout, task: str, label: str, settings: dict[Any, FactorSetting], factor: str
) -> list[Cell]:
    base = getattr(found.base, factor)
    head = [words(name_task(task)), words(label)]
    rows = {value: [row for row in found.rows[setting] if row.task == task] for value, setting in settings.items()}
    means = {value: mean for value, own in rows.items() if (mean := _mean(report, own, METRIC)) is not None}
    if len(means) < 2 or base not in means:
        return [*head, count(len(means)), words(_format_value(base)), words(NOT_RUN), *(words(DASH) for _ in HEADS[5:])]
    best = max(means, key=lambda value: (means[value], value == base))
    costs = [
        figure(_mean(report, rows[value], name), digits)
        for name, digits in (("seconds", 2), ("tokens", 0))
        for value in (best, base)
    ]
    name = find_metric_name(rows[base], METRIC, "") or METRIC
    made = (
        None
        if best == base
        else report.compare_runs(
            found.first[settings[best]],
            found.first[found.base],
            name,
            rows[best],
            rows[base],
        )
    )
    if made is None:
        gain = [Cell(DASH), words(DASH), count(len(rows[base])), words("the base")]
    else:
        is_apart = made["low"] is not None and made["low"] > 0
        interval = DASH if made["low"] is None else f"[{made['low'] * 100:+.2f}, {made['high'] * 100:+.2f}]"
        gain = [
            Cell(f"{made['difference'] * 100:+.2f}", made["difference"] * 100),
            words(interval),
            count(made["n"]),
            words(_format_value(best) if is_apart else "not separable"),
        ]
    return [*head, count(len(means)), words(_format_value(base)), words(_format_value(best)), *gain, *costs]


def _mean(report: Report, rows: Sequence[ResultRow], metric: str) -> float | None:
    name = find_metric_name(rows, metric, "")
    summary = report.summaries(rows).get(name) if name else None
    return summary.mean if summary else None


def _format_value(value: Any) -> str:
    return "none" if value is None else str(value)


PRESET = Preset(label="CRUD-RAG table 9: recommendations", build=build)
