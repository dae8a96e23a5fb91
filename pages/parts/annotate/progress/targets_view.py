"""What is wanted, cell by cell: accepted, waiting and missing; and when all of it is there at this pace."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import streamlit as st

from pages.parts.annotate.progress.figures import things
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.grid import level_name
from pages.parts.ui.job_card import format_money
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.progress.progress import Between, Effort, Filled, Forecast, TargetCell, TargetTable


def show() -> None:
    """Draw the table with its sentences."""
    found = until_ready(open_workbench().progress.wanted, "Counting what is accepted", height=120)
    if found is None:
        return
    if not found.cells:
        st.caption("No number of items is wanted anywhere yet: press a cell of the board to set one.")
        st.page_link("pages/home/board.py", label="Go to the board", icon=":material/arrow_forward:")
        return
    for said in sentences(found.whole):
        st.text(said)
    columns = sorted({(place.task, place.level) for place in found.cells}, key=lambda name: (str(name[1]), name[0]))
    heads = [{"label": "Domain", "align": "left"}]
    heads += [{"label": f"{task.replace('_', ' ')}, {level_name(level).lower()}", "align": "center"} for task, level in columns]
    domains = sorted({place.domain for place in found.cells})
    rows = [
        {"cells": [{"text": domain}, *(_cell(found, TargetCell(*column, domain)) for column in columns)]} for domain in domains
    ]
    legend = {"low": "0\u00a0%", "high": "100\u00a0%", "text": "accepted, of those wanted", "diverging": False}
    paper_table.show(
        heads,
        rows,
        "progress_targets",
        legend=legend,
        notes=[
            "Waiting: drafts to review, of each cell no more than it needs. Missing: not drafted yet. In the "
            "sums no cell counts "
            "beyond its own number.",
            "The forecast counts items accepted a calendar day, today left out. Its range is about 95 %: how "
            "uneven the days were, "
            "and how uneven those ahead will be.",
            "Hours are active time of people, money is what the drafts still to be made cost: by the share that people accept, "
            "what a read draft took, and what gates refuse, from 50 read drafts on. A range takes all cheap or all dear ends.",
        ],
    )


def brief() -> None:
    """Two sentences for another page, and a link here; nothing without a target."""
    found = open_workbench().progress.wanted()
    if found.value is not None and found.value.cells:
        for said in sentences(found.value.whole):
            st.caption(said)
        st.page_link(
            "pages/annotate/progress.py", label="Pace and targets", icon=":material/flag:", query_params={"view": "pace"}
        )


def sentences(whole: Filled) -> list[str]:
    """How full, and when it is done."""
    share = f"{whole.accepted / whole.wanted:.0%}".replace("%", "\u00a0%")
    rest = f"; {whole.waiting:,} waiting for review, {whole.missing:,} missing" if whole.forecast.left else ""
    found = [f"{whole.accepted:,} of {things(whole.wanted, 'wanted item')} accepted ({share}){rest}.", when(whole.forecast)]
    return [*found, takes(whole.effort)] if whole.forecast.left else found


def when(found: Forecast) -> str:
    """The forecast in a sentence."""
    if not found.left:
        return "All that is wanted is there."
    if found.day is None:
        return f"No forecast, because {found.why}."
    late = "no later end can be told" if found.late is None else f"at the latest {_day(found.late)}"
    return (
        f"All there about {_day(found.day)} (at the earliest {_day(found.early)}, {late}), at {found.per_day:.1f} accepted "
        f"a day over the last {found.days} days."
    )


def takes(found: Effort) -> str:
    """Hours and money in a sentence."""
    parts = [
        f"{between(value, word)} {what}"
        for value, word, what in ((found.hours, hours, "of review"), (found.money, format_money, "for drafts"))
        if value is not None
    ]
    if not parts:
        return f"No hours and no price can be told, because {found.why}."
    rests = f", by {found.read:,} of {found.basis} that were read" if found.read else ""
    lacking = f" Not all can be told: {found.why}." if found.why else ""
    return f"The rest takes about {', and '.join(parts)}{rests}.{lacking}"


def between(value: Between, word: Callable[[float], str]) -> str:
    """A figure with its range."""
    high = "no upper end" if value.high is None else word(value.high)
    return f"{word(value.mid)} ({word(value.low)} to {high})"


def hours(value: float) -> str:
    """Hours, or minutes where it is less."""
    return f"{value:,.1f} hours" if value >= 1 else f"{value * 60:,.0f} minutes"


def _cell(found: TargetTable, place: TargetCell) -> dict[str, Any]:
    cell = found.cells.get(place)
    if cell is None:
        return {"text": "no target", "muted": True, "heat": None}
    lines: Sequence[str] = (
        f"{cell.accepted:,} of {cell.wanted:,}",
        *(f"{n:,} {word}" for n, word in ((cell.waiting, "waiting"), (cell.missing, "missing")) if n),
        *(
            f"{word(value.mid)} more"
            for value, word in ((cell.effort.hours, hours), (cell.effort.money, format_money))
            if cell.forecast.left and value is not None
        ),
    )
    share = cell.accepted / cell.wanted
    return {
        "text": f"{share:.0%}".replace("%", "\u00a0%"),
        "sub": "\n".join(lines),
        "heat": share,
        "help": " ".join([when(cell.forecast), *([takes(cell.effort)] if cell.forecast.left else [])]),
    }


def _day(day: date | None) -> str:
    return "" if day is None else f"{day:%-d %b %Y}"
