"""The targets, and under them decisions by day and how long what waits will take at that pace."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.annotate.progress import targets_view
from pages.parts.annotate.progress.figures import things
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.progress.pace import DecisionPace
from workbench.annotate.progress.progress import Day, zone

DAYS = 60
"""Days that are drawn."""


def show() -> None:
    """Draw it."""
    st.subheader("Targets", anchor=False)
    targets_view.show()
    st.subheader("Decisions by day", anchor=False)
    pace = until_ready(open_workbench().progress.pace, "Counting decisions by day")
    if pace is not None:
        st.text(sentence(pace))
        bars(pace.days)


def sentence(pace: DecisionPace) -> str:
    """The forecast, with what it rests on."""
    waits = f"{things(pace.waiting, 'item')} {'waits' if pace.waiting == 1 else 'wait'} for review"
    if pace.wanted != pace.waiting:
        waits += f", and {pace.wanted:,} decisions on them"
    if pace.per_day is None or pace.needed is None:
        return f"{waits}. No forecast: nobody decided on an item yet."
    if not pace.waiting:
        return "No item waits for review."
    first, last = pace.rests_on[0].date, pace.rests_on[-1].date
    if pace.is_today:
        basis = f"At today's pace ({things(round(pace.per_day), 'decision')}, and the day is not over)"
    elif len(pace.rests_on) == 1:
        basis = f"At the pace of the only whole day with decisions ({last}, {pace.per_day:.0f})"
    else:
        basis = (
            f"At the pace of the last {len(pace.rests_on)} whole days with decisions ({first} to {last}, "
            f"{pace.per_day:.1f} a day)"
        )
    return f"{waits}. {basis} that takes {things(pace.needed, 'such day')}."


def bars(days: Sequence[Day]) -> None:
    """Accepted and discarded, a bar a day."""
    if not days:
        return
    drawn = days[-DAYS:]
    rows = [
        {"day": day.date.isoformat(), "items": n, "decision": what}
        for day in drawn
        for what, n in (("accepted", day.accepted), ("discarded", day.discarded))
    ]
    st.bar_chart(rows, x="day", y="items", color="decision", x_label="", y_label="decisions", height=260, sort=False)
    more = f" The last {DAYS} of {len(days):,} days are drawn." if len(days) > DAYS else ""
    st.caption(f"Days with decisions on items ({zone()}); what was undone is not counted.{more}")
