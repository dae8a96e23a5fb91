"""hawkbench_table2: the scores of systems by level, grouped by family, times 100: F1 at levels 1 and 2, S-F1 at levels 3 and 4,
with ROUGE-L beside each. A level's value is the mean of its domain means; the average is over all (domain, level) cells."""

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
from eval.reports.layout import mark_best
from eval.reports.report import Report, average_cells


def build(report: Report) -> Page:
    heads, columns = [], []
    for level in list_levels(report):
        here = [select_level(rows, level) for rows in report.rows]
        for metric in (find_scored_metric(report, ANSWER[level], level), find_scored_metric(report, ROUGE, level)):
            if metric is not None:
                cells = [average_level(report, i, level, metric) for i in range(len(report.rows))]
                heads.append(f"L{level} {LABELS[metric]}")
                columns.append(mark_best(report, metric, cells, here))
    own = [_average_own_figures(report, i) for i in range(len(report.rows))]
    every = set().union(*own)
    means = [to_hundredths(float(np.mean(list(run.values()))) if run and run.keys() == every else None) for run in own]
    labels = {i: [words(find_family(report, i)), words(report.names[i])] for i in order_by_family(report)}
    rows = [[*names, *(column[i] for column in columns), means[i]] for i, names in labels.items()]
    note = (
        "Values are multiplied by 100. The value of a level is the mean of its domains' means. "
        "The column Avg. is the mean of F1 or S-F1 over all cells of domain and level. "
        "Both are left out if a system lacks a cell that another system has."
    )
    title = "HawkBench: systems by level"
    return Page(title, [Table(title, ["family", "system", *heads, "Avg."], rows, [note])], notes=report.notes)


def _average_own_figures(report: Report, run: int) -> dict[tuple[str, Any], float]:
    means = {}
    for key, cell in average_cells(report.rows[run]).items():
        metric = find_scored_metric(report, ANSWER.get(key[1], ()), key[1])
        if metric in cell:
            means[key] = cell[metric]
    return means


PRESET = Preset(label="HawkBench table 2: systems by level", build=build)
