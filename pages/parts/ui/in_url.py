"""Keeps choices on a page in the page's URL, so that a link or a reload shows the same page. A widget gets its value from the
URL before it is shown, and writes its value to the URL when a person changes it.

The browser sends its URL with every rerun. After a click that changes the URL, until the new URL arrives in the browser, a
timer or another click still sends the old URL, and the page would be shown as before the first click (Streamlit 1.67).
`remember_address` stores the URL parameters at the end of a run of the page. `restore_address` uses them in a fragment in place
of the URL that the browser sent, and `begin_address` uses them in a run of the page if the browser sent an old URL."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

_ADDRESS = "in_url_address"
"""Session key of the URL parameters at the end of the last run of the page, as a dict from name to list of values."""


_REPLACED = "in_url_replaced"
"""Session key of the URL parameters that changes of widgets replaced recently, as a list of _ReplacedAddress."""
_LATE_SECONDS = 5.0
"""Seconds for which the browser may still send URL parameters that were replaced."""


class _ReplacedAddress(NamedTuple):
    """The parameters of a URL that a change of a widget has replaced with other parameters."""

    page: str
    """Streamlit's hash of the page."""
    address: dict[str, list[str]]
    replaced_at: float
    """Time of the replacement, from time.monotonic()."""


def begin_address() -> None:
    """Begin a run of the whole page: use the URL parameters that the browser sent, or the stored ones if the browser has not
    received those yet."""
    _correct_late_address()
    st.session_state.pop(_ADDRESS, None)


def remember_address() -> None:
    """Store the URL parameters for the fragments of the page, at the end of a run of the whole page."""
    st.session_state[_ADDRESS] = _read_address()


def restore_address() -> None:
    """In a fragment, replace the URL parameters, which may be outdated, with the stored ones; do nothing while the whole page
    runs."""
    remembered: dict[str, list[str]] | None = st.session_state.get(_ADDRESS)
    if remembered is None:
        return
    for name in {*remembered, *st.query_params}:
        values = remembered.get(name, [])
        if read_words(name) != values:
            with suppress(StreamlitAPIException):  # the value of a widget that is bound to the URL; only the browser changes it
                _set_value(name, values)


def _correct_late_address() -> None:
    """Replace the URL parameters with the stored ones if the browser sent parameters that were replaced a few seconds ago,
    unless the person went back to them in the browser's history. Do nothing while the whole page runs."""
    context, sent = get_script_run_ctx(), _read_address()
    if context is None or context.is_history_navigation or sent == st.session_state.get(_ADDRESS):
        return
    since = time.monotonic() - _LATE_SECONDS
    replaced: Sequence[_ReplacedAddress] = st.session_state.get(_REPLACED, ())
    if any(old.replaced_at > since and (old.page, old.address) == (context.page_script_hash, sent) for old in replaced):
        restore_address()


def _note_replaced() -> None:
    """Store the present URL parameters as replaced. Call this function before a change of a widget changes the URL."""
    _correct_late_address()
    if context := get_script_run_ctx():
        now = time.monotonic()
        replaced = [old for old in st.session_state.get(_REPLACED, ()) if old.replaced_at > now - _LATE_SECONDS]
        st.session_state[_REPLACED] = [*replaced, _ReplacedAddress(context.page_script_hash, _read_address(), now)]


def _read_address() -> dict[str, list[str]]:
    return {name: read_words(name) for name in st.query_params}


def read_words(name: str) -> list[str]:
    """Return all values of the URL parameter `name`, in order."""
    return list(st.query_params.get_all(name))


def read_word(name: str, default: str = "", among: Sequence[str] | None = None) -> str:
    """Return the value of the URL parameter `name`, or `default` if there is none or if `among` does not contain the value."""
    word = str(st.query_params.get(name, default))
    return word if among is None or word in among else default


def read_number(name: str, default: int = 1) -> int:
    """Return the URL parameter `name` as a whole number of at least 1, or `default` if its value is no such number."""
    word = read_word(name)
    return int(word) if re.fullmatch("0*[1-9][0-9]{0,8}", word) and len(word) < 20 else default


def write_address(**values: Any) -> None:
    """Write each value to the URL parameter of its name. A list writes the parameter once per value, True writes 1, and None,
    "", [] or False removes the parameter."""
    _correct_late_address()
    for name, new in values.items():
        value = "1" if new is True else new
        words = [str(entry) for entry in value] if isinstance(value, list | tuple) else [str(value)]
        _set_value(name, [] if value in (None, "", [], False) else words)


def replace_address(**values: Any) -> None:
    """Replace all URL parameters with these values, including those of widgets that are bound to the URL."""
    st.query_params.from_dict(values)
    if _ADDRESS in st.session_state:  # true in a callback of a fragment
        remember_address()


def _set_value(name: str, words: list[str]) -> None:
    """Write all values of one URL parameter, or remove the parameter if `words` is empty."""
    if words:
        st.query_params[name] = words
    else:
        st.query_params.pop(name, None)
    if _ADDRESS in st.session_state:  # true in a callback of a fragment
        st.session_state[_ADDRESS][name] = words


def link(label: str, icon: str, key: str, **values: str) -> None:
    """Show a button that opens another view of the open page, whose URL then contains only these parameters. A page link to the
    same page would not work: the browser loses the parameters at the next change of a widget."""
    st.button(label, key, icon=icon, type="tertiary", on_click=replace_address, kwargs=values)


def keep_in_address(key: str, name: str, value: Any, *forgets: str) -> Callable[[], None]:
    """Set the value of the widget `key`, and return its on_change callback, which writes the new value to the URL parameter
    `name` and removes the parameters named in `forgets`.

    If the widget already has the value, it is not set again, because Streamlit (1.67) would send the value to the browser and
    overwrite a newer choice of the person."""
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
    """Show a select box whose choice is stored in the URL parameter `name`, and return the choice.

    `where` is a column or `st`. If `options` is a mapping, its values are the labels of the options. A change removes the URL
    parameters named in `forgets`.
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
    """Show the switch between the views of a page, and return the open view. `views` is a dict from view to label; the URL
    parameter `name` stores the open view."""
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
    """Show the page numbers of a list of `total` rows; the URL parameter `page` stores the chosen page. Show nothing if all
    rows fit on one page."""
    pages = -(-total // page_size)
    if pages > 1:
        st.pagination(pages, key=key, on_change=keep_in_address(key, "page", min(read_number("page"), pages)))
