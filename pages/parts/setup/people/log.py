"""The log of the workspace, fifty lines at a time: people's changes and refused actions, each with name and time."""

from datetime import date
from functools import partial

import streamlit as st

from pages.parts.setup.people import sign_ins
from pages.parts.ui import listing
from pages.parts.ui.heading import show_empty
from pages.parts.ui.in_url import switch_view
from workbench import open_workbench
from workbench.actor import carry_to_thread
from workbench.setup.log import LogFilter, describe_details
from workbench.setup.sign_in_settings import is_sign_in_on

TERMINAL = "the terminal"
LOGS = {"acts": "What was done", "sign-ins": "Sign-ins"}
COLUMNS = {
    "At (UTC)": st.column_config.TextColumn(),
    "Person": st.column_config.TextColumn(width=130),
    "Outcome": st.column_config.TextColumn(width=80),
    "What was done": st.column_config.TextColumn(width="medium"),
    "To what": st.column_config.TextColumn(width="medium"),
    "Details": st.column_config.TextColumn(width="medium"),
}


def show() -> None:
    """Show the log and, if sign-in is on, the list of sign-ins."""
    if is_sign_in_on() and switch_view(LOGS, "log_kind", name="log") == "sign-ins":
        sign_ins.show()
    else:
        _show_acts()


def _show_acts() -> None:
    """Show the log's changes and refused actions, with filters."""
    stage = open_workbench().log
    people, acts = stage.choices()
    if not people:
        show_empty(
            "The log is empty",
            "The log lists changes of the workspace and refused actions. Decisions and rewrites are stored with name and time "
            "elsewhere.",
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        who = st.multiselect("Person", people, format_func=_name, placeholder="everybody", key="log_people", width=300)
        what = st.multiselect("What was done", acts, placeholder="anything", key="log_acts", width=380)
        day = st.date_input("Day (UTC)", None, key="log_day", width=170)
    wanted = LogFilter(tuple(who), tuple(what), day if isinstance(day, date) else None)
    _, total = stage.page(wanted, 0)
    start = listing.find_page_start(total, f"log_page_{wanted}")
    lines, _ = stage.page(wanted, listing.PAGE_ROWS, start)
    if not lines:
        show_empty("Nothing in the log matches", "Remove a filter to see more lines.")
        return
    listing.show_lines(
        [
            {
                "At (UTC)": line.at[:19].replace("T", " "),
                "Person": _name(line.person),
                "Outcome": "refused" if line.is_refused else "done",
                "What was done": line.act,
                "To what": line.what,
                "Details": describe_details(line),
            }
            for line in lines
        ],
        "log_lines",
        COLUMNS,
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"{total:,} {'line' if total == 1 else 'lines'}. The log leaves out decisions, rewrites and typed text: those "
            "are stored with name and time elsewhere.",
            width="stretch",
        )
        st.download_button(
            "As CSV",
            carry_to_thread(partial(stage.file, wanted)),
            "log.csv",
            "text/csv",
            icon=":material/download:",
            key="log_csv",
            on_click="ignore",
        )


def _name(person: str | None) -> str:
    return TERMINAL if person is None else person or "no name given"
