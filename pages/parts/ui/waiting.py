"""Shows a waiting message while the workbench computes in the background, and stores what a click on a button requested, such
as an estimate, with a new id for each click."""

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
    """Call `ask`, which returns a background computation, and return the result of that computation. While the computation
    runs, show the message `words` and return None; if it failed, show the error and return None."""
    try:
        work = ask()
    except BenchError as error:
        show_error(str(error))
        return None
    if work.value is None:
        wait_until(lambda: ask().value is not None, words)
    return work.value


def wait_until(is_there: Callable[[], bool], words: str) -> None:
    """Show the message `words`, and redraw the page as soon as `is_there` returns True or raises a BenchError; the page then
    shows the result or the error."""
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
    """Store a new id for a click under the session key `key`. Call this function in a button's callback.

    What the click requests is not stored yet: a callback gets the arguments of the previous run, in which a field that was
    changed just before the click still has its old value. `find_turn` stores the request in the next run."""
    st.session_state[key] = uuid4().hex


def find_turn(key: str, *asked: Any) -> str:
    """Return the id of the last click stored under the session key `key` if that click requested the values `asked`, or ""
    otherwise. If no request is stored for the click yet, `asked` is stored as the request."""
    stored = st.session_state.get(key, ("",))
    if isinstance(stored, str):
        stored = st.session_state[key] = (*asked, stored)
    *before, turn = stored
    return str(turn) if before == list(asked) else ""


def compute_once(key: Hashable, make: Callable[[], T], words: str) -> T | None:
    """Return the result of `make`, which is computed once per `key` in the background. While `make` runs, show the message
    `words` and return None; if it failed, show the error and return None."""

    def ask() -> RunningWork[T]:
        return open_workbench().one_draft.run_in_background(key, make)

    return when_ready(ask, words)
