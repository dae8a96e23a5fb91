"""query_variations_audit: the trigger of adaptive retrieval against need, and quality against cost: which systems no other
beats at both."""

from eval.figures.scatter import Plane, ScatterPoint, draw_scatter
from eval.page import Figure, Page, Table, figure, words
from eval.preset import Preset
from eval.robustness.frontier import find_frontier
from eval.robustness.layout import ALL as ALL_ITEMS
from eval.robustness.layout import (
    FigureRow,
    build_full_table,
    build_kind_table,
    collect_figures,
    find_axis_end,
    list_notes,
    plot_estimate,
)
from eval.robustness.study import REWRITES, Study

TRIGGER = ("search_rate", "needed", "trigger_precision", "trigger_recall", "over", "under")
COSTS = {"searches": "retriever calls", "calls": "LLM calls", "tokens_out": "tokens out"}
NOTES = (
    "Hundredths. Precision: of the questions with a search, those that the same agent without retrieval answers wrongly; "
    "recall: of those, the ones with a search. A system that always searches has recall 100, and the share in need as its "
    "precision.",
)

FILLED_NOTE = (
    "All rewrites. Filled: no other system is at least as right for at most the same cost, and better in one of the two."
)


def build(study: Study) -> Page:
    trigger = [FigureRow(name, 100.0, 1) for name in TRIGGER]
    rows = [
        *trigger,
        FigureRow("in_accuracy", 100.0, 1),
        FigureRow("searches", 1.0, 2),
        FigureRow("calls", 1.0, 2),
        FigureRow("tokens_out", 1.0, 0),
    ]
    found = collect_figures(study, rows)
    tables = [
        build_kind_table(f"Trigger against need, {which}", study, trigger, by_arm, NOTES) for which, by_arm in found.items()
    ]
    made = found[ALL_ITEMS]
    planes, lines = [], []
    for cost, label in COSTS.items():
        points = {
            study.arms[arm].name: (one["in_accuracy", REWRITES].mean, one[cost, REWRITES].mean) for arm, one in made.items()
        }
        known = {name: (q, c) for name, (q, c) in points.items() if q is not None and c is not None}
        best = find_frontier(known)
        drawn = []
        for arm, one in made.items():
            name = study.arms[arm].name
            if name in known:
                right = plot_estimate(one["in_accuracy", REWRITES])
                drawn.append(ScatterPoint(name, known[name][1], known[name][0], right.low, right.high, name in best))
                lines.append(
                    [
                        words(label),
                        words(name),
                        figure(known[name][1], 2),
                        figure(known[name][0], 1, 100.0),
                        figure(one["in_accuracy", "original"].mean, 1, 100.0),
                        words("yes" if name in best else "no"),
                    ]
                )
        if drawn:
            right_end = find_axis_end([[("", [plot_estimate(one[cost, REWRITES]) for one in made.values()])]])
            planes.append(Plane(f"in_accuracy over {label}", label, right_end, drawn))
    heads = ["cost", "system", "of an answer", "in_accuracy, all rewrites", "in_accuracy, original", "on the frontier"]
    title = "Adaptive retrieval, audited"
    figures = [Figure("Quality against cost", draw_scatter(planes, "in_accuracy", 1.0), [FILLED_NOTE])] if planes else []
    return Page(
        title,
        [*tables, Table("Quality against cost", heads, lines), build_full_table(study, rows, found)],
        figures=figures,
        notes=list_notes(study),
    )


PRESET = Preset(label="Adaptive retrieval audit: trigger against need, quality against cost", build=build, of="wordings")
