"""query_variations_audit: whether adaptive systems search when they need to (precision and recall of the decision), and their
accuracy against cost, with the systems that no other system beats in both accuracy and cost."""

from eval.figures.drawing import PlottedValue
from eval.figures.scatter import Plane, ScatterPoint, draw_scatter, find_frontier
from eval.page import Figure, Page, figure, tabulate
from eval.preset import Preset
from eval.robustness.layout import (
    ALL,
    FigureRow,
    collect_figures,
    find_axis_end,
    list_notes,
    list_rows_in_hundredths,
    tabulate_all,
    tabulate_kinds,
)
from eval.robustness.study import REWRITES, Study

TRIGGER = ("search_rate", "needed", "trigger_precision", "trigger_recall", "over", "under")
COSTS = {"searches": "retriever calls", "calls": "LLM calls", "tokens_out": "tokens out"}
NOTES = (
    "Hundredths. Precision: of the questions with a search, those that the same agent without retrieval answers wrongly; "
    "recall: of those, the ones with a search. A system that always searches has recall 100; its precision is the "
    "share of questions that need a search.",
)
FILLED_NOTE = (
    "All rewrites. Filled points: no other system is at least as accurate at no higher cost, and better in one of the two."
)


def build(study: Study) -> Page:
    *trigger, accuracy = list_rows_in_hundredths(*TRIGGER, "in_accuracy")
    costs = FigureRow("searches", 1.0, 2), FigureRow("calls", 1.0, 2), FigureRow("tokens_out", 1.0, 0)
    rows = [*trigger, accuracy, *costs]
    figures = collect_figures(study, rows)
    tables = [tabulate_kinds(f"Trigger against need, {which}", study, trigger, own, NOTES) for which, own in figures.items()]
    by_name = {study.arms[arm].name: own for arm, own in figures[ALL].items()}
    planes, records = [], []
    for cost, label in COSTS.items():
        points: dict[str, tuple[float, float]] = {}
        for name, own in by_name.items():
            right, spent = own["in_accuracy", REWRITES].mean, own[cost, REWRITES].mean
            if right is not None and spent is not None:
                points[name] = right, spent
        best, drawn = find_frontier(points), []
        for name, (right, spent) in points.items():
            spot = PlottedValue.from_interval(by_name[name]["in_accuracy", REWRITES])
            drawn.append(ScatterPoint(name, spent, right, spot.low, spot.high, name in best))
            records.append(
                {
                    "cost": label,
                    "system": name,
                    "of an answer": figure(spent, 2),
                    "in_accuracy, all rewrites": figure(right, 1, 100.0),
                    "in_accuracy, original": figure(by_name[name]["in_accuracy", "original"].mean, 1, 100.0),
                    "on the frontier": "yes" if name in best else "no",
                }
            )
        if drawn:
            end = find_axis_end([PlottedValue.from_interval(own[cost, REWRITES]) for own in by_name.values()])
            planes.append(Plane(f"in_accuracy over {label}", label, end, drawn))
    title = "Quality against cost"
    heads = ["cost", "system", "of an answer", "in_accuracy, all rewrites", "in_accuracy, original", "on the frontier"]
    drawings = [Figure(title, draw_scatter(planes, "in_accuracy", 1.0), [FILLED_NOTE])] if planes else []
    tables += [tabulate(title, records, columns=heads), tabulate_all(study, rows, figures)]
    return Page("Adaptive retrieval, audited", tables, figures=drawings, notes=list_notes(study))


PRESET = Preset(label="Adaptive retrieval audit: trigger against need, quality against cost", build=build, of="wordings")
