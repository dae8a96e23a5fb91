"""hawkbench_table5: systems by domain, one table a level, in hundredths: F1 at levels 1 and 2, S-F1 at 3 and 4."""

from eval.page import Page, Table, words
from eval.papers.hawkbench import (
    ANSWER,
    LABELS,
    at_level,
    domains_of,
    find_scored_metric,
    hundredths,
    in_families,
    level_mean,
    levels_of,
)
from eval.preset import Preset
from eval.reports.layout import mark_best, names_of, notes_of
from eval.reports.report import Report, cell_means


def build(report: Report) -> Page:
    domains, names, order = domains_of(report), names_of(report.results), in_families(report)
    means = [cell_means(rows) for rows in report.rows]
    tables = []
    for level in levels_of(report):
        metric = find_scored_metric(report, ANSWER[level], level)
        if metric is None:
            continue
        columns = []
        for domain in domains:
            cells = [hundredths(cells.get((domain, level), {}).get(metric)) for cells in means]
            here = [[row for row in at_level(rows, level) if row.domain == domain] for rows in report.rows]
            columns.append(mark_best(report, metric, cells, here))
        average = [level_mean(report, i, level, metric) for i in range(len(names))]
        columns.append(mark_best(report, metric, average, [at_level(rows, level) for rows in report.rows]))
        rows = [[words(names[i]), *(column[i] for column in columns)] for i in order]
        tables.append(Table(f"Level {level}: {LABELS[metric]}", ["system", *domains, "Avg."], rows))
    note = "Hundredths. Avg. is the mean of the domains' means; none where a system lacks a domain that another has."
    return Page("HawkBench: systems by domain and level", tables, notes=[*notes_of(report), note])


PRESET = Preset(label="HawkBench table 5: systems by domain and level", build=build)
