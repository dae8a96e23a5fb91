"""Lay out the outcomes of absence twins as a page of tables and as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from eval.absence.outcomes import GOLD_SOURCES, OUTCOMES, RATES, SIDES, AbsenceResult, Outcome, Side
from eval.page import Page, Record, Table, interval_cell, tabulate

RIGHT: Mapping[Side, Outcome] = {"original": "gold", "twin": "refused"}
"""The right outcome on each side: the gold answer for the item, a refusal for its absence twin."""
CORPORA: Mapping[Side, str] = {"original": "evidence there", "twin": "evidence gone"}
WORDS: Mapping[Outcome, str] = {"gold": "Gold answer", "refused": "Refused", "other": "Other answer", "failed": "Failed"}
INTERVAL_NOTE = (
    "Intervals resample items with evidence in the same documents together. Failed answers count in no rate. An "
    "interval from equal values has no width, although other questions may give other values."
)
NOTES = (
    "The question of each item with an absence twin is asked twice: with its evidence in the corpus, and with all "
    "passages hidden that prove the answer. The second time, a refusal is the right answer.",
    "Rules determine the outcomes: an answer with a phrase of refusal is a refusal, and an answer that equals or "
    "contains the gold answer is the gold answer. A right answer that is long or reworded counts as another "
    "answer.",
    INTERVAL_NOTE,
)


def build_page(results: Sequence[AbsenceResult], names: Sequence[str]) -> Page:
    """Return the page of tables about runs with absence twins; `names` are the runs' names in the same order."""
    named = [(name, result) for name, result in zip(names, results, strict=True) if not result.why]
    notes = [*NOTES, *(f"{name}: {result.why}." for name, result in zip(names, results, strict=True) if result.why)]
    notes += [
        f"{name}: {open_} of {len(result.pairs)} twins are not asked yet."
        for name, result in named
        if (open_ := sum(pair.twin is None for pair in result.pairs))
    ]
    outcomes = [_build_row(name, result, side) for name, result in named for side in SIDES]
    tables = [
        tabulate("Answers with and without evidence", outcomes, _note_sources(named)),
        tabulate("Rates", [row for name, result in named for row in _list_rates(name, result)]),
        *(_cross(name, result) for name, result in named),
    ]
    data = {"runs": [encode_result(result) for result in results]}
    return Page("Absence twins", tables if named else [], notes=notes, data=data)


def _build_row(name: str, result: AbsenceResult, side: Side) -> Record:
    counts = result.count(side)
    numbers = {WORDS[outcome]: counts[outcome] for outcome in OUTCOMES}
    return {"Run": name, "Corpus": CORPORA[side], "Right": WORDS[RIGHT[side]], "n": counts.total(), **numbers}


def _note_sources(named: Sequence[tuple[str, AbsenceResult]]) -> list[str]:
    """Return a sentence for each run that gave gold answers without evidence; the sentence says where these answers can come
    from."""
    return [
        f"{name}: of {sources.total()} gold answers without evidence, {sources['passage']} are in a passage that "
        f"the system got (a leak), {sources['question']} only in the question (perhaps guessed), {sources['neither']} in "
        "neither (remembered, or put together)."
        for name, result in named
        if (sources := result.sources)
    ]


def _list_rates(name: str, result: AbsenceResult) -> list[Record]:
    rates = result.rates.items()
    return [{"Run": name, "Rate": RATES[rate], "n": one.n, "Share [95 % interval]": interval_cell(one)} for rate, one in rates]


def _cross(name: str, result: AbsenceResult) -> Table:
    crossed = result.crossed
    rows = [
        {"Evidence there": WORDS[own], **{f"{WORDS[other]} without": crossed[own, other] for other in OUTCOMES}}
        for own in OUTCOMES
    ]
    return tabulate(f"{name}: the same items on both sides", rows)


def encode_result(result: AbsenceResult) -> dict[str, Any]:
    """Return the outcomes of a run as JSON values."""
    return {
        "run": result.run.id,
        "system": result.run.system.name,
        "release": result.run.release,
        "why": result.why,
        "twins": len(result.pairs),
        "original": {outcome: result.count("original")[outcome] for outcome in OUTCOMES},
        "twin": {outcome: result.count("twin")[outcome] for outcome in OUTCOMES},
        "gold_sources": {source: result.sources[source] for source in GOLD_SOURCES},
        "rates": {rate: one.record() for rate, one in result.rates.items()},
        "items": [pair._asdict() for pair in result.pairs],
    }
