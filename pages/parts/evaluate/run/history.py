"""The runs there are, newest first, fifty a page; several are opened side by side, one is taken into the form again."""

from typing import Any

import streamlit as st

from core.errors import BenchError
from pages.parts.evaluate.run import form
from pages.parts.ui.heading import empty
from pages.parts.ui.listing import PAGE, page_of
from pages.parts.ui.say import trouble
from workbench import opened

TROUBLE = "history_trouble"


def show() -> None:
    """Draw them."""
    _, total = opened().runs.listed(limit=0)
    if not total:
        empty("No runs yet", "A quick check takes minutes and shows what a run looks like.")
        return
    if sentence := st.session_state.pop(TROUBLE, ""):
        trouble(sentence)
    actions = st.container(horizontal=True, vertical_alignment="center")
    rows, _ = opened().runs.listed(PAGE, page_of(total, "history_page"))
    event: Any = st.dataframe(
        [_line(row) for row in rows],
        key="history",
        hide_index=True,
        height="content",
        placeholder="–",
        on_select="rerun",
        selection_mode="multi-row",
        column_config={
            "System": st.column_config.TextColumn(width=120),
            "Release": st.column_config.TextColumn(width=60),
            "Agent": st.column_config.TextColumn(width=65),
            "Settings": st.column_config.TextColumn(width=290),
            "Answered": st.column_config.TextColumn(width=90),
            "Failed": st.column_config.NumberColumn(width=50),
            "Cost, USD": st.column_config.NumberColumn(format="%.4f", width=70),
            "Offline": st.column_config.TextColumn(width=60),
            "Index, s": st.column_config.NumberColumn(format="%.2f", width=60, help="Seconds that preparing the index took."),
            "When": st.column_config.DatetimeColumn(format="MM-DD HH:mm", timezone="UTC", width=85),
        },
    )
    chosen = [rows[place]["run"] for place in event.selection.rows if place < len(rows)]
    with actions:
        _actions(chosen, total)


def _actions(chosen: list[str], total: int) -> None:
    st.caption(
        f"{total:,} {'run' if total == 1 else 'runs'}. "
        + (f"{len(chosen)} chosen." if chosen else "Choose rows to open them side by side."),
        width="content",
    )
    if len(chosen) == 1:
        st.button("Use its settings", icon=":material/replay:", key="history_again", on_click=_again, args=(chosen[0],))
    if chosen:
        st.page_link(
            "pages/evaluate/results.py", label="Open in Results", icon=":material/leaderboard:", query_params={"run": chosen}
        )


def _line(row: dict[str, Any]) -> dict[str, Any]:
    from datetime import datetime

    return {
        "System": row["label"],
        "Release": row["release"],
        "Agent": row["agent"],
        "Settings": row["settings"],
        "Answered": f"{row['answered']:,} of {row['asked']:,}",
        "Failed": row["failed"],
        "Cost, USD": row["cost_usd"],
        "Offline": ", ".join(row["offline"]) or None,
        "Index, s": row["build_seconds"],
        "When": datetime.fromisoformat(row["at"]),
        "Run": row["run"],
    }


def _again(run: str) -> None:
    try:
        form.fill(opened().runs.again(run))
    except BenchError as error:
        st.session_state[TROUBLE] = str(error)
        return
    st.session_state["run_view"] = "Full run"
