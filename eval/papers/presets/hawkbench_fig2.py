"""hawkbench_fig2: a panel per level, domains on the axis, a line per system, each value with its interval; the same figures
as a table for formats that draw nothing. F1 at levels 1 and 2, S-F1 at 3 and 4, from 0 to 1."""

from eval.figures.drawing import FigurePanel, PlottedValue, draw_panels
from eval.page import Cell, Figure, Page, Table, figure, words
from eval.papers.hawkbench import ANSWER, LABELS, find_scored_metric, list_domains, list_levels, order_by_family, select_level
from eval.preset import Preset
from eval.reports.layout import list_notes, name_results
from eval.reports.report import Report


def build(report: Report) -> Page:
    domains, names = list_domains(report), name_results(report.results)
    drawn, rows = [], []
    for level in list_levels(report):
        metric = find_scored_metric(report, ANSWER[level], level)
        if metric is None:
            continue
        lines = []
        for i in order_by_family(report):
            places = [_place(report, i, level, domain, metric) for domain in domains]
            lines.append((names[i], places))
            for domain, place in zip(domains, places, strict=True):
                ends: list[Cell] = [figure(place.value), figure(place.low), figure(place.high)]
                rows.append([words(level), words(LABELS[metric]), words(names[i]), words(domain), *ends])
        drawn.append(FigurePanel(f"Level {level}: {LABELS[metric]}", domains, lines))
    title = "HawkBench: systems over domains, by level"
    heads = ["level", "figure", "system", "domain", "mean", "low", "high"]
    note = "Upright lines are 95 % bootstrap intervals; a domain with fewer than two items has none."
    drawings = [Figure(title, draw_panels(drawn), [note])] if drawn else []
    return Page(title, [Table("The figures", heads, rows)], figures=drawings, notes=list_notes(report))


def _place(report: Report, run: int, level: object, domain: str, metric: str) -> PlottedValue:
    rows = [row for row in select_level(report.rows[run], level) if row.domain == domain]
    summary = report.summaries(rows).get(metric)
    return PlottedValue(summary.mean, summary.low, summary.high) if summary else PlottedValue(None)


PRESET = Preset(label="HawkBench figure 2: systems over domains, by level", build=build)
