"""A placeholder while the workbench computes in the background, and requests that a click makes, such as an estimate; an id in
the session tells one click from the next."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from uuid import uuid4

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.in_place import draw_in_place, redraw_page
from pages.parts.ui.say import show_error
from pages.parts.ui.until_ready import PendingWork
from workbench import open_workbench
from workbench.background_cache import RunningWork

T = TypeVar("T")


def when_ready(ask: Callable[[], PendingWork[T]], words: str) -> T | None:
    """Return the result of the background computation that `ask` returns; while it runs, or after it failed, draw a sentence
    and return None."""
    try:
        work = ask()
    except BenchError as error:
        show_error(str(error))
        return None
    if work.value is None:
        wait_until(lambda: ask().value is not None, words)
    return work.value


def wait_until(is_there: Callable[[], bool], words: str) -> None:
    """Draw the message `words`, and redraw the page as soon as `is_there` returns True or raises a BenchError, which the page
    then explains."""
    draw_in_place(_look, every=0.5)(is_there, words)


def _look(is_there: Callable[[], bool], words: str) -> None:
    try:
        is_over = is_there()
    except BenchError:
        is_over = True
    if is_over:
        redraw_page()
    st.caption(f":material/hourglass_top: {words}")


def ask_anew(key: str) -> None:
    """Store a new id for a click under the session key `key`. The function is for callbacks.

    The press has no request yet: a callback gets the arguments of the last drawing, and a field that was filled just before the
    press has its value only in the run that follows."""
    st.session_state[key] = uuid4().hex


def find_turn(key: str, *asked: Any) -> str:
    """Return the id of the last click stored under `key` if that click requested `asked`, or "" otherwise. A click that has no
    request yet gets `asked` as its request."""
    stored = st.session_state.get(key, ("",))
    if isinstance(stored, str):
        stored = st.session_state[key] = (*asked, stored)
    *before, turn = stored
    return str(turn) if before == list(asked) else ""


def compute_once(key: Hashable, make: Callable[[], T], words: str) -> T | None:
    """Return the result of `make`, computed once per `key` in the background; while it runs, or after it failed, draw a
    sentence and return None."""

    def ask() -> RunningWork[T]:
        return open_workbench().one_draft.run_in_background(key, make)

    return when_ready(ask, words)
