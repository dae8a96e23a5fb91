"""A table's rows, a page at a time."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from workbench import opened

SIZE = 50


def show(card: Mapping[str, Any]) -> None:
    """Draw a page of them."""
    key = f"tables_rows_{card['hash']}"
    pages = -(-card["rows"] // SIZE)
    number = st.session_state.get(key, 1)
    found = opened().tables.rows(card["name"], SIZE, SIZE * (number - 1))
    shown = [{name: list(cell) if isinstance(cell, tuple) else cell for name, cell in row.items()} for row in found]
    st.dataframe(
        shown,
        hide_index=True,
        height=460 if len(found) > 11 else "auto",
        placeholder="–",
        column_config={
            name: st.column_config.NumberColumn(format="%d") for name, kind in card["columns"].items() if kind == "integer"
        },
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        file = f" · from {card['origin']}" if card["origin"] else ""
        st.text(f"{card['rows']:,} {'row' if card['rows'] == 1 else 'rows'}{file} · {card['hash']}")
        st.space("stretch")
        if pages > 1:
            st.pagination(pages, key=key)
