"""The path through a queue, which decides where a press leads. The address holds the entry on the screen; the session of this
tab holds the entries before it."""

from collections.abc import Callable

import streamlit as st

from pages.parts.ui.in_url import read_word, write_address
from pages.parts.ui.presses import PageRequest

MAX_ENTRIES = 200
Find = Callable[[str], str | None]
"""Returns another entry for an entry; None without another entry."""


def has_passed(key: str) -> bool:
    """Return whether this tab has an entry before the entry on the screen."""
    return bool(st.session_state.get(key))


def step(pressed: PageRequest, name: str, key: str, find_next: Find, find_previous: Find) -> None:
    """Open the item that a request leads to; `name` is the entry's name in the address, `key` is the key of the tab's history
    in the session.

    When nothing else waits, `next` keeps the open entry, and `saved` closes the entry."""
    here = read_word(name, pressed.item)
    way: list[str] = st.session_state.setdefault(key, [])
    if pressed.to == "changed":
        return
    if pressed.to in ("open", "undone"):
        write_address(**{name: pressed.item})
    elif pressed.to == "back":
        write_address(**{name: way.pop() if way else find_previous(here)})
    else:
        target = find_next(here)
        if target is None and pressed.to == "next":
            return
        way.append(here)
        del way[:-MAX_ENTRIES]
        write_address(**{name: target})
