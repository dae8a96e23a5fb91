"""A figure with its files: the SVG, and a PNG of twice its size that the browser draws with the figure's fonts."""

from collections.abc import Sequence

import streamlit as st

from pages.components.bundles import register
from pages.parts.ui.data_table import download
from pages.parts.ui.say import plain

_PNG = register("png", "png")


def show(svg: str, name: str, key: str, notes: Sequence[str] = ()) -> None:
    """Draw the figure, its notes, and buttons for its files `name`.svg and `name`.png."""
    with st.container(horizontal_alignment="center"):
        st.image(svg, width=860)
    for sentence in notes:
        st.caption(plain(sentence))
    with st.container(horizontal=True):
        download("SVG", svg, f"{name}.svg", "image/svg+xml", f"{key}_svg")
        _PNG(data={"svg": svg, "name": f"{name}.png"}, key=f"{key}_png", width="content")
