"""What a reviewer wants to see: task, level, domain, language, agent and gates, in a small box over the desk. The URL holds
the choice, so that a reload and a link keep it."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from pages.parts.annotate.review import path as review_path
from pages.parts.ui.say import escape
from workbench.annotate.reviewing.reviews import ANY_FLAG, NO_FLAG, ItemKind

NAMES = ("task", "level", "domain", "language", "agent", "flag")
_ANY = ""
_FLAGS = {ANY_FLAG: "flagged by any gate", NO_FLAG: "passed by all gates"}


def chosen(choices: Mapping[str, list[Any]]) -> ItemKind:
    """What the URL says; a value that no item has is none. Levels are numbers again."""
    found: dict[str, Any] = {}
    for name in NAMES:
        said = st.query_params.get(name, _ANY)
        found[name] = next((value for value in choices[name] if str(value) == said), None)
    return ItemKind(**found)


def show(choices: Mapping[str, list[Any]], kind: ItemKind) -> None:
    """Draw the box; a choice goes into the URL, and the place in the queue out of it."""
    active = [value for value in kind if value is not None]
    label = ", ".join(_said(name, value) for name, value in zip(NAMES, kind, strict=True) if value is not None)
    with st.popover(escape(label) if active else "All items", icon=":material/filter_list:", type="tertiary", width="content"):
        for name, value in zip(NAMES, kind, strict=True):
            key = f"review_{name}"
            st.session_state[key] = _ANY if value is None else str(value)
            options = [_ANY, *map(str, choices[name])]
            if len(options) == 1:
                continue
            said = partial(_option, name)
            st.selectbox(name.capitalize(), options, key=key, on_change=_choose, args=(name,), format_func=said)
        if active:
            st.button("Show all items", key="review_all", on_click=clear, width="stretch")


def clear() -> None:
    """Every item again, from the first that waits."""
    for name in NAMES:
        st.query_params.pop(name, None)
    review_path.go(None)


def _choose(name: str) -> None:
    value = str(st.session_state[f"review_{name}"])
    review_path.go(None)
    if value:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)


def _option(name: str, value: str) -> str:
    return _said(name, value) if value else f"Any {name}"


def _said(name: str, value: object) -> str:
    if name == "flag":
        return _FLAGS.get(str(value)) or f"flagged by {str(value).replace('_', ' ')}"
    if name == "agent":
        return str(value)
    return f"level {value}" if name == "level" else str(value).replace("_", " ")
