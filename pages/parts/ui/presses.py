"""Requests of a component, such as the review desk, to open another item. The page handles each request once, even if Streamlit
repeats the request later with the old URL. The component sends no further request until the page calls `mark_answered`."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st


class PageRequest(NamedTuple):
    """A person's request to the page to open another item, or to react to a decision."""

    to: str
    """What is requested, such as "next" or "back"; the component's own module lists the values. "open" opens `item`."""
    item: str
    """Id of the item that the person leaves or that the request is about."""
    n: int = 0
    """Number of the request within this browser tab."""
    at: str = ""
    """Id of the item that was on the screen."""
    key: str = ""
    """Key of the component that the request comes from."""


def load_last_request(key: str) -> dict[str, Any]:
    """Return the request that the page answered last, as a dict: its number `n`, the item `at` that was on the screen, and the
    item `to` that was opened."""
    return dict(st.session_state.get(f"{key}_last", {"n": 0, "at": "", "to": ""}))


def read_request(went: Mapping[str, Any] | None, at: str, key: str) -> PageRequest | None:
    """Return the new request in the component's value `went`, or None if there is none; `at` is the id of the item on the
    screen."""
    answered_last = load_last_request(key)
    if not went or int(went["n"]) < answered_last["n"]:
        return None
    if int(went["n"]) == answered_last["n"]:  # a request that Streamlit repeats with an old URL opens the same item again
        to = answered_last["to"]
        if at != answered_last["at"] or at == to:
            return None
        return PageRequest("open" if to else "next", to or at, answered_last["n"], at, key)
    return PageRequest(went["to"], str(went["item"]), int(went["n"]), at, key)


def mark_answered(pressed: PageRequest, to: str | None) -> None:
    """Store that the page has answered the request `pressed` by showing the item `to`, or no item if `to` is None. Call this
    function last: another rerun may end this rerun early, and must then handle the request itself."""
    n = max(pressed.n, load_last_request(pressed.key)["n"])
    st.session_state[f"{pressed.key}_last"] = {"n": n, "at": pressed.at, "to": to}
