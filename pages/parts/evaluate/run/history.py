"""The list of runs, newest first, fifty per page. A person can open several runs side by side, or fill the form for a new run
with the settings of one run."""

from datetime import datetime
from typing import Any

import streamlit as st

from pages.parts.evaluate.links import link_results
from pages.parts.evaluate.run import form
from pages.parts.ui.data_table import show_rows
from pages.parts.ui.feedback import keep_errors, show_feedback
from pages.parts.ui.heading import show_empty
from pages.parts.ui.listing import PAGE_ROWS, find_page_start
from pages.parts.ui.say import count_things
from workbench import open_workbench
from workbench.evaluate.running.run_progress import RunRecord


def show() -> None:
    """Show the list of runs, and buttons that act on the chosen runs."""
    _, total = open_workbench().runs.list_runs(limit=0)
    if not total:
        show_empty("No runs yet", "Start a quick check: it takes minutes and shows what a run looks like.")
        return
    show_feedback("history")
    actions = st.container(horizontal=True, vertical_alignment="center")
    rows, _ = open_workbench().runs.list_runs(PAGE_ROWS, find_page_start(total, "history_page"))
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    event = show_rows(
        [_build_line(row) for row in rows],
        {
            "System": text(width=120),
            "Release": text(width=60),
            "Agent": text(width=65),
            "Settings": text(width=290),
            "Answered": text(width=90),
            "Failed": number(width=50),
            "Cost, USD": number(format="%.4f", width=70),
            "Offline": text(width=60),
            "Index, s": number(format="%.2f", width=60, help="Seconds that it took to prepare the index."),
            "When": st.column_config.DatetimeColumn(format="MM-DD HH:mm", timezone="UTC", width=85),
        },
        key="history",
        on_select="rerun",
        selection_mode="multi-row",
    )
    chosen = [rows[place].row.run.id for place in event.selection.rows if place < len(rows)]
    with actions:
        hint = f"{len(chosen)} chosen." if chosen else "Choose rows to open them side by side."
        st.caption(f"{count_things(total, 'run')}. {hint}", width="content")
        if len(chosen) == 1:
            st.button("Use the run's settings", icon=":material/replay:", key="history_again", on_click=_fill_form, args=chosen)
        if chosen:
            link_results(chosen)


def _build_line(record: RunRecord) -> dict[str, Any]:
    row, run = record.row, record.row.run
    return {
        "System": record.label,
        "Release": run.release,
        "Agent": run.agent,
        "Settings": record.settings,
        "Answered": f"{row.answered:,} of {row.asked:,}",
        "Failed": row.failed,
        "Cost, USD": record.cost_usd,
        "Offline": ", ".join(run.offline) or None,
        "Index, s": row.build_seconds,
        "When": datetime.fromisoformat(row.made_at),
        "Run": run.id,
    }


def _fill_form(run: str) -> None:
    with keep_errors("history"):
        form.fill_form(open_workbench().runs.rebuild_request(run))
        st.session_state["run_view"] = "Full run"
