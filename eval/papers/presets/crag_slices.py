"""crag_slices: truthfulness by domain, dynamism, popularity and question type, a panel each, a line per system, each value with
its interval; the same figures with accuracy, hallucination and missing as a table."""

from eval.figures.drawing import FigurePanel, PlottedValue, draw_panels
from eval.page import Cell, Figure, Page, Table, count, figure, words
from eval.papers.crag import DIMENSIONS, TITLES, find_part, list_labelled_rows, list_values, read_dimension
from eval.preset import Preset
from eval.reports.layout import list_notes, name_results
from eval.reports.report import Report


def build(report: Report) -> Page:
    found, names = list_labelled_rows(report), name_results(report.results)
    every = [row for rows in found for row in rows]
    drawn, lines = [], []
    for dimension in DIMENSIONS:
        axis, curves = list_values(every, dimension), []
        for name, rows in zip(names, found, strict=True):
            metric, places = find_part(rows), []
            for value in axis:
                own = [row for row in rows if read_dimension(row, dimension) == value]
                summaries = report.summaries(own)
                summary = summaries.get(metric or "")
                places.append(PlottedValue(summary.mean, summary.low, summary.high) if summary else PlottedValue(None))
                parts = [summaries.get(find_part(rows, part) or "") for part in ("accuracy", "hallucination", "missing")]
                ends: list[Cell] = [figure(end, 1, 100) for end in (places[-1].value, places[-1].low, places[-1].high)]
                lines.append(
                    [
                        words(TITLES[dimension]),
                        words(value),
                        words(name),
                        count(summary.n if summary else 0),
                        *ends,
                        *(figure(part.mean if part else None, 1, 100) for part in parts),
                    ]
                )
            curves.append((name, places))
        if axis:
            drawn.append(FigurePanel(f"{TITLES[dimension]}: truthfulness", axis, curves))
    title = "CRAG: slices"
    heads = ["by", "value", "system", "n", "truthfulness", "low", "high", "accuracy", "hallucination", "missing"]
    note = "Upright lines are 95 % bootstrap intervals; a slice with fewer than two questions has none."
    table = Table("The figures, in percent", heads, lines)
    return Page(title, [table], [Figure(title, draw_panels(drawn, bottom=-1.0), [note])], list_notes(report))


PRESET = Preset(label="CRAG: slices by domain, dynamism, popularity and type", build=build)
