"""A place for what takes seconds to compute: a skeleton and how long it has been, until the result is there."""

from collections.abc import Callable
from typing import Protocol, TypeVar

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.in_place import draw_in_place
from pages.parts.ui.say import show_error

T = TypeVar("T", covariant=True)


class PendingWork(Protocol[T]):
    """A piece of background work."""

    @property
    def value(self) -> T | None: ...

    @property
    def seconds(self) -> float: ...


def until_ready(ask: Callable[[], PendingWork[T]], what: str, height: int = 260) -> T | None:
    """The result; None while a skeleton stands in its place, which asks again each second."""
    found = ask()
    if found.value is None:
        draw_in_place(_wait, every=1.0)(ask, what, height)
    return found.value


def _wait(ask: Callable[[], PendingWork[T]], what: str, height: int) -> None:
    try:
        found = ask()
    except BenchError as error:
        show_error(str(error))
        return
    if found.value is not None:
        st.rerun()
    st.caption(f"{what} ({found.seconds:.0f} s). This is done once, in the background; you may go elsewhere meanwhile.")
    st.skeleton(height=height)
