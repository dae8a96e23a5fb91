"""crag_recall: for how many questions one of the first 1, 5, 10, 20 or 50 pages of a search suffices to answer the question
(metric page_recall): over all questions, over questions about web pages, and over questions about tables. Runs on the same
questions have the same curve, so only the first run with this metric is drawn."""

from core.errors import BenchError
from eval.figures.drawing import FigurePanel, PlottedValue, draw_panels
from eval.metrics.page_recall import CUT_OFFS
from eval.page import Figure, Page, interval_cells, tabulate
from eval.papers.crag import WEB, list_labelled_rows, read_dimension
from eval.preset import Preset
from eval.reports.report import Report
from eval.reports.results import find_part


def build(report: Report) -> Page:
    labelled = list_labelled_rows(report)
    number = next((n for n, rows in enumerate(labelled) if find_part(rows, "page_recall", f"@{CUT_OFFS[0]}")), None)
    if number is None:
        raise BenchError("None of these runs was scored by page_recall: make a run with --metrics page_recall and a judge.")
    rows = labelled[number]
    groups = {
        "all questions": rows,
        "web": [row for row in rows if read_dimension(row, "popularity") == WEB],
        "tables": [row for row in rows if read_dimension(row, "popularity") != WEB],
    }
    curves, records = [], []
    for group, own in groups.items():
        summaries, values = report.summaries(own), []
        for k in CUT_OFFS:
            summary = summaries.get(find_part(rows, "page_recall", f"@{k}") or "")
            values.append(PlottedValue.from_interval(summary))
            n = summary.n if summary else 0
            records.append({"questions": group, "pages": k, "n": n, **interval_cells("recall", summary, 1, 100)})
        if own:
            curves.append((f"{group} ({len(own)})", values))
    title = "CRAG: recall of the search over pages"
    note = (
        f"Values of {report.names[number]}. A question counts if one of its first pages has the gold URL, or "
        "if a judge finds the gold answer there."
    )
    panel = FigurePanel("Share of questions that the first k pages answer", [str(k) for k in CUT_OFFS], curves)
    drawing = Figure(title, draw_panels([panel], across=1), [note])
    return Page(title, [tabulate("Values in percent", records)], [drawing], report.notes)


PRESET = Preset(label="CRAG: recall of the search over pages", build=build)
