"""What is chosen on a page, kept in its address: a link or a reload shows the same. A widget is given its value from there
before it is drawn, and writes it back when a person changes it."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st


def read_words(name: str) -> list[str]:
    """Every value of that name, in order."""
    return list(st.query_params.get_all(name))


def read_word(name: str, default: str = "", among: Sequence[str] | None = None) -> str:
    """The value of that name; the default where there is none, or one that is not `among` what there is."""
    found = str(st.query_params.get(name, default))
    return found if among is None or found in among else default


def read_number(name: str, default: int = 1) -> int:
    """A whole number of 1 or more."""
    found = read_word(name)
    return int(found) if re.fullmatch("0*[1-9][0-9]{0,8}", found) and len(found) < 20 else default


def write_address(**values: Any) -> None:
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


def keep_in_address(key: str, name: str, value: Any, *forgets: str) -> Callable[[], None]:
    """Give the widget `key` its value; returns its on_change, which writes it under `name` and forgets what hung on it."""
    st.session_state[key] = value

    def write_back() -> None:
        write_address(**{name: st.session_state[key]}, **dict.fromkeys(forgets))

    return write_back


def choose(
    where: Any,
    label: str,
    name: str,
    options: Sequence[str] | Mapping[str, str],
    key: str,
    *,
    default: str = "",
    forgets: Sequence[str] = (),
    **box: Any,
) -> str:
    """Draw a select box whose choice stands in the address under `name`; returns the choice.

    `where` is a column or `st`. A mapping gives each option its label. A change takes the values `forgets` out of the address.
    """
    values = list(options)
    labels = options if isinstance(options, Mapping) else {}
    chosen = read_word(name, default or next(iter(values), ""), values)
    where.selectbox(
        label,
        values,
        key=key,
        format_func=lambda value: labels.get(value, value),
        on_change=keep_in_address(key, name, chosen, *forgets),
        **box,
    )
    return chosen


def switch_view(views: Mapping[str, str], key: str, *forgets: str, name: str = "view", label: str = "View") -> str:
    """Draw the switch between the views of a page (value -> label), kept in the address under `name`; returns the open one."""
    view = read_word(name, next(iter(views)), list(views))
    st.segmented_control(
        label,
        list(views),
        key=key,
        format_func=views.__getitem__,
        required=True,
        label_visibility="collapsed",
        on_change=keep_in_address(key, name, view, *forgets),
    )
    return view


def show_pages(total: int, page_size: int, key: str) -> None:
    """Draw the page numbers of a list of `total` rows, kept in the address as `page`; nothing where one page holds all."""
    pages = -(-total // page_size)
    if pages > 1:
        st.pagination(pages, key=key, on_change=keep_in_address(key, "page", min(read_number("page"), pages)))
