"""What is chosen on a page, kept in its address: a link or a reload shows the same. A widget is given its value from there
before it is drawn, and writes it back when a person changes it."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st


def words(name: str) -> list[str]:
    """Every value of that name, in order."""
    return list(st.query_params.get_all(name))


def word(name: str, default: str = "", among: Sequence[str] | None = None) -> str:
    """The value of that name; the default where there is none, or one that is not `among` what there is."""
    found = str(st.query_params.get(name, default))
    return found if among is None or found in among else default


def number(name: str, default: int = 1) -> int:
    """A whole number of 1 or more."""
    found = word(name)
    return int(found) if re.fullmatch("0*[1-9][0-9]{0,8}", found) and len(found) < 20 else default


def put(**values: Any) -> None:
    """Write values: a list stands under its name as often as it is long; True is 1; None, "", [] and False take it away."""
    for name, given in values.items():
        value = "1" if given is True else given
        if value in (None, "", [], False):
            st.query_params.pop(name, None)
        else:
            st.query_params[name] = [str(one) for one in value] if isinstance(value, list | tuple) else str(value)


def link(label: str, icon: str, key: str, **values: str) -> None:
    """A link to another view of the page that is open: its address gets these values, and no other. A page link to the page
    itself would not do: the browser forgets its values at the next press of a widget."""
    st.button(label, key, icon=icon, type="tertiary", on_click=st.query_params.from_dict, args=(values,))


def held(key: str, name: str, value: Any, *forgets: str) -> Callable[[], None]:
    """Give the widget `key` its value; returns its on_change, which writes it under `name` and forgets what hung on it."""
    st.session_state[key] = value

    def changed() -> None:
        put(**{name: st.session_state[key]}, **dict.fromkeys(forgets))

    return changed


def choose_view(views: Mapping[str, str], key: str, *forgets: str, name: str = "view", label: str = "View") -> str:
    """Draw one of the views (value -> label) as chosen; the address holds it under `name`, the first by default."""
    view = word(name, next(iter(views)), list(views))
    st.segmented_control(
        label,
        list(views),
        key=key,
        format_func=views.__getitem__,
        required=True,
        label_visibility="collapsed",
        on_change=held(key, name, view, *forgets),
    )
    return view


def select(name: str, label: str, options: Sequence[str], default: str, key: str, *forgets: str, **box: Any) -> str:
    """Draw a select box; the address holds its value under `name`. `box` goes to the select box."""
    value = word(name, default, options)
    st.selectbox(label, options, key=key, on_change=held(key, name, value, *forgets), **box)
    return value
