"""Work that a press asks for, such as an estimate: the session holds what was asked for, with an id that tells one press from
the next; the work is done in the background, once for each."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from uuid import uuid4

import streamlit as st

from pages.parts.ui.waiting import when_ready
from workbench import opened
from workbench.kept import RunningWork

T = TypeVar("T")


def ask_anew(key: str, *asked: Any) -> None:
    """For a callback: keep under `key` that this is asked for."""
    st.session_state[key] = (*asked, uuid4().hex)


def find_turn(key: str, *asked: Any) -> str:
    """The id of the last press, when it asked for just this; else ""."""
    *before, turn = st.session_state.get(key, ("",))
    return turn if before == list(asked) else ""


def compute_once(key: Hashable, make: Callable[[], T], words: str) -> T | None:
    """The result of `make` for that key; None while the words stand in its place, or the reason why there is none."""

    def ask() -> RunningWork[T]:
        return opened().one_draft.run_in_background(key, make)

    return when_ready(ask, words)
