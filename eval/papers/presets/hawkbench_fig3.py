"""hawkbench_fig3: F1 (levels 1 and 2) and S-F1 (levels 3 and 4) over top-k, one curve per level with intervals, for runs that
differ only in top-k. Each top-k is shown with the maximum number of evidence tokens that it can retrieve (passages x tokens per
passage), which is the paper's second axis."""

from core.errors import BenchError
from eval.figures.drawing import FigurePanel, PlottedValue, draw_panels
from eval.page import Figure, Page, interval_cells, tabulate, words
from eval.papers.crud_rag import describe_base, lay_out_settings
from eval.papers.hawkbench import ANSWER, LABELS, find_scored_metric, list_levels, select_level
from eval.preset import Preset
from eval.reports.report import Report


def build(report: Report) -> Page:
    levels, layout = list_levels(report), lay_out_settings(report)
    settings = dict(sorted(layout.vary_factor("top_k").items(), key=lambda pair: pair[0] or 0))
    if len(settings) < 2:
        raise BenchError("These runs differ in more than top-k, so there is no curve: choose runs that differ only in top-k.")
    axis = ["no top-k" if k is None else f"{k} ({k * layout.base.chunk:,})" for k in settings]
    lines, records = [], []
    for level in levels:
        metric = find_scored_metric(report, ANSWER[level], level)
        values = []
        for name, setting in zip(axis, settings.values(), strict=True):
            summary = report.summaries(select_level(layout.rows[setting], level)).get(metric or "")
            values.append(PlottedValue.from_interval(summary))
            head = {"level": words(level), "figure": LABELS[metric] if metric else "not run", "top-k (tokens)": name}
            records.append({**head, **interval_cells("mean", summary)})
        if any(spot.value is not None for spot in values):
            lines.append((f"Level {level}: {LABELS[metric or '']}", values))
    title = "HawkBench: levels over top-k"
    note = "Upright lines are 95 % bootstrap intervals; in brackets: the maximum number of tokens in so many passages."
    drawings = [Figure(title, draw_panels([FigurePanel(title, axis, lines)], across=1), [note])] if lines else []
    table = tabulate("The figures", records, describe_base(layout))
    return Page(title, [table], figures=drawings, notes=report.notes)


PRESET = Preset(label="HawkBench figure 3: levels over top-k", build=build)
