"""hawkbench_table3: seconds per query by level, building time apart. Service time, without waiting for a free place; a
level is the mean of its domains' means, as everywhere in HawkBench's tables."""

import numpy as np

from eval.page import Page, Table, figure, words
from eval.papers.hawkbench import list_levels, order_by_family
from eval.preset import Preset
from eval.reports.latency import describe_window
from eval.reports.layout import list_notes, name_results
from eval.reports.report import Report, average_cells


def build(report: Report) -> Page:
    levels, names = list_levels(report), name_results(report.results)
    rows = []
    for i in order_by_family(report):
        cells = average_cells([row for row in report.rows[i] if row.level in levels])
        every = [means["seconds"] for means in cells.values() if "seconds" in means]
        by_level = [report.hawkbench(i, level, "seconds") for level in levels]
        average = float(np.mean(every)) if every else None
        built = report.results[i].building or {}
        rows.append(
            [
                words(names[i]),
                figure(report.results[i].build_seconds, 2),
                figure(built.get("calls"), 0),
                figure(built.get("price"), 4),
                *(figure(value, 2) for value in by_level),
                figure(average, 2),
                words(describe_window(report.results[i])),
            ]
        )
    title = "HawkBench: seconds per query by level"
    heads = ["system", "building", "building calls", "building USD", *(f"L{level}" for level in levels), "Avg.", "measured"]
    note = "Service seconds of answered questions, without waiting for a free place. Building: once per corpus, where timed."
    return Page(title, [Table(title, heads, rows, [note])], notes=list_notes(report))


PRESET = Preset(label="HawkBench table 3: seconds per query", build=build)
