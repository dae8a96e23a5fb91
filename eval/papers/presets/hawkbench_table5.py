"""hawkbench_table5: the scores of systems by domain, with one table per level, times 100: F1 at levels 1 and 2, S-F1 at levels
3 and 4."""

from eval.page import Page, Table, words
from eval.papers.hawkbench import (
    ANSWER,
    LABELS,
    average_level,
    find_scored_metric,
    list_domains,
    list_levels,
    order_by_family,
    select_level,
    to_hundredths,
)
from eval.preset import Preset
from eval.reports.layout import mark_best
from eval.reports.report import Report, average_cells


def build(report: Report) -> Page:
    domains, order = list_domains(report), order_by_family(report)
    means = [average_cells(rows) for rows in report.rows]
    tables = []
    for level in list_levels(report):
        metric = find_scored_metric(report, ANSWER[level], level)
        if metric is None:
            continue
        here = [select_level(rows, level) for rows in report.rows]
        columns = []
        for domain in domains:
            cells = [to_hundredths(own.get((domain, level), {}).get(metric)) for own in means]
            columns.append(mark_best(report, metric, cells, [[row for row in rows if row.domain == domain] for rows in here]))
        average = [average_level(report, i, level, metric) for i in range(len(report.rows))]
        columns.append(mark_best(report, metric, average, here))
        rows = [[words(report.names[i]), *(column[i] for column in columns)] for i in order]
        tables.append(Table(f"Level {level}: {LABELS[metric]}", ["system", *domains, "Avg."], rows))
    note = "Hundredths. Avg. is the mean of the domains' means; a dash if a system lacks a domain that another system has."
    return Page("HawkBench: systems by domain and level", tables, notes=[*report.notes, note])


PRESET = Preset(label="HawkBench table 5: systems by domain and level", build=build)
