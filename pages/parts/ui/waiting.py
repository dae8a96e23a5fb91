"""What stands on a page while the workbench looks something up beside it."""

from collections.abc import Callable
from typing import Protocol, TypeVar

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.say import trouble

T = TypeVar("T", covariant=True)


class TimedCall(Protocol[T]):
    """Returns a result, or None when it is not ready within `wait` seconds."""

    def __call__(self, *, wait: float = ...) -> T | None: ...


def wait_for(ask: TimedCall[T], words: str) -> T | None:
    """Return the result of `ask`; None while the page says `words` and asks again, and where it says why there is none."""
    try:
        result = ask()
    except BenchError as error:
        trouble(str(error))
        return None
    if result is None:
        waiting(lambda: ask(wait=0.0) is not None, words)
    return result


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
