"""A table of plain values without a scroll bar, and a button that downloads a file."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st


def show_rows(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any] | None = None, **more: Any) -> Any:
    """Show the rows as a table, and return Streamlit's selection event. `columns` is a dict from name to st.column_config; an
    empty cell shows a dash."""
    return st.dataframe(rows, hide_index=True, placeholder="–", height="content", column_config=dict(columns or {}), **more)


def download(label: str, data: str | bytes | Callable[[], str | bytes], name: str, mime: str, key: str) -> None:
    """Show a button that downloads `data` as the file `name`, without a rerun of the page."""
    st.download_button(label, data, name, mime, icon=":material/download:", key=key, on_click="ignore")
