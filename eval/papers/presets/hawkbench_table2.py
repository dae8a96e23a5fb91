"""hawkbench_table2: systems by level, grouped by family, in hundredths: F1 at levels 1 and 2, S-F1 at 3 and 4, Rouge-L
beside each. A level is the mean of its domains' means; the average is over all domain x level cells of the level's own
figure."""

from typing import Any

import numpy as np

from eval.page import Page, Table, words
from eval.papers.hawkbench import (
    ANSWER,
    LABELS,
    ROUGE,
    average_level,
    find_family,
    find_scored_metric,
    list_levels,
    order_by_family,
    select_level,
    to_hundredths,
)
from eval.preset import Preset
from eval.reports.layout import list_notes, mark_best, name_results
from eval.reports.report import Report, average_cells


def build(report: Report) -> Page:
    levels, names, order = list_levels(report), name_results(report.results), order_by_family(report)
    heads, columns = [], []
    for level in levels:
        here = [select_level(rows, level) for rows in report.rows]
        for metric in (find_scored_metric(report, ANSWER[level], level), find_scored_metric(report, ROUGE, level)):
            if metric is not None:
                cells = [average_level(report, i, level, metric) for i in range(len(report.rows))]
                heads.append(f"L{level} {LABELS[metric]}")
                columns.append(mark_best(report, metric, cells, here))
    own = [_cells(report, i) for i in range(len(names))]
    every = set().union(*own)
    means = [to_hundredths(float(np.mean(list(cells.values()))) if cells and cells.keys() == every else None) for cells in own]
    rows = [[words(find_family(report, i)), words(names[i]), *(column[i] for column in columns), means[i]] for i in order]
    note = (
        "Hundredths; a level is the mean of its domains' means; Avg. is over all domain x level cells of F1 or S-F1. "
        "Neither stands where a system lacks a cell that another has."
    )
    title = "HawkBench: systems by level"
    return Page(title, [Table(title, ["family", "system", *heads, "Avg."], rows, [note])], notes=list_notes(report))


def _cells(report: Report, run: int) -> dict[tuple[str, Any], float]:
    """(domain, level) -> the mean of the level's own figure."""
    found = {}
    for key, cell in average_cells(report.rows[run]).items():
        metric = find_scored_metric(report, ANSWER.get(key[1], ()), key[1])
        if metric in cell:
            found[key] = cell[metric]
    return found


PRESET = Preset(label="HawkBench table 2: systems by level", build=build)
