"""Presses of a component that leads from item to item. Each press is answered once, even when Streamlit repeats it late and
under the old address. The component accepts no further press until the page says `answered`."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st


class PageRequest(NamedTuple):
    """The item that a person asked to open."""

    to: str
    """Direction, as named in the component's own file; "open" = to `item`."""
    item: str
    """The item that was left, or that the request is about."""
    n: int = 0
    """Number of the request in this tab."""
    at: str = ""
    """Id of the item on the screen."""


def load_last_request(key: str) -> dict[str, Any]:
    """Return the last answered press: its number `n`, the item `at` that it was made on, and the item `to` that it opened."""
    return dict(st.session_state.get(f"{key}_last", {"n": 0, "at": "", "to": ""}))


def read_request(went: Mapping[str, Any] | None, at: str, key: str) -> PageRequest | None:
    """Return the press that this rerun handles, where `at` is the item on the screen, or None without a press."""
    answered_last = load_last_request(key)
    if not went or int(went["n"]) < answered_last["n"]:
        return None
    if int(went["n"]) == answered_last["n"]:  # a repeated request from an old address leads to the same item
        to = answered_last["to"]
        if at != answered_last["at"] or at == to:
            return None
        return PageRequest("open", to, answered_last["n"], at) if to else PageRequest("next", at, answered_last["n"], at)
    return PageRequest(went["to"], str(went["item"]), int(went["n"]), at)


def mark_answered(pressed: PageRequest, to: str | None, key: str) -> None:
    """Mark the last request as answered: the page now shows the requested item, or no item. Call this only afterwards: another
    rerun may end this rerun early, and must then handle the request itself."""
    st.session_state[f"{key}_last"] = {"n": max(pressed.n, load_last_request(key)["n"]), "at": pressed.at, "to": to}
