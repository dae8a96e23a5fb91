"""A part of a page that can be redrawn without the rest of the page, at an interval or after a change of one of its own widgets
(a Streamlit fragment)."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from pages.parts.ui.in_url import restore_address

P = ParamSpec("P")


def draw_in_place(part: Callable[P, None], every: float | None = None) -> Callable[P, None]:
    """Return a function that shows `part` as a Streamlit fragment, which redraws itself every `every` seconds if that is set.

    The part is in its own container, which is not part of the fragment. When the fragment runs directly after a run of the
    page, Streamlit (1.67) loses the elements of the fragment that the browser has not received yet, and possibly the fragment's
    position. Without the container, every element below the fragment would then shift up by one position, and the fragment
    would replace the first of them: a link there would disappear until the next load of the page."""

    @wraps(part)
    def draw_part(*args: P.args, **kwargs: P.kwargs) -> None:
        restore_address()
        part(*args, **kwargs)

    def draw(*args: P.args, **kwargs: P.kwargs) -> None:
        with st.container():
            st.fragment(draw_part, run_every=every)(*args, **kwargs)

    return draw


def redraw_page() -> None:
    """Run the whole page again; a part of the page that redraws itself calls this function. A click that arrived meanwhile,
    such as one on the menu, is handled first: `st.rerun` alone (Streamlit 1.67) would replace the click's rerun, and the click
    would be lost."""
    st.empty()  # Streamlit looks for new clicks whenever something is drawn
    st.rerun()
