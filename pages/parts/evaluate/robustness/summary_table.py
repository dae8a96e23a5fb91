"""The systems at a glance: in_accuracy by kind of wording, and what another wording does to answers, calls and decisions."""

from collections.abc import Mapping, Sequence
from typing import Any

from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import interval, mean
from workbench.evaluate.results.robustness import ITEMS, REWRITES, ArmLine, RobustnessSummary

ABOUT = {
    "answer_breaks": ("Breaks", "Rewrites whose answer is wrong where the original's is right."),
    "similarity": ("Similarity", "Mean cosine of a rewrite's answer and the original's."),
    "diversity": ("Diversity", "1 less the mean cosine of all pairs of an item's answers; lower is more stable."),
    "cvr_searches": ("CVR, retriever", "How steady the number of searches is over an item's wordings; 1 = always the same."),
    "cvr_calls": ("CVR, LLM", "How steady the number of model calls is over an item's wordings; 1 = always the same."),
    "any_flip": ("Items that flip", "Items of which a rewrite searches where the original does not, or the other way round."),
    "over": ("Over", "Rewrites that need a search (wrong without retrieval) and have none."),
    "under": ("Under", "Rewrites that need no search (right without retrieval) and have one."),
}
ITEM_LEVEL = ("diversity", "cvr_searches", "cvr_calls", "any_flip")


def show(summary: RobustnessSummary, key: str) -> Any:
    """Draw both tables. Gives {"arm"} of the system that was pressed, or None."""
    kinds = [*summary.kinds, REWRITES]
    columns: list[dict[str, Any]] = [{"label": "System", "align": "left"}, *({"label": kind} for kind in kinds)]
    rows = [{"cells": [_named(arm), *(_figure(arm.figures, "in_accuracy", kind) for kind in kinds)]} for arm in summary.arms]
    pressed = paper_table.show(
        columns,
        rows,
        f"{key}_accuracy",
        caption="in_accuracy by kind of wording",
        notes=[
            "Mean over items with its 95 % bootstrap interval; two people's rewrites of an item are averaged first.",
        ],
    )
    columns = [{"label": "System", "align": "left"}, *({"label": label, "help": help_} for label, help_ in ABOUT.values())]
    rows = [
        {"cells": [_named(arm), *(_figure(arm.figures, name, ITEMS if name in ITEM_LEVEL else REWRITES) for name in ABOUT)]}
        for arm in summary.arms
    ]
    other = paper_table.show(
        columns,
        rows,
        f"{key}_steady",
        caption="What another wording does",
        notes=[
            "n/a: there is nothing to count; hold the pointer over it for why. Failed answers stand in no figure.",
        ],
    )
    return pressed or other


def _named(arm: ArmLine) -> dict[str, Any]:
    times = f" · {arm.runs} runs" if arm.runs > 1 else ""
    return {
        "text": arm.name,
        "sub": f"{arm.facts['release']}{times}",
        "go": {"arm": arm.name},
        "href": f"?view=families&arm={arm.name}",
        "help": "press for its worst families",
    }


def _figure(found: Mapping[tuple[str, str], Any], name: str, kind: str) -> dict[str, Any]:
    one = found.get((name, kind))
    if one is None:
        return {"text": "…", "muted": True, "help": "Being computed."}
    if one.mean is None:
        return {"text": "n/a", "muted": True, "help": one.why or "No value."}
    lines: Sequence[str] = [
        interval(one.low, one.high),
        f"± {mean(one.sd)}, {one.runs} runs" if one.sd is not None else "",
        f"n={one.n}",
    ]
    lacking = f"{one.undefined} without a value" if one.undefined else ""
    return {"text": mean(one.mean), "sub": "\n".join(filter(None, lines)), "help": lacking}
