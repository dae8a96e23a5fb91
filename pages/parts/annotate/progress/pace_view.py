"""The targets, the number of decisions per day, and how long the waiting items will take at that pace."""

from collections.abc import Sequence

import streamlit as st

from pages.parts.annotate.progress import targets_view
from pages.parts.ui.say import count_things
from pages.parts.ui.until_ready import until_ready
from workbench import open_workbench
from workbench.annotate.progress.pace import DecisionPace, WorkDay
from workbench.annotate.progress.progress import name_zone

MAX_DRAWN_DAYS = 60


def show() -> None:
    """Show the targets, a forecast of when the waiting items will be reviewed, and a bar chart of decisions per day."""
    st.subheader("Targets", anchor=False)
    targets_view.show()
    st.subheader("Decisions by day", anchor=False)
    pace = until_ready(open_workbench().progress.measure_pace, "Counting decisions by day")
    if pace is not None:
        st.text(describe_pace(pace))
        show_bars(pace.days)


def describe_pace(pace: DecisionPace) -> str:
    """Describe in a sentence how long the waiting items will take, and the days that this forecast is based on."""
    waits = f"{count_things(pace.waiting, 'item')} {'waits' if pace.waiting == 1 else 'wait'} for review"
    if pace.wanted != pace.waiting:
        waits += f" and need {pace.wanted:,} decisions"
    if pace.per_day is None or pace.needed is None:
        return f"{waits}. No forecast: there are no decisions yet."
    if not pace.waiting:
        return "No item waits for review."
    first, last = pace.rests_on[0].date, pace.rests_on[-1].date
    if pace.is_today:
        basis = f"At today's pace ({count_things(round(pace.per_day), 'decision')}, and the day is not over)"
    elif len(pace.rests_on) == 1:
        basis = f"At the pace of the only whole day with decisions ({last}, {pace.per_day:.0f})"
    else:
        days = f"{first} to {last}, {pace.per_day:.1f} a day"
        basis = f"At the pace of the last {len(pace.rests_on)} whole days with decisions ({days})"
    return f"{waits}. {basis} that takes {count_things(pace.needed, 'such day')}."


def show_bars(days: Sequence[WorkDay]) -> None:
    """Show a bar chart of the numbers of accepted and discarded items per day; show nothing if `days` is empty."""
    if not days:
        return
    rows = [
        {"day": day.date.isoformat(), "items": n, "decision": decision}
        for day in days[-MAX_DRAWN_DAYS:]
        for decision, n in (("accepted", day.accepted), ("discarded", day.discarded))
    ]
    st.bar_chart(rows, x="day", y="items", color="decision", x_label="", y_label="decisions", height=260, sort=False)
    cut = f" Only the last {MAX_DRAWN_DAYS} of {len(days):,} days are drawn." if len(days) > MAX_DRAWN_DAYS else ""
    st.caption(f"Decisions on items per day ({name_zone()}), without undone decisions.{cut}")
