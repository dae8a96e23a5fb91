"""hawkbench_table5: systems by domain, one table a level, in hundredths: F1 at levels 1 and 2, S-F1 at 3 and 4."""

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
from eval.reports.layout import list_notes, mark_best, name_results
from eval.reports.report import Report, average_cells


def build(report: Report) -> Page:
    domains, names, order = list_domains(report), name_results(report.results), order_by_family(report)
    means = [average_cells(rows) for rows in report.rows]
    tables = []
    for level in list_levels(report):
        metric = find_scored_metric(report, ANSWER[level], level)
        if metric is None:
            continue
        columns = []
        for domain in domains:
            cells = [to_hundredths(cells.get((domain, level), {}).get(metric)) for cells in means]
            here = [[row for row in select_level(rows, level) if row.domain == domain] for rows in report.rows]
            columns.append(mark_best(report, metric, cells, here))
        average = [average_level(report, i, level, metric) for i in range(len(names))]
        columns.append(mark_best(report, metric, average, [select_level(rows, level) for rows in report.rows]))
        rows = [[words(names[i]), *(column[i] for column in columns)] for i in order]
        tables.append(Table(f"Level {level}: {LABELS[metric]}", ["system", *domains, "Avg."], rows))
    note = "Hundredths. Avg. is the mean of the domains' means; none where a system lacks a domain that another has."
    return Page("HawkBench: systems by domain and level", tables, notes=[*list_notes(report), note])


PRESET = Preset(label="HawkBench table 5: systems by domain and level", build=build)
