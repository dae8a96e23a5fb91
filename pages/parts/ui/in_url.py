"""Choices on a page that are kept in its address, so that a link or a reload shows the same page. A widget gets its value from
the address before it is drawn, and writes its value back when a person changes it.

The browser sends its address with every rerun. Between a press that changes the address and the arrival of the new one in the
browser, a timer or another press sends the old address, and the page would be drawn as before the first press (Streamlit 1.67).
`remember_address` keeps the address of a run of the page. `restore_address` puts it in place of the address that came with a
fragment, and `begin_address` puts it in place of an old address that came with a run of the page."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

_ADDRESS = "in_url_address"
"""Session key of the address at the end of the last run of the page, as a dict from name to list of values."""


_REPLACED = "in_url_replaced"
"""Session key of the addresses that presses of widgets replaced lately, as a list of _ReplacedAddress."""
_LATE_SECONDS = 5.0
"""Seconds for which the browser may still send an address that was replaced."""


class _ReplacedAddress(NamedTuple):
    """An address in place of which the press of a widget wrote another."""

    page: str
    """Streamlit's hash of the page."""
    address: dict[str, list[str]]
    replaced_at: float
    """Time of the monotonic clock."""


def begin_address() -> None:
    """Begin a run of the whole page: use the address from the browser, or the stored one if the browser has not received that
    yet."""
    _correct_late_address()
    st.session_state.pop(_ADDRESS, None)


def remember_address() -> None:
    """Store the address for the fragments of the page, at the end of a run of the whole page."""
    st.session_state[_ADDRESS] = _read_address()


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
                _set_value(name, values)


def _correct_late_address() -> None:
    """Set the address to the stored one if the browser sent an address that was replaced lately, unless a person went back to
    that address in the browser's history. Do nothing while the whole page runs."""
    context, sent = get_script_run_ctx(), _read_address()
    if context is None or context.is_history_navigation or sent == st.session_state.get(_ADDRESS):
        return
    since = time.monotonic() - _LATE_SECONDS
    replaced: Sequence[_ReplacedAddress] = st.session_state.get(_REPLACED, ())
    if any(old.replaced_at > since and (old.page, old.address) == (context.page_script_hash, sent) for old in replaced):
        restore_address()


def _note_replaced() -> None:
    """Store the present address as replaced. Call it before the press of a widget changes the address."""
    _correct_late_address()
    if context := get_script_run_ctx():
        now = time.monotonic()
        replaced = [old for old in st.session_state.get(_REPLACED, ()) if old.replaced_at > now - _LATE_SECONDS]
        st.session_state[_REPLACED] = [*replaced, _ReplacedAddress(context.page_script_hash, _read_address(), now)]


def _read_address() -> dict[str, list[str]]:
    return {name: read_words(name) for name in st.query_params}


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
    _correct_late_address()
    for name, new in values.items():
        value = "1" if new is True else new
        words = [str(entry) for entry in value] if isinstance(value, list | tuple) else [str(value)]
        _set_value(name, [] if value in (None, "", [], False) else words)


def replace_address(**values: Any) -> None:
    """Replace the whole address by these values, including the values of widgets that are bound to the address."""
    st.query_params.from_dict(values)
    if _ADDRESS in st.session_state:  # a callback of a fragment
        remember_address()


def _set_value(name: str, words: list[str]) -> None:
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
        _note_replaced()
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
