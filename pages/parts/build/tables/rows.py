"""A table's rows, a page at a time."""

import streamlit as st

from pages.parts.ui.listing import PAGE
from pages.parts.ui.say import counted
from workbench import open_workbench
from workbench.build.templates.tables import TableCard


def show(card: TableCard) -> None:
    """Draw a page of the rows."""
    table = card.stored
    key, pages = f"tables_rows_{table.hash}", -(-table.rows // PAGE)
    rows = open_workbench().tables.rows(table.name, PAGE, PAGE * (st.session_state.get(key, 1) - 1))
    shown = [{name: list(cell) if isinstance(cell, tuple) else cell for name, cell in row.items()} for row in rows]
    whole = st.column_config.NumberColumn(format="%d")
    st.dataframe(
        shown,
        hide_index=True,
        height=460 if len(rows) > 11 else "auto",
        placeholder="–",
        column_config={name: whole for name, kind in table.spec.columns.items() if kind == "integer"},
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        file = f" · from {table.origin}" if table.origin else ""
        st.text(f"{counted(table.rows, 'row')}{file} · {table.hash}")
        st.space("stretch")
        if pages > 1:
            st.pagination(pages, key=key)
