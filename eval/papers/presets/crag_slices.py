"""crag_slices: mean truthfulness by domain, dynamism, popularity and question type, with intervals: one panel per dimension and
one line per system. A table has the same values, and also accuracy, hallucination and missing."""

from eval.figures.drawing import FigurePanel, PlottedValue, draw_panels
from eval.page import Figure, Page, figure, interval_cells, tabulate
from eval.papers.crag import DIMENSIONS, METRIC, PARTS, TITLES, list_labelled_rows, list_values, read_dimension
from eval.preset import Preset
from eval.reports.report import Report
from eval.reports.results import find_part


def build(report: Report) -> Page:
    labelled = list_labelled_rows(report)
    every = [row for rows in labelled for row in rows]
    panels, records = [], []
    for dimension in DIMENSIONS:
        axis, curves = list_values(every, dimension), []
        for name, rows in zip(report.names, labelled, strict=True):
            values = []
            for value in axis:
                summaries = report.summaries([row for row in rows if read_dimension(row, dimension) == value])
                truth, *parts = (summaries.get(find_part(rows, METRIC, part) or "") for part in ("", *PARTS))
                values.append(PlottedValue.from_interval(truth))
                means = [figure(part.mean if part else None, 1, 100) for part in parts]
                records.append(
                    {
                        "by": TITLES[dimension],
                        "value": value,
                        "system": name,
                        "n": truth.n if truth else 0,
                        **interval_cells("truthfulness", truth, 1, 100),
                        **dict(zip(PARTS, means, strict=True)),
                    }
                )
            curves.append((name, values))
        if axis:
            panels.append(FigurePanel(f"{TITLES[dimension]}: truthfulness", axis, curves))
    title = "CRAG: slices"
    note = "Upright lines are 95 % bootstrap intervals; a slice with fewer than two questions has none."
    drawing = Figure(title, draw_panels(panels, bottom=-1.0), [note])
    return Page(title, [tabulate("Values in percent", records)], [drawing], report.notes)


PRESET = Preset(label="CRAG: slices by domain, dynamism, popularity and type", build=build)
