"""How the two phases go: what is open, how much people agreed, how much was put right."""

from collections.abc import Sequence

from core.statistics.statistics import Interval
from pages.parts.evaluate.results import paper_table
from workbench.annotate.reviewing.phases import PhaseRates

NAMES = {"labels": "1: question and labels", "answers": "2: answers"}


def show(rates: Sequence[PhaseRates]) -> None:
    """A row a phase."""
    heads = ["Phase", "Open", "Conflicts", "Settled", "Discarded", "Agreed", "n", "Kappa", "Put right", "n"]
    rows = [
        [
            NAMES[one.phase],
            one.open,
            one.conflicts,
            one.done,
            one.discarded,
            _percent(one.agreement),
            one.agreement.n,
            "–" if one.kappa.value is None else f"{one.kappa.value:.2f}",
            _percent(one.corrected),
            one.corrected.n,
        ]
        for one in rates
    ]
    columns = [{"label": head, "align": "left" if place == 0 else ""} for place, head in enumerate(heads)]
    cells = [{"cells": [{"text": str(value), "mark": ""} for value in row]} for row in rows]
    notes = [
        "Agreed: of the questions with two opinions, those on which both were equal, before anything was resolved; "
        "CRAG had over 90 % in both phases.",
        "Put right: of the settled ones, those that are not as they were handed in; CRAG corrected 5 % of the answers "
        "computed from tables. [95 % interval]",
    ]
    paper_table.show(columns, cells, "phase_rates", caption="Both phases", notes=notes)


def _percent(found: Interval) -> str:
    if found.mean is None:
        return "–"
    return f"{100 * found.mean:.0f} % [{100 * (found.low or 0):.0f}, {100 * (found.high or 0):.0f}]"
