"""Decisions by day, how long what waits will take at that pace, and how full each cell with a target is."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts import paper_table
from pages.parts.progress.figures import things
from pages.parts.until_ready import until_ready
from workbench import opened
from workbench.annotate.pace import Pace
from workbench.annotate.progress import Day, zone

DAYS = 60
"""Days that are drawn."""


def show() -> None:
    """Draw it."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.subheader("Decisions by day", anchor=False)
        pace = until_ready(opened().progress.pace, "Counting decisions by day")
        if pace is not None:
            st.text(sentence(pace))
            bars(pace.days)
    with right:
        st.subheader("Targets", anchor=False)
        targets(opened().board.cells())


def sentence(pace: Pace) -> str:
    """The forecast, with what it rests on."""
    waits = f"{things(pace.waiting, 'item')} {'waits' if pace.waiting == 1 else 'wait'} for review"
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
        basis = (f"At the pace of the last {len(pace.rests_on)} whole days with decisions ({first} to {last}, "
                 f"{pace.per_day:.1f} a day)")  # fmt: skip
    return f"{waits}. {basis} that takes {things(pace.needed, 'such day')}."


def bars(days: Sequence[Day]) -> None:
    """Accepted and discarded, a bar a day."""
    if not days:
        return
    drawn = days[-DAYS:]
    rows = [{"day": day.date.isoformat(), "items": n, "decision": what}
            for day in drawn for what, n in (("accepted", day.accepted), ("discarded", day.discarded))]  # fmt: skip
    st.bar_chart(rows, x="day", y="items", color="decision", x_label="", y_label="decisions", height=260, sort=False)
    more = f" The last {DAYS} of {len(days):,} days are drawn." if len(days) > DAYS else ""
    st.caption(f"Days with decisions on items ({zone()}); what was undone is not counted.{more}")


def targets(board: Mapping[str, Any]) -> None:
    """Domains by tasks: accepted items, of those wanted."""
    wanted = [(task, domain) for task, row in board["cells"].items() for domain, cell in row.items() if cell["target"]]
    if not wanted:
        st.caption("No number of items is wanted anywhere yet: press a cell of the board to set one.")
        st.page_link("pages/home/board.py", label="Go to the board", icon=":material/arrow_forward:")
        return
    tasks = [task for task in board["tasks"] if any(task["task"] == name for name, _ in wanted)]
    domains = [domain for domain in board["domains"] if any(domain == name for _, name in wanted)]
    columns = [{"label": "Domain", "align": "left"}, *({"label": task["label"], "align": "center"} for task in tasks)]
    rows = [{"cells": [{"text": domain}, *(_filled(board["cells"].get(task["task"], {}).get(domain, {})) for task in tasks)]}
            for domain in domains]  # fmt: skip
    cells = [board["cells"][task][domain] for task, domain in wanted]
    accepted = sum(min(cell.get("accepted", 0), cell["target"]) for cell in cells)
    asked = sum(cell["target"] for cell in cells)
    st.text(f"{accepted:,} of {asked:,} wanted items are accepted ({accepted / asked:.0%}).")
    legend = {"low": "0\u00a0%", "high": "100\u00a0%", "text": "accepted, of those wanted", "diverging": False}
    paper_table.show(columns, rows, "progress_targets", legend=legend,
                     notes=["In the sum no cell counts beyond its own number."])  # fmt: skip


def _filled(cell: Mapping[str, Any]) -> dict[str, Any]:
    target, accepted = cell.get("target"), cell.get("accepted", 0)
    if not target:
        return {"text": "no target", "muted": True, "heat": None}
    return {"text": f"{accepted / target:.0%}".replace("%", " %"), "sub": f"{accepted:,} of {target:,}",
            "heat": min(1.0, accepted / target)}  # fmt: skip
