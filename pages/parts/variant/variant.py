"""The sheet on which a variant stands beside the question that it was made of, with two questions and a box that loses nothing.
It keeps what is typed, tells active time, shows differences and hears keys by the desk's own scripts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import streamlit as st

from pages.parts import presses
from pages.parts.presses import Pressed

HERE = Path(__file__).parent
DESK = HERE.parent / "desk"
OF_DESK = ("text", "keeping", "scratch", "other_words", "keys", "diff", "going")
SCRIPTS = (*(DESK / f"{name}.js" for name in OF_DESK), HERE / "deciding.js", HERE / "variant.js")
STYLES = (HERE.parent / "rewrite" / "rewriting.css", DESK / "other_words.css", HERE / "variant.css")

KEYS: Sequence[tuple[str, str]] = (
    ("y", "Yes to the marked question"),
    ("n", "No to the marked question"),
    ("1 2", "Mark a question"),
    ("Enter", "Accept after two yes, discard after a no; store the answers of a sample"),
    ("a", "Accept"),
    ("x", "Discard"),
    ("e", "Edit the words"),
    ("Ctrl+Enter", "Accept what is in the box"),
    ("c", "Comment"),
    ("d", "Show or hide what differs"),
    ("u", "Undo the last decision"),
    ("j", "Next variant"),
    ("k", "Back to the variant before"),
    ("Esc", "Out of a box"),
)
"""What the keys do, for the help on `?`."""


def show(data: Mapping[str, Any], key: str = "variant") -> Pressed | None:
    """Draw the sheet of a variant; returns the press that this rerun is for: saved, undone, next, back, open, or changed when
    somebody was faster. The page goes where it leads, says `answered` and draws again (st.rerun)."""
    result = _SHEET(data={**data, "went": presses.last(key)["n"]}, key=key, on_went_change=lambda: None)
    return presses.heard(cast("dict[str, Any] | None", result.went), str(data["item"]["id"]), key)


def answered(pressed: Pressed, to: str | None, key: str = "variant") -> None:
    """The page has gone where the press leads: to that variant, or to none."""
    presses.answered(pressed, to, key)


_SHEET = st.components.v2.component(
    "benchwright_variant", html=(HERE / "variant.html").read_text(encoding="utf-8"),
    css="\n".join(style.read_text(encoding="utf-8") for style in STYLES),
    js="\n".join(script.read_text(encoding="utf-8") for script in SCRIPTS),
)  # fmt: skip
