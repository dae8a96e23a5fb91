"""Presses of a component that leads from item to item: each is answered once, also when Streamlit tells it again, late and
under the old address. The component hears no further press before the page says `answered`."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st


class PageRequest(NamedTuple):
    """Where a person asked to go."""

    to: str
    """As the component's own file names the ways; "open" = to `item`."""
    item: str
    """The item that was left, or that the press is about."""
    n: int = 0
    """Its number in this tab."""
    at: str = ""
    """The item on the screen."""


def load_last_request(key: str) -> dict[str, Any]:
    """The last press that was answered: its number `n`, the item `at` it, and where it led `to`."""
    return dict(st.session_state.get(f"{key}_last", {"n": 0, "at": "", "to": ""}))


def read_request(went: Mapping[str, Any] | None, at: str, key: str) -> PageRequest | None:
    """The press that this rerun is for, where `at` is the item on the screen; None when there is none."""
    answered_last = load_last_request(key)
    if not went or int(went["n"]) < answered_last["n"]:
        return None
    if int(went["n"]) == answered_last["n"]:  # it came again, late and under the old address: to where it led
        to = answered_last["to"]
        if at != answered_last["at"] or at == to:
            return None
        return PageRequest("open", to, answered_last["n"], at) if to else PageRequest("next", at, answered_last["n"], at)
    return PageRequest(went["to"], str(went["item"]), int(went["n"]), at)


def mark_answered(pressed: PageRequest, to: str | None, key: str) -> None:
    """The page has gone where the press leads: to that item, or to none. It is not said before: another rerun may end this one
    on its way there, and must go itself."""
    st.session_state[f"{key}_last"] = {"n": max(pressed.n, load_last_request(key)["n"]), "at": pressed.at, "to": to}
