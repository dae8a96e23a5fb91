"""hawkbench_fig3: a curve per level over top-k, all else as in the base; under each top-k the most evidence tokens that it can
bring (passages x tokens of a passage), the paper's second axis. F1 at levels 1 and 2, S-F1 at 3 and 4, with intervals."""

from core.errors import BenchError
from eval.figures.drawing import FigurePanel, PlottedValue, draw_panels
from eval.page import Figure, Page, Table, figure, words
from eval.papers.crud_rag import describe_base, lay_out_settings
from eval.papers.hawkbench import ANSWER, LABELS, find_scored_metric, list_levels, select_level
from eval.preset import Preset
from eval.reports.layout import list_notes
from eval.reports.report import Report


def build(report: Report) -> Page:
    levels, found = list_levels(report), lay_out_settings(report)
    settings = dict(sorted(found.vary_factor("top_k").items(), key=lambda one: one[0] or 0))
    if len(settings) < 2:
        raise BenchError("These runs do not vary top-k alone, so there is no curve to draw: choose the runs of a sweep.")
    axis = ["no top-k" if k is None else f"{k} ({k * found.base.chunk:,})" for k in settings]
    lines, rows = [], []
    for level in levels:
        metric = find_scored_metric(report, ANSWER[level], level)
        places = []
        for name, setting in zip(axis, settings.values(), strict=True):
            summary = report.summaries(select_level(list(found.rows[setting]), level)).get(metric or "")
            place = PlottedValue(summary.mean, summary.low, summary.high) if summary else PlottedValue(None)
            places.append(place)
            rows.append(
                [
                    words(level),
                    words(LABELS[metric] if metric else "not run"),
                    words(name),
                    figure(place.value),
                    figure(place.low),
                    figure(place.high),
                ]
            )
        if any(place.value is not None for place in places):
            lines.append((f"Level {level}: {LABELS[metric or '']}", places))
    title = "HawkBench: levels over top-k"
    heads = ["level", "figure", "top-k (tokens)", "mean", "low", "high"]
    note = "Upright lines are 95 % bootstrap intervals; in brackets the most tokens that so many passages can hold."
    drawings = [Figure(title, draw_panels([FigurePanel(title, axis, lines)], across=1), [note])] if lines else []
    return Page(title, [Table("The figures", heads, rows, describe_base(found))], figures=drawings, notes=list_notes(report))


PRESET = Preset(label="HawkBench figure 3: levels over top-k", build=build)
