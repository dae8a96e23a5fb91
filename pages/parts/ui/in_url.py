"""Choices on a page that are kept in its address, so that a link or a reload shows the same page. A widget gets its value from
the address before it is drawn, and writes its value back when a person changes it.

The browser sends its address with every rerun. Between a press that changes the address and the arrival of the new one in the
browser, the timer of a fragment sends the old address; a full rerun that the fragment requests would then draw the page before
the press (Streamlit 1.67). `remember_address` keeps the address of a run of the page, and `restore_address` puts it in place of
the address that came with a fragment."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

_ADDRESS = "in_url_address"
"""Session key of the address at the end of the last run of the page, as a dict from name to list of values."""


def forget_address() -> None:
    """Forget the stored address at the beginning of a run of the whole page, which takes it from the browser."""
    st.session_state.pop(_ADDRESS, None)


def remember_address() -> None:
    """Store the address for the fragments of the page, at the end of a run of the whole page."""
    st.session_state[_ADDRESS] = {name: read_words(name) for name in st.query_params}


def restore_address() -> None:
    """Set the address to the stored one in a fragment, whose browser may send an older address; do nothing while the whole page
    runs."""
    remembered: dict[str, list[str]] | None = st.session_state.get(_ADDRESS)
    if remembered is None:
        return
    for name in {*remembered, *st.query_params}:
        values = remembered.get(name, [])
        if read_words(name) != values:
            with suppress(StreamlitAPIException):  # the value of a bound widget, which only the browser changes
                _write_value(name, values)


def read_words(name: str) -> list[str]:
    """Return every value that the address has for `name`, in order."""
    return list(st.query_params.get_all(name))


def read_word(name: str, default: str = "", among: Sequence[str] | None = None) -> str:
    """Return the value of `name` in the address, or `default` if there is none or if `among` does not contain it."""
    word = str(st.query_params.get(name, default))
    return word if among is None or word in among else default


def read_number(name: str, default: int = 1) -> int:
    """Return the whole number of at least 1 that the address has for `name`, or `default` if there is none."""
    word = read_word(name)
    return int(word) if re.fullmatch("0*[1-9][0-9]{0,8}", word) and len(word) < 20 else default


def write_address(**values: Any) -> None:
    """Write values to the address by name. A list writes its name once per value, True writes 1, and None, "", [] or False
    removes the name."""
    for name, new in values.items():
        value = "1" if new is True else new
        words = [str(entry) for entry in value] if isinstance(value, list | tuple) else [str(value)]
        _write_value(name, [] if value in (None, "", [], False) else words)


def replace_address(**values: Any) -> None:
    """Replace the whole address by these values, including the values of widgets that are bound to the address."""
    st.query_params.from_dict(values)
    if _ADDRESS in st.session_state:  # a callback of a fragment
        remember_address()


def _write_value(name: str, words: list[str]) -> None:
    """Write all values of one name to the address, or remove the name if `words` is empty."""
    if words:
        st.query_params[name] = words
    else:
        st.query_params.pop(name, None)
    if _ADDRESS in st.session_state:  # a callback of a fragment
        st.session_state[_ADDRESS][name] = words


def link(label: str, icon: str, key: str, **values: str) -> None:
    """Draw a button that leads to another view of the open page, whose address then contains only these values. A page link to
    the same page would not work: the browser loses the values at the next press of a widget."""
    st.button(label, key, icon=icon, type="tertiary", on_click=replace_address, kwargs=values)


def keep_in_address(key: str, name: str, value: Any, *forgets: str) -> Callable[[], None]:
    """Set the value of the widget `key`, and return its on_change callback, which writes the new value to the address as `name`
    and removes the values named in `forgets`.

    A widget that has the value is left alone: Streamlit (1.67) would send the value with the widget, and the browser would put
    it in place of what a person has pressed meanwhile."""
    if key not in st.session_state or st.session_state[key] != value:
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
    """Draw a select box whose choice is stored in the address as `name`, and return the choice.

    `where` is a column or `st`. A mapping gives each option its label. A change removes the values `forgets` from the address.
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
    """Draw the switch between the views of a page, and return the open view. `views` is a dict from view to label; the address
    stores the view as `name`."""
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
    """Draw the page numbers of a list of `total` rows; the address stores the chosen page as `page`. Draw nothing if one page
    holds all rows."""
    pages = -(-total // page_size)
    if pages > 1:
        st.pagination(pages, key=key, on_change=keep_in_address(key, "page", min(read_number("page"), pages)))
