"""An overview of the robustness of all systems: the metric in_accuracy by kind of rewrite, and how another wording of a
question changes answers, calls and the decision to search."""

from collections.abc import Mapping
from typing import Any

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import interval, mean
from workbench.evaluate.results.robustness import ITEMS, REWRITES, ArmLine, Estimate, RobustnessSummary

ABOUT = {
    "answer_breaks": ("Breaks", "Share of rewrites whose answer is wrong although the original's answer is right."),
    "similarity": ("Similarity", "Mean cosine similarity between a rewrite's answer and the original's answer."),
    "diversity": ("Diversity", "1 minus the mean cosine similarity of all pairs of an item's answers; lower is more stable."),
    "cvr_searches": ("CVR, retriever", "How steady the number of searches is over an item's wordings; 1 = always the same."),
    "cvr_calls": ("CVR, LLM", "How steady the number of model calls is over an item's wordings; 1 = always the same."),
    "any_flip": (
        "Items that flip",
        "Share of items where the system searches for a rewrite but not for the original, or the other way round.",
    ),
    "over": (
        "Over",
        (
            "Share of the rewrites that need a search (the answer without retrieval is wrong) for which the system did not "
            "search."
        ),
    ),
    "under": (
        "Under",
        ("Share of the rewrites that need no search (the answer without retrieval is right) for which the system searched."),
    ),
}
"""Dict from the name of a measure to its (label, description)."""
OF_ITEMS = ("diversity", "cvr_searches", "cvr_calls", "any_flip")
"""Names of the measures that are averaged over items; the other measures are averaged over rewrites."""


def show(summary: RobustnessSummary, key: str) -> Any:
    """Show both tables, and return a dict with the name ("arm") of the system that was clicked, or None."""
    system = {"label": "System", "align": "left"}
    kinds = [*summary.kinds, REWRITES]
    pressed = paper_table.show(
        [system, *({"label": kind} for kind in kinds)],
        [
            {"cells": [_build_system(arm), *(_build_figure(arm.figures, "in_accuracy", kind) for kind in kinds)]}
            for arm in summary.arms
        ],
        f"{key}_accuracy",
        caption="Mean in_accuracy by kind of rewrite",
        notes=["Mean over items with its 95 % bootstrap interval; two people's rewrites of an item are averaged first."],
    )
    groups = {name: ITEMS if name in OF_ITEMS else REWRITES for name in ABOUT}
    other = paper_table.show(
        [system, *({"label": label, "help": about} for label, about in ABOUT.values())],
        [
            {"cells": [_build_system(arm), *(_build_figure(arm.figures, name, group) for name, group in groups.items())]}
            for arm in summary.arms
        ],
        f"{key}_steady",
        caption="Effects of another wording",
        notes=["n/a: there is nothing to count; hold the pointer over the cell for the reason. Failed answers are left out."],
    )
    return pressed or other


def _build_system(arm: ArmLine) -> dict[str, Any]:
    repeats = f" · {len(arm.runs)} runs" if len(arm.runs) > 1 else ""
    return {
        "text": arm.name,
        "sub": f"{arm.release}{repeats}",
        "go": {"arm": arm.name},
        "href": f"?view=families&arm={arm.name}",
        "help": "click for the items that change most",
    }


def _build_figure(figures: Mapping[tuple[str, str], Estimate], name: str, kind: str) -> dict[str, Any]:
    estimate = figures.get((name, kind))
    if estimate is None:
        return {"text": "…", "muted": True, "help": "Being computed."}
    if estimate.mean is None:
        return {"text": "n/a", "muted": True, "help": estimate.why or "No value."}
    repeats = f"± {mean(estimate.sd)}, {estimate.runs} runs" if estimate.sd is not None else ""
    small = "\n".join(filter(None, [interval(estimate.low, estimate.high), repeats, f"n={estimate.n}"]))
    undefined = f"{estimate.undefined} without a value" if estimate.undefined else ""
    return {"text": mean(estimate.mean), "sub": small, "help": undefined}
