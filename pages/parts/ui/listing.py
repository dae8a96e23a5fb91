"""A list shown fifty rows at a time; returns the chosen row."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

PAGE_ROWS = 50
"""Number of rows on one page."""
MAX_VISIBLE_ROWS = 13
"""Maximum number of rows without scrolling, so that a chosen row opens in view."""


def find_page_start(total: int, key: str) -> int:
    """Draw page numbers when there is more than one page; return the index of the first row on the open page."""
    pages = max(1, -(-total // PAGE_ROWS))
    if pages == 1:
        return 0
    if st.session_state.get(key, 1) > pages:
        st.session_state[key] = pages
    return (int(st.pagination(pages, key=key)) - 1) * PAGE_ROWS


def show(rows: Sequence[Mapping[str, Any]], key: str, columns: Mapping[str, Any], hidden: Sequence[str] = ()) -> int | None:
    """Draw the rows as a table; returns the index of the chosen row. `columns` = name -> st.column_config, in order."""
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
        height="content" if len(rows) <= MAX_VISIBLE_ROWS else 35 * (MAX_VISIBLE_ROWS + 1) + 2,
    )
    chosen = event.selection.rows
    return int(chosen[0]) if chosen else None
