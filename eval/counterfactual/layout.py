"""Lay out the outcomes of runs on counterfactual releases as a page of tables and as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from eval.absence.layout import INTERVAL_NOTE
from eval.absence.layout import WORDS as REAL_WORDS
from eval.absence.outcomes import OUTCOMES as REAL_OUTCOMES
from eval.counterfactual.difficulty import DifficultyShift
from eval.counterfactual.outcomes import OUTCOMES, RATES, Outcome, WorldResult
from eval.page import Page, Record, Table, interval_cell, tabulate

WORDS: Mapping[Outcome, str] = {
    "reads": "Reads",
    "remembers": "Remembers",
    "both": "Both",
    "refused": "Refused",
    "other": "Other answer",
    "failed": "Failed",
}
NOTES = (
    "In the corpus of a counterfactual release, other answers replace the real ones everywhere. A system that reads the corpus "
    "gives the new answer; a system that answers from memory gives the old one. Only items whose "
    "answer was replaced are counted.",
    "Rules determine the outcomes: an answer with a phrase of refusal is a refusal, and an answer that equals or contains the "
    "new or the old answer is that answer. A right answer that is long or reworded counts as another answer.",
    INTERVAL_NOTE,
)


def build_page(results: Sequence[WorldResult], names: Sequence[str], shifts: Mapping[str, DifficultyShift]) -> Page:
    """Return the page of tables about runs on counterfactual releases. `names` are the names of the runs in the same order;
    `shifts` is a dict from the name of each release to how much harder its replaced items became."""
    named = list(zip(names, results, strict=True))
    notes = [
        *NOTES,
        *(
            f"{name}: no run of the same system on the real release, so its answers there are unknown."
            for name, one in named
            if not one.real_run
        ),
        *(f"{name}: {n} of {len(one.pairs)} items are not asked yet." for name, one in named if (n := _count_open(one))),
    ]
    tables = [
        tabulate("Read or remembered", [_build_row(name, result) for name, result in named]),
        tabulate("Rates", [row for name, result in named for row in _list_rates(name, result)]),
        *(_cross(name, result) for name, result in named if result.real_run),
        tabulate("Difficulty of replaced items", [_build_shift(name, shift) for name, shift in shifts.items()]),
    ]
    data = {
        "runs": [encode_result(result) for result in results],
        "difficulty": {name: encode_shift(shift) for name, shift in shifts.items()},
    }
    return Page("Counterfactual world", tables, notes=notes, data=data)


def _count_open(result: WorldResult) -> int:
    return sum(pair.outcome is None for pair in result.pairs)


def _build_row(name: str, result: WorldResult) -> Record:
    counts, real = result.count(), result.count_real()
    before = f"{real['gold']} of {real.total()}" if result.real_run else None
    return {
        "Run": name,
        "Right in the real world": before,
        "n": counts.total(),
        **{WORDS[one]: counts[one] for one in OUTCOMES},
    }


def _list_rates(name: str, result: WorldResult) -> list[Record]:
    rates = result.rates.items()
    return [{"Run": name, "Rate": RATES[rate], "n": one.n, "Share [95 % interval]": interval_cell(one)} for rate, one in rates]


def _cross(name: str, result: WorldResult) -> Table:
    rows: list[Record] = [
        {
            "Real world": REAL_WORDS[real],
            **{WORDS[one]: sum((pair.real, pair.outcome) == (real, one) for pair in result.pairs) for one in OUTCOMES},
        }
        for real in REAL_OUTCOMES
    ]
    return tabulate(f"{name}: the same items in both worlds", rows)


def _build_shift(release: str, shift: DifficultyShift) -> Record:
    one = shift.interval
    return {
        "Release": release,
        "Runs": shift.runs,
        "Anchors": shift.anchors,
        "n": one.n,
        "Harder by [95 % interval]": interval_cell(one),
        "No value because": one.why if one.mean is None else "",
    }


def encode_shift(shift: DifficultyShift) -> dict[str, Any]:
    """Return the shift as JSON values."""
    return shift.interval.record() | {"anchors": shift.anchors, "runs": shift.runs}


def encode_result(result: WorldResult) -> dict[str, Any]:
    """Return the outcomes of a run as JSON values."""
    return {
        "run": result.run.id,
        "system": result.run.system.name,
        "release": result.run.release,
        "real_run": result.real_run.id if result.real_run else None,
        "items": [pair._asdict() for pair in result.pairs],
        "outcomes": {outcome: result.count()[outcome] for outcome in OUTCOMES},
        "real_outcomes": {outcome: result.count_real()[outcome] for outcome in REAL_OUTCOMES},
        "rates": {rate: one.record() for rate, one in result.rates.items()},
    }
