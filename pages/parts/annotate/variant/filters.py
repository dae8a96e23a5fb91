"""Which variants a reviewer wants to see: kind, task, domain, and what guards flagged. The URL holds the choice."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.say import escape
from workbench.annotate.wordings.variants import CLEAN, FLAGGED, VariantKind

LABELS = {"kind": "Kind", "task": "Task", "domain": "Domain", "flag": "Guards"}
_SAID = {FLAGGED: "flagged by a guard", CLEAN: "flagged by none"}


def chosen(choices: Mapping[str, list[Any]]) -> VariantKind:
    """What the URL says; a value that no waiting variant has is none."""
    found = {name: read_word(name, among=["", *map(str, choices[name])]) or None for name in VariantKind._fields}
    return VariantKind(**found)


def show(choices: Mapping[str, list[Any]], kind: VariantKind) -> None:
    """Draw the box; a choice goes into the URL, and the place in the queue out of it."""
    active = [_option(name, value) for name, value in kind._asdict().items() if value]
    label = escape(", ".join(active)) if active else "All variants"
    with st.popover(label, icon=":material/filter_list:", type="tertiary", width="content"):
        for name, value in kind._asdict().items():
            if not choices[name]:
                continue
            key = f"variant_{name}"
            st.session_state[key] = value or ""
            st.selectbox(
                LABELS[name],
                ["", *map(str, choices[name])],
                key=key,
                on_change=_choose,
                args=(name,),
                format_func=partial(_option, name),
            )
        if active:
            st.button("Show all variants", key="variant_all", on_click=clear, width="stretch")


def clear() -> None:
    """Every variant again, from the first that waits."""
    write_address(variant=None, **dict.fromkeys(VariantKind._fields))


def _choose(name: str) -> None:
    write_address(variant=None, **{name: st.session_state[f"variant_{name}"]})


def _option(name: str, value: str) -> str:
    return _SAID.get(value, value.replace("_", " ")) if value else f"Any {LABELS[name].lower()}"
