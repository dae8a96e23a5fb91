"""Messages about the success or failure of a click: the click's callback stores the message in the session, and the next run of
the page shows the message."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.say import show_error, show_success


@contextmanager
def keep_errors(place: str) -> Iterator[None]:
    """Return a context manager for a callback: a BenchError ends the block but is not raised further, and the next
    `show_feedback(place)` shows it."""
    try:
        yield
    except BenchError as error:
        st.session_state[f"{place}_trouble"] = str(error)


def keep_success(place: str, sentence: str) -> None:
    """Store a success message in a callback; the next `show_feedback(place)` shows it."""
    st.session_state[f"{place}_done"] = sentence


def show_feedback(place: str) -> None:
    """Show, once, the message that the last callback stored for `place`."""
    for kind, say in (("done", show_success), ("trouble", show_error)):
        if sentence := st.session_state.pop(f"{place}_{kind}", ""):
            say(sentence)


@contextmanager
def show_errors() -> Iterator[None]:
    """Return a context manager that shows the message of a BenchError raised in its block, which then ends."""
    try:
        yield
    except BenchError as error:
        show_error(str(error))
