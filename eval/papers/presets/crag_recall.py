"""crag_recall: how many pages of a search it takes to answer, over the first 1, 5, 10, 20 and 50: all questions, those of the
web and those of tables (page_recall: the gold's URL first, then a judge). Runs on the same questions have the same curve, so
the first run that was scored by it is drawn."""

from core.errors import BenchError
from eval.figures.drawing import FigurePanel, PlottedValue, draw_panels
from eval.metrics.page_recall import CUT_OFFS
from eval.page import Figure, Page, Table, count, figure, words
from eval.papers.crag import WEB, find_part, list_labelled_rows, read_dimension
from eval.preset import Preset
from eval.reports.layout import list_notes, name_results
from eval.reports.report import Report


def build(report: Report) -> Page:
    found = list_labelled_rows(report)
    number = next((n for n, rows in enumerate(found) if find_part(rows, f"@{CUT_OFFS[0]}", "page_recall")), None)
    if number is None:
        raise BenchError("None of these runs was scored by page_recall: run it with --metrics page_recall and a judge.")
    rows = found[number]
    groups = {
        "all questions": rows,
        "web": [row for row in rows if read_dimension(row, "popularity") == WEB],
        "tables": [row for row in rows if read_dimension(row, "popularity") != WEB],
    }
    curves, lines = [], []
    for group, own in groups.items():
        summaries, places = report.summaries(own), []
        for k in CUT_OFFS:
            summary = summaries.get(find_part(rows, f"@{k}", "page_recall") or "")
            places.append(PlottedValue(summary.mean, summary.low, summary.high) if summary else PlottedValue(None))
            ends = (figure(end, 1, 100) for end in (places[-1].value, places[-1].low, places[-1].high))
            lines.append([words(group), count(k), count(summary.n if summary else 0), *ends])
        if own:
            curves.append((f"{group} ({len(own)})", places))
    title = "CRAG: recall of the search over pages"
    note = (
        f"Of {name_results(report.results)[number]}. A hit: the gold's URL is among the first pages, or a judge finds the gold "
        "on one of them."
    )
    panel = FigurePanel("Share of questions that the first k pages answer", [str(k) for k in CUT_OFFS], curves)
    drawing = Figure(title, draw_panels([panel], across=1), [note])
    table = Table("The figures, in percent", ["questions", "pages", "n", "recall", "low", "high"], lines)
    return Page(title, [table], [drawing], list_notes(report))


PRESET = Preset(label="CRAG: recall of the search over pages", build=build)
