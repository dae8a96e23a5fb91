"""What stands on a page while the workbench looks something up beside it; and work that a press asks for, such as an estimate:
the session holds what was asked for, with an id that tells one press from the next."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from uuid import uuid4

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.say import show_error
from pages.parts.ui.until_ready import PendingWork
from workbench import open_workbench
from workbench.background_cache import RunningWork

T = TypeVar("T")


def when_ready(ask: Callable[[], PendingWork[T]], words: str) -> T | None:
    """The result of background work; None while the words stand in its place, or the reason why there is none."""
    try:
        work = ask()
    except BenchError as error:
        show_error(str(error))
        return None
    if work.value is None:
        wait_until(lambda: ask().value is not None, words)
    return work.value


def wait_until(is_there: Callable[[], bool], words: str) -> None:
    """Say so, and draw the page again as soon as it is there, or cannot be: the page then says why."""
    draw_in_place(_look, every=0.5)(is_there, words)


def _look(is_there: Callable[[], bool], words: str) -> None:
    try:
        is_over = is_there()
    except BenchError:
        is_over = True
    if is_over:
        st.rerun()
    st.caption(f":material/hourglass_top: {words}")


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
        return open_workbench().one_draft.run_in_background(key, make)

    return when_ready(ask, words)
