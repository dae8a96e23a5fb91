"""A part of a page that can be redrawn without the rest of the page, at an interval or after a press of one of its own widgets
(a Streamlit fragment)."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from pages.parts.ui.in_url import restore_address

P = ParamSpec("P")


def draw_in_place(part: Callable[P, None], every: float | None = None) -> Callable[P, None]:
    """Return a function that draws `part` as a Streamlit fragment, which redraws itself every `every` seconds if that is set.

    The part is in its own container, which is not part of the fragment. When the fragment runs directly after a run of the
    page, Streamlit (1.67) loses those elements of the fragment, and the fragment's position, that the browser has not received
    yet. Without the container every element below it shifts up by one position, and the fragment then replaces the first
    element below: a link there disappears until the next load of the page."""

    @wraps(part)
    def draw_part(*args: P.args, **kwargs: P.kwargs) -> None:
        restore_address()
        part(*args, **kwargs)

    def draw(*args: P.args, **kwargs: P.kwargs) -> None:
        with st.container():
            st.fragment(draw_part, run_every=every)(*args, **kwargs)

    return draw


def redraw_page() -> None:
    """Run the whole page again, from a part that redraws itself. A press that arrived meanwhile, such as one on the menu, goes
    first: `st.rerun` alone (Streamlit 1.67) takes its place, and the press is lost."""
    st.empty()  # Streamlit looks for presses whenever something is drawn
    st.rerun()
