"""A placeholder for a result that takes seconds to compute: it shows a skeleton and the elapsed time until the result is
ready."""

from collections.abc import Callable
from typing import Protocol, TypeVar

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.in_place import draw_in_place, redraw_page
from pages.parts.ui.say import show_error

T = TypeVar("T", covariant=True)


class PendingWork(Protocol[T]):
    """A computation in the background, with its result and its elapsed seconds."""

    @property
    def value(self) -> T | None: ...

    @property
    def seconds(self) -> float: ...


def until_ready(ask: Callable[[], PendingWork[T]], label: str, height: int = 260) -> T | None:
    """Call `ask`, which returns a background computation, and return the result of that computation. Until the result is ready,
    show a placeholder that checks for the result every second, and return None."""
    work = ask()
    if work.value is None:
        draw_in_place(_wait, every=1.0)(ask, label, height)
    return work.value


def _wait(ask: Callable[[], PendingWork[T]], label: str, height: int) -> None:
    try:
        work = ask()
    except BenchError as error:
        show_error(str(error))
        return
    if work.value is not None:
        redraw_page()
    st.caption(f"{label} ({work.seconds:.0f} s). This runs once, in the background; you can use other pages meanwhile.")
    st.skeleton(height=height)
