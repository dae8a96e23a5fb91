"""The list of sign-ins: who signed in or was refused, with time and network address."""

import streamlit as st

from pages.parts.ui import listing
from pages.parts.ui.heading import show_empty
from workbench import open_workbench

COLUMNS = {
    "At (UTC)": st.column_config.TextColumn(),
    "Person": st.column_config.TextColumn(width="medium"),
    "": st.column_config.TextColumn(width=70),
    "What": st.column_config.TextColumn(width="medium"),
    "From": st.column_config.TextColumn(),
    "Details": st.column_config.TextColumn(width="large"),
}


def show() -> None:
    """Show the list of sign-ins, fifty at a time."""
    accounts = open_workbench().accounts
    names = accounts.list_tried_names()
    if not names:
        show_empty("Nobody has signed in yet", "All sign-ins are listed here, including refused ones.")
        return
    chosen = st.multiselect("Person", names, format_func=_name, placeholder="everybody", key="sign_in_people", width=300)
    _, total = accounts.list_sign_ins(tuple(chosen), 0)
    start = listing.find_page_start(total, f"sign_in_page_{chosen}")
    rows, _ = accounts.list_sign_ins(tuple(chosen), listing.PAGE_ROWS, start)
    listing.show_lines(
        [
            {
                "At (UTC)": row.at[:19].replace("T", " "),
                "Person": _name(row.tried),
                "": "refused" if row.is_refused else "",
                "What": row.act,
                "From": row.address,
                "Details": row.detail,
            }
            for row in rows
        ],
        "sign_in_lines",
        COLUMNS,
    )
    st.caption(
        "An unknown name is not stored: it may be a password typed into the wrong box. The same refusal within a minute is "
        "listed once."
    )


def _name(tried: str) -> str:
    return tried or "nobody known"
