"""How a gate's flags do against what people decided: precision, recall and Cohen's kappa of "flagged" against "discarded", each
with its n. Drafts that were edited and kept stand apart: a flag on one was neither wrong nor a reason to discard it."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from core.statistics.agreement import Agreement, cohen
from core.statistics.statistics import Interval, wilson

GATE, PEOPLE = "the gate", "people"
FATES = ("accepted", "edited", "discarded")
"""What people made of a draft: kept as it was, kept in other words, discarded."""


class FlaggedDrafts(NamedTuple):
    """Drafts with one finding and one fate."""

    is_flagged: bool
    fate: str
    """One of FATES."""
    n: int


class Calibration(NamedTuple):
    """One gate in one version."""

    flagged: dict[str, int]
    """Fate -> drafts that it flagged."""
    passed: dict[str, int]
    """Fate -> drafts that it let through."""
    precision: Interval
    """Discarded, of those flagged and accepted as they were or discarded."""
    recall: Interval
    """Flagged, of those discarded."""
    kappa: Agreement


def calibrate_gate(found: Iterable[FlaggedDrafts]) -> Calibration:
    """From the drafts that people decided on."""
    flagged, passed = dict.fromkeys(FATES, 0), dict.fromkeys(FATES, 0)
    for one in found:
        side = flagged if one.is_flagged else passed
        side[one.fate] += one.n
    hits, misses = flagged["discarded"], passed["discarded"]
    false = flagged["accepted"]
    cells = ((True, True, hits), (True, False, false), (False, True, misses), (False, False, passed["accepted"]))
    ratings = {f"{flag}{out}{place}": {GATE: flag, PEOPLE: out} for flag, out, n in cells for place in range(n)}
    return Calibration(
        flagged,
        passed,
        wilson(hits, hits + false)._replace(why="" if hits + false else "undefined, because it flagged none"),
        wilson(hits, hits + misses)._replace(why="" if hits + misses else "undefined, because none was discarded"),
        _kappa(ratings),
    )


def calibration_record(found: Calibration) -> dict[str, Any]:
    """As JSON values."""
    return {
        "flagged": found.flagged,
        "passed": found.passed,
        "precision": _interval(found.precision),
        "recall": _interval(found.recall),
        "kappa": _agreement(found.kappa),
    }


def _kappa(ratings: dict[str, dict[str, bool]]) -> Agreement:
    if not ratings:
        return Agreement(None, None, None, 0, 2, "undefined, because nobody accepted or discarded a draft that it looked at")
    found = cohen(ratings, GATE, PEOPLE)
    return found._replace(why=found.why.replace("both gave", "gate and people gave"))


def _interval(found: Interval) -> dict[str, Any]:
    return {"value": found.mean, "low": found.low, "high": found.high, "n": found.n, "why": found.why}


def _agreement(found: Agreement) -> dict[str, Any]:
    return {"value": found.value, "low": found.low, "high": found.high, "n": found.units, "why": found.why}
