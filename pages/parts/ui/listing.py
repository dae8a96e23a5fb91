"""A list in which a person can choose a row, shown fifty rows at a time."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import streamlit as st

PAGE_ROWS = 50
"""Number of rows on one page."""
MAX_VISIBLE_ROWS = 13
"""Maximum number of rows shown without a scroll bar, so that what a chosen row opens below stays in view."""


def find_page_start(total: int, key: str) -> int:
    """Show page numbers if the list needs more than one page, and return the index of the first row on the open page."""
    pages = max(1, -(-total // PAGE_ROWS))
    if pages == 1:
        return 0
    if st.session_state.get(key, 1) > pages:
        st.session_state[key] = pages
    return (int(st.pagination(pages, key=key)) - 1) * PAGE_ROWS


def show(rows: Sequence[Mapping[str, Any]], key: str, columns: Mapping[str, Any], hidden: Sequence[str] = ()) -> int | None:
    """Show the rows as a table, and return the index of the chosen row, or None. `columns` is an ordered dict from name to
    st.column_config."""
    order = [name for name in columns if name not in hidden]
    event: Any = st.dataframe(
        [{name: row.get(name) for name in columns} for row in rows],
        key=key,
        hide_index=True,
        column_order=order,
        column_config=dict(columns),
        on_select="rerun",
        selection_mode="single-row",
        placeholder="–",
        height=_find_height(len(rows)),
    )
    chosen = event.selection.rows
    return int(chosen[0]) if chosen else None


def show_lines(rows: Sequence[Mapping[str, Any]], key: str, columns: Mapping[str, Any]) -> None:
    """Show the rows as a table in which no row can be chosen."""
    st.dataframe(list(rows), hide_index=True, column_config=dict(columns), key=key, height=_find_height(len(rows)))


def _find_height(rows: int) -> int | Literal["content"]:
    return "content" if rows <= MAX_VISIBLE_ROWS else 35 * (MAX_VISIBLE_ROWS + 1) + 2
