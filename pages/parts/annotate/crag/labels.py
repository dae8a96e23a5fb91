"""CRAG's labels as widgets, each with what its value means, and the whole lists beside them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.quality import crag
from pages.parts.ui.say import escape


def show(now: Mapping[str, str], key: str, names: Sequence[str], changed: Callable[[], None] | None = None) -> dict[str, Any]:
    """A box for each of `names` (domain, or a label), beginning with the values in `now`; what is chosen, None = nothing."""
    chosen: dict[str, Any] = {}
    for column, name in zip(st.columns(len(names)), names, strict=True):
        values = {"domain": crag.DOMAINS, **crag.LABELS}[name]
        with column:
            options = list(values)
            start = options.index(now[name]) if now.get(name) in values else None
            value = st.selectbox(
                crag.NAMES[name],
                options,
                index=start,
                key=f"{key}_{name}",
                on_change=changed,
                format_func=lambda one: one or "web (no table)",
                placeholder="choose",
            )
            chosen[name] = value
            st.caption(escape(values[value]) if value is not None else "Nothing chosen yet.")
    return chosen


def meanings() -> None:
    """All lists with what their values mean."""
    with st.expander("What the labels mean", icon=":material/menu_book:"):
        for name, values in {"domain": crag.DOMAINS, **crag.LABELS}.items():
            st.markdown(f"**{crag.NAMES[name]}**")
            for value, about in values.items():
                st.caption(escape(f"{value or 'web'}: {about}"))
