"""hawkbench_fig2: the scores of systems by domain, with one panel per level and one line per system, with intervals: F1 at
levels 1 and 2, S-F1 at levels 3 and 4, from 0 to 1. A table has the same values, for output formats without drawings."""

from eval.figures.drawing import FigurePanel, PlottedValue, draw_panels
from eval.page import Figure, Page, interval_cells, tabulate, words
from eval.papers.hawkbench import ANSWER, LABELS, find_scored_metric, list_domains, list_levels, order_by_family, select_level
from eval.preset import Preset
from eval.reports.report import Report


def build(report: Report) -> Page:
    domains = list_domains(report)
    panels, records = [], []
    for level in list_levels(report):
        metric = find_scored_metric(report, ANSWER[level], level)
        if metric is None:
            continue
        lines = []
        for run in order_by_family(report):
            name, values = report.names[run], []
            for domain in domains:
                rows = [row for row in select_level(report.rows[run], level) if row.domain == domain]
                summary = report.summaries(rows).get(metric)
                values.append(PlottedValue.from_interval(summary))
                head = {"level": words(level), "figure": LABELS[metric], "system": name, "domain": domain}
                records.append({**head, **interval_cells("mean", summary)})
            lines.append((name, values))
        panels.append(FigurePanel(f"Level {level}: {LABELS[metric]}", domains, lines))
    title = "HawkBench: systems over domains, by level"
    note = "Upright lines are 95 % bootstrap intervals; a domain with fewer than two items has none."
    drawings = [Figure(title, draw_panels(panels), [note])] if panels else []
    heads = ["level", "figure", "system", "domain", "mean", "low", "high"]
    return Page(title, [tabulate("The figures", records, columns=heads)], figures=drawings, notes=report.notes)


PRESET = Preset(label="HawkBench figure 2: systems over domains, by level", build=build)
