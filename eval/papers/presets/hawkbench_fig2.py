"""hawkbench_fig2: a panel per level, domains on the axis, a line per system, each value with its interval; the same figures
as a table for formats that draw nothing. F1 at levels 1 and 2, S-F1 at 3 and 4, from 0 to 1."""

from eval.figures.drawing import FigurePanel, PlottedValue, panels
from eval.page import Cell, Figure, Page, Table, figure, words
from eval.papers.hawkbench import ANSWER, LABELS, at_level, domains_of, find_scored_metric, in_families, levels_of
from eval.preset import Preset
from eval.reports.layout import names_of, notes_of
from eval.reports.report import Report


def build(report: Report) -> Page:
    domains, names = domains_of(report), names_of(report.results)
    drawn, rows = [], []
    for level in levels_of(report):
        metric = find_scored_metric(report, ANSWER[level], level)
        if metric is None:
            continue
        lines = []
        for i in in_families(report):
            places = [_place(report, i, level, domain, metric) for domain in domains]
            lines.append((names[i], places))
            for domain, place in zip(domains, places, strict=True):
                ends: list[Cell] = [figure(place.value), figure(place.low), figure(place.high)]
                rows.append([words(level), words(LABELS[metric]), words(names[i]), words(domain), *ends])
        drawn.append(FigurePanel(f"Level {level}: {LABELS[metric]}", domains, lines))
    title = "HawkBench: systems over domains, by level"
    heads = ["level", "figure", "system", "domain", "mean", "low", "high"]
    note = "Upright lines are 95 % bootstrap intervals; a domain with fewer than two items has none."
    drawings = [Figure(title, panels(drawn), [note])] if drawn else []
    return Page(title, [Table("The figures", heads, rows)], figures=drawings, notes=notes_of(report))


def _place(report: Report, run: int, level: object, domain: str, metric: str) -> PlottedValue:
    rows = [row for row in at_level(report.rows[run], level) if row.domain == domain]
    summary = report.summaries(rows).get(metric)
    return PlottedValue(summary.mean, summary.low, summary.high) if summary else PlottedValue(None)


PRESET = Preset(label="HawkBench figure 2: systems over domains, by level", build=build)
