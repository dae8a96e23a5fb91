"""Write the half-life checks of a release into its exported folder (half_life.json), and their table into the dataset card."""

from collections import Counter
from typing import Any

from core.quality.half_life import DECIDED, OUTCOMES
from core.statistics.statistics import wilson
from store.format import Bundle
from store.formats._markdown import render_table
from store.formats._withheld import map_splits

FILE = "half_life.json"


def make_record(bundle: Bundle, withheld: frozenset[str]) -> dict[str, Any]:
    """Return the checks as JSON values, each with the counts of its outcomes. Outcomes of items in withheld splits are counted
    and not listed, because they have both answers."""
    splits = map_splits(bundle)
    checks = [
        {
            **check,
            "outcomes": _count_outcomes(check),
            "answers": [one for one in check["answers"] if splits.get(one["item"], "test") not in withheld],
        }
        for check in bundle.half_life["checks"]
    ]
    return {**bundle.half_life, "checks": checks}


def render_checks(bundle: Bundle) -> str:
    """Return the section of the dataset card on half-life checks; "" if there are none."""
    if not bundle.half_life:
        return ""
    rows = []
    for check in bundle.half_life["checks"]:
        counts = _count_outcomes(check)
        right = wilson(counts["unchanged"], sum(counts[outcome] for outcome in DECIDED))
        share = "none" if right.mean is None else f"{right.mean:.1%} [{right.low:.1%}, {right.high:.1%}]"
        rows.append((check["on"], right.n, share, *counts.values()))
    return (
        "## Half-life\n\nThe questions were asked again of newer tables and pages: share of the n answers (unchanged, changed "
        "or gone) that are still right on a day, with a 95 % interval, and the number of questions by outcome. "
        f"`{FILE}` has the outcome of each question.\n\n"
        + render_table(["Day", "n", "Still right", *(name.capitalize() for name in OUTCOMES.values())], rows)
    )


def _count_outcomes(check: dict[str, Any]) -> dict[str, int]:
    counts = Counter(one["outcome"] for one in check["answers"])
    return {outcome: counts[outcome] for outcome in OUTCOMES}
