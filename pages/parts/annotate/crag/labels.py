"""Widgets for the labels of the CRAG benchmark, each with the meaning of the chosen value, and a list of all values with their
meanings."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.quality import crag
from pages.parts.ui.say import escape

VALUES: Mapping[str, Mapping[str, str]] = {"domain": crag.DOMAINS, **crag.LABELS}
"""Dict from the name of a CRAG label to the label's values with their meanings; the domain is one of the labels."""


def show(current: Mapping[str, object], key: str, names: Sequence[str], on_change: Callable[[], None] | None = None) -> None:
    """Show a select box for each label in `names`, with the label's value from `current`; the widget key of a box is `key` +
    "_" + the name of the label."""
    for column, name in zip(st.columns(len(names)), names, strict=True):
        options = list(VALUES[name])
        with column:
            value = st.selectbox(
                crag.NAMES[name],
                options,
                index=options.index(str(current[name])) if current.get(name) in options else None,
                key=f"{key}_{name}",
                on_change=on_change,
                format_func=lambda value: value or "web (no table)",
                placeholder="choose",
            )
            st.caption(escape(VALUES[name][value]) if value is not None else "Nothing chosen yet.")


def show_meanings() -> None:
    """Show the list of all labels and values with the meaning of each value."""
    with st.expander("What the labels mean", icon=":material/menu_book:"):
        for name, values in VALUES.items():
            st.markdown(f"**{crag.NAMES[name]}**")
            for value, about in values.items():
                st.caption(escape(f"{value or 'web'}: {about}"))
