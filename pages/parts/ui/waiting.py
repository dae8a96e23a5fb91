"""What stands on a page while the workbench looks something up beside it."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.say import trouble
from pages.parts.ui.until_ready import PendingWork

T = TypeVar("T", covariant=True)


def when_ready(ask: Callable[[], PendingWork[T]], words: str) -> T | None:
    """The result of background work; None while the words stand in its place, or the reason why there is none."""
    try:
        work = ask()
    except BenchError as error:
        trouble(str(error))
        return None
    if work.value is None:
        waiting(lambda: ask().value is not None, words)
    return work.value


def waiting(is_there: Callable[[], bool], words: str) -> None:
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
