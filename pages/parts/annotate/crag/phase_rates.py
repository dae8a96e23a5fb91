"""Statistics of the two review phases of web questions: open questions, agreement between people, and corrections."""

from collections.abc import Sequence

from core.statistics.statistics import Interval
from pages.parts.evaluate.results import paper_table
from pages.parts.evaluate.results.figures import DASH
from workbench.annotate.reviewing.phases import PhaseRates

NAMES = {"labels": "1: question and labels", "answers": "2: answers"}
COLUMNS = ("Phase", "Open", "Conflicts", "Settled", "Discarded", "Agreed", "n", "Kappa", "Corrected", "n")
NOTES = (
    "Agreed: share of the questions with two opinions whose opinions were equal, before a third person decided; CRAG had over "
    "90 % in both phases.",
    "Corrected: share of the finished questions that differ from the version that their writers submitted; CRAG corrected "
    "5 % of the "
    "answers computed from tables. [95 % interval]",
)


def show(rates: Sequence[PhaseRates]) -> None:
    """Show a table with one row per review phase."""
    rows = []
    for rate in rates:
        kappa = DASH if rate.kappa.value is None else f"{rate.kappa.value:.2f}"
        values = [NAMES[rate.phase], rate.open, rate.conflicts, rate.done, rate.discarded, _percent(rate.agreement)]
        values += [rate.agreement.n, kappa, _percent(rate.corrected), rate.corrected.n]
        rows.append({"cells": [{"text": str(value), "mark": ""} for value in values]})
    columns = [{"label": name, "align": "" if place else "left"} for place, name in enumerate(COLUMNS)]
    paper_table.show(columns, rows, "phase_rates", caption="Both phases", notes=NOTES)


def _percent(share: Interval) -> str:
    if share.mean is None:
        return DASH
    return f"{100 * share.mean:.0f} % [{100 * (share.low or 0):.0f}, {100 * (share.high or 0):.0f}]"
