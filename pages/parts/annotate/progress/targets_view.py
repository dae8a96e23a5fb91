"""The targets by domain, task and level: accepted, waiting and missing items, and the day by which all wanted items will be
accepted at the present pace."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import streamlit as st

from pages.parts.annotate.progress.figures import format_percent
from pages.parts.evaluate.results import paper_table
from pages.parts.ui.buttons import draw_link
from pages.parts.ui.grid import level_name
from pages.parts.ui.job_card import format_money
from pages.parts.ui.say import count_things
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.desk.guidelines import name_task
from workbench.annotate.progress.effort import Effort, FigureRange
from workbench.annotate.progress.forecast import Forecast
from workbench.annotate.progress.target_state import TargetState
from workbench.home.targets import TargetCell

NOTES = (
    "Waiting: drafts to review, at most as many as a cell still needs. Missing: items not drafted yet. In the sums, a "
    "cell adds no more than its own target.",
    (
        "The forecast counts accepted items per calendar day, without today. The range of the forecast covers about 95 % of "
        "the likely outcomes: it allows for the variation of past days and of coming days."
    ),
    "Hours are active time of people; money is the cost of the drafts that are still needed. Once people have reviewed 50 "
    "drafts, both are based on the share of drafts that people accept, the time and cost per reviewed draft, and the "
    "share that gates refuse. A range adds up all low or all high values.",
)


def show() -> None:
    """Show sentences about the progress, the forecast and the effort, and the table of targets below them."""
    table = until_ready(open_workbench().progress.measure_targets, "Counting accepted items", height=120)
    if table is None:
        return
    if not table.cells:
        st.caption("There are no targets yet: click a cell of the board on the page Home to set one.")
        draw_link("home/board", "Go to the board", "arrow_forward")
        return
    for sentence in describe_whole(table.whole):
        st.text(sentence)
    columns = sorted({(place.task, place.level) for place in table.cells}, key=lambda column: (str(column[1]), column[0]))
    heads = [{"label": "Domain", "align": "left"}]
    heads += [{"label": f"{name_task(task)}, {level_name(level).lower()}", "align": "center"} for task, level in columns]
    rows = [
        {"cells": [{"text": domain}, *(_build_cell(table.cells.get(TargetCell(*column, domain))) for column in columns)]}
        for domain in sorted({place.domain for place in table.cells})
    ]
    legend = {"low": "0\u00a0%", "high": "100\u00a0%", "text": "accepted items, of the wanted items", "diverging": False}
    paper_table.show(heads, rows, "progress_targets", legend=legend, notes=NOTES)


def show_brief() -> None:
    """Show the sentences about the targets, for use on another page, with a link to the page Progress; show nothing if there
    are no targets."""
    table = open_workbench().progress.measure_targets().value
    if table is not None and table.cells:
        for sentence in describe_whole(table.whole):
            st.caption(sentence)
        draw_link("annotate/progress", "Pace and targets", "flag", view="pace")


def describe_whole(whole: TargetState) -> list[str]:
    """Describe in sentences the progress towards all targets, the day on which they are expected to be reached, and the
    remaining effort."""
    left = f"; {whole.waiting:,} waiting for review, {whole.missing:,} missing" if whole.forecast.left else ""
    share = format_percent(whole.accepted / whole.wanted)
    return [
        f"{whole.accepted:,} of {count_things(whole.wanted, 'wanted item')} accepted ({share}){left}.",
        describe_forecast(whole.forecast),
        *([describe_effort(whole.effort)] if whole.forecast.left else []),
    ]


def describe_forecast(forecast: Forecast) -> str:
    """Describe in a sentence by which day all wanted items are expected to be accepted."""
    if not forecast.left:
        return "All wanted items are accepted."
    if forecast.day is None:
        return f"No forecast, because {forecast.why}."
    late = "without a latest date" if forecast.late is None else f"at the latest {_format_day(forecast.late)}"
    early = "" if forecast.early is None else _format_day(forecast.early)
    return (
        f"All wanted items are expected by about {_format_day(forecast.day)} (at the earliest {early}, {late}), at "
        f"{forecast.per_day:.1f} accepted a day over the last {forecast.days} days."
    )


def describe_effort(effort: Effort) -> str:
    """Describe in a sentence how many hours of review and how much money for drafts are still needed."""
    parts = [
        f"{format_range(value, print_value)} {purpose}"
        for value, print_value, purpose in (
            (effort.hours, format_hours, "of review"),
            (effort.money, format_money, "for drafts"),
        )
        if value is not None
    ]
    if not parts:
        return f"No estimate of hours and price, because {effort.why}."
    basis = f", by {effort.read:,} of {effort.basis} that were read" if effort.read else ""
    missing = f" The estimate is not complete: {effort.why}." if effort.why else ""
    return f"The remaining work takes about {', and '.join(parts)}{basis}.{missing}"


def format_range(value: FigureRange, print_value: Callable[[float], str]) -> str:
    """Format a range as its middle value with both ends in brackets; `print_value` formats each value."""
    high = "no upper end" if value.high is None else print_value(value.high)
    return f"{print_value(value.mid)} ({print_value(value.low)} to {high})"


def format_hours(value: float) -> str:
    """Format a time in hours, or in minutes below one hour."""
    return f"{value:,.1f} hours" if value >= 1 else f"{value * 60:,.0f} minutes"


def _build_cell(state: TargetState | None) -> dict[str, Any]:
    if state is None:
        return {"text": "no target", "muted": True, "heat": None}
    effort, is_open = state.effort, bool(state.forecast.left)
    lines: Sequence[str] = (
        f"{state.accepted:,} of {state.wanted:,}",
        *(f"{n:,} {word}" for n, word in ((state.waiting, "waiting"), (state.missing, "missing")) if n),
        *(
            f"{print_value(value.mid)} more"
            for value, print_value in ((effort.hours, format_hours), (effort.money, format_money))
            if is_open and value is not None
        ),
    )
    share = state.accepted / state.wanted
    help_text = " ".join([describe_forecast(state.forecast), *([describe_effort(effort)] if is_open else [])])
    return {"text": format_percent(share), "sub": "\n".join(lines), "heat": share, "help": help_text}


def _format_day(day: date) -> str:
    return f"{day:%-d %b %Y}"
