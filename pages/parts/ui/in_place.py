"""A part of a page that is drawn again without the rest of the page, at an interval or at a press of its own widgets (a
Streamlit fragment)."""

from collections.abc import Callable
from typing import ParamSpec

import streamlit as st

P = ParamSpec("P")


def draw_in_place(part: Callable[P, None], every: float | None = None) -> Callable[P, None]:
    """Returns a function that draws that part, and draws it again every `seconds` seconds.

    The part stands in a container of its own, which is not part of the fragment. When a fragment's turn follows a run of the
    page at once, Streamlit (1.67) forgets what that run drew of the fragment and the browser has not got yet, the fragment's
    place included. Without the container every element below it shifts up by one position, and the fragment is then drawn over
    the first of them: a link there disappears until the page is loaded again."""

    def draw(*args: P.args, **kwargs: P.kwargs) -> None:
        with st.container():
            st.fragment(part, run_every=every)(*args, **kwargs)

    return draw
