"""Compares a gate's flags with people's decisions: precision, recall and Cohen's kappa of "flagged" against "discarded", each
with the number of drafts that it is computed from. Drafts that were accepted with edits are counted separately, because a flag
on such a draft is neither wrong nor a reason to discard the draft."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from core.statistics.agreement import Agreement, cohen
from core.statistics.statistics import Interval, wilson

GATE, PEOPLE = "the gate", "people"
FATES = ("accepted", "edited", "discarded")
"""Possible decisions of people about a draft: accept it unchanged, accept it with edits, or discard it."""


class FlaggedDrafts(NamedTuple):
    """The number of drafts with a certain result of the gate and a certain decision of the reviewers."""

    is_flagged: bool
    fate: str
    """Decision of people about the drafts: one of FATES."""
    n: int


class Calibration(NamedTuple):
    """How well the flags of one version of a gate agree with people's decisions."""

    flagged: dict[str, int]
    """Dict from people's decision to the number of drafts that the gate flagged."""
    passed: dict[str, int]
    """Dict from people's decision to the number of drafts that the gate passed."""
    precision: Interval
    """Share of discarded drafts among the flagged drafts that people discarded or accepted unchanged."""
    recall: Interval
    """Share of flagged drafts among the drafts that people discarded."""
    kappa: Agreement


def calibrate_gate(groups: Iterable[FlaggedDrafts]) -> Calibration:
    """Compute how well a gate's flags agree with people's decisions, from the numbers of drafts by flag and decision."""
    flagged, passed = dict.fromkeys(FATES, 0), dict.fromkeys(FATES, 0)
    for group in groups:
        (flagged if group.is_flagged else passed)[group.fate] += group.n
    hits, misses, false = flagged["discarded"], passed["discarded"], flagged["accepted"]
    cells = ((True, True, hits), (True, False, false), (False, True, misses), (False, False, passed["accepted"]))
    ratings = {f"{flag}{out}{place}": {GATE: flag, PEOPLE: out} for flag, out, n in cells for place in range(n)}
    if ratings:
        kappa = cohen(ratings, GATE, PEOPLE)
        kappa = kappa._replace(why=kappa.why.replace("both gave", "gate and people gave"))
    else:
        why = "undefined, because nobody accepted or discarded a draft that the gate checked"
        kappa = Agreement(None, None, None, 0, 2, why)
    precision = wilson(hits, hits + false)._replace(why="" if hits + false else "undefined, because the gate flagged no draft")
    recall = wilson(hits, hits + misses)._replace(why="" if hits + misses else "undefined, because no draft was discarded")
    return Calibration(flagged, passed, precision, recall, kappa)


def calibration_record(calibration: Calibration) -> dict[str, Any]:
    """Return the calibration as JSON values."""
    rates = {name: getattr(calibration, name).record() for name in ("precision", "recall", "kappa")}
    return {"flagged": calibration.flagged, "passed": calibration.passed} | rates
