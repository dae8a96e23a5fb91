"""Messages about the result of a click, or the reason why it failed. A callback keeps them, and the next run of the page draws
them."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.errors import BenchError
from pages.parts.ui.say import show_error, show_success


@contextmanager
def keep_errors(place: str) -> Iterator[None]:
    """Wrap the block of a callback: a BenchError ends the block, and `show_feedback(place)` shows the error's sentence."""
    try:
        yield
    except BenchError as error:
        st.session_state[f"{place}_trouble"] = str(error)


def keep_success(place: str, sentence: str) -> None:
    """Keep the sentence in a callback, so that `show_feedback(place)` shows it."""
    st.session_state[f"{place}_done"] = sentence


def show_feedback(place: str) -> None:
    """Draw, once, the sentence that the last press kept for that place."""
    for kind, say in (("done", show_success), ("trouble", show_error)):
        if sentence := st.session_state.pop(f"{place}_{kind}", ""):
            say(sentence)


@contextmanager
def show_errors() -> Iterator[None]:
    """Draw the sentence of a BenchError that the block raises."""
    try:
        yield
    except BenchError as error:
        show_error(str(error))
