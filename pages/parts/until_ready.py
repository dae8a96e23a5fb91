"""A place for what takes seconds to compute: a skeleton and how long it has been, until the result is there."""

from collections.abc import Callable
from typing import Protocol, TypeVar

import streamlit as st

from core.errors import BenchError
from pages.parts.say import trouble

T = TypeVar("T", covariant=True)


class Working(Protocol[T]):
    """A piece of background work."""

    @property
    def value(self) -> T | None: ...

    @property
    def seconds(self) -> float: ...


def until_ready(ask: Callable[[], Working[T]], what: str, height: int = 260) -> T | None:
    """The result; None while a skeleton stands in its place, which asks again each second."""
    found = ask()
    if found.value is None:
        _wait(ask, what, height)
    return found.value


@st.fragment(run_every=1.0)
def _wait(ask: Callable[[], Working[T]], what: str, height: int) -> None:
    try:
        found = ask()
    except BenchError as error:
        trouble(str(error))
        return
    if found.value is not None:
        st.rerun()
    st.caption(f"{what} ({found.seconds:.0f} s). This is done once, in the background; you may go elsewhere meanwhile.")
    st.skeleton(height=height)
