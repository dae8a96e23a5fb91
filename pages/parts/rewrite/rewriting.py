"""The sheet on which a question is put in other words: what it asks and from what, a box that loses nothing, and live numbers.
It keeps what is typed, tells active time and hears keys by the desk's own scripts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import streamlit as st

from pages.parts import presses
from pages.parts.presses import Pressed

HERE = Path(__file__).parent
DESK = HERE.parent / "desk"
OF_DESK = ("text", "keeping", "scratch", "other_words", "keys", "going")
SCRIPTS = (*(DESK / f"{name}.js" for name in OF_DESK), HERE / "saving.js", HERE / "rewriting.js")
STYLES = (HERE / "rewriting.css", DESK / "other_words.css")

KEYS: Sequence[tuple[str, str]] = (
    ("Ctrl+Enter", "Store the rewrite and go to the next question"),
    ("w", "Into the box"),
    ("Esc", "Out of the box"),
    ("n", "Next question"),
    ("b", "Back to the question before"),
)
"""What the keys do, for the help on `?`."""


def show(data: Mapping[str, Any], key: str = "rewriting") -> Pressed | None:
    """Draw the sheet of an item; returns the press that this rerun is for: saved, next, back, open, or changed when the item
    was found to be another by now. The page goes where it leads, says `answered` and draws again (st.rerun)."""
    result = _SHEET(data={**data, "went": presses.last(key)["n"]}, key=key, on_went_change=lambda: None)
    return presses.heard(cast("dict[str, Any] | None", result.went), str(data["item"]["id"]), key)


def answered(pressed: Pressed, to: str | None, key: str = "rewriting") -> None:
    """The page has gone where the press leads: to that item, or to none."""
    presses.answered(pressed, to, key)


_SHEET = st.components.v2.component(
    "benchwright_rewriting", html=(HERE / "rewriting.html").read_text(encoding="utf-8"),
    css="\n".join(style.read_text(encoding="utf-8") for style in STYLES),
    js="\n".join(script.read_text(encoding="utf-8") for script in SCRIPTS),
)  # fmt: skip
