"""The sheet on which a question is put in other words: what it asks and from what, a box that loses nothing, and live numbers.
It keeps what is typed, tells active time and hears keys by the desk's own scripts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import streamlit as st

HERE = Path(__file__).parent
DESK = HERE.parent / "desk"
SCRIPTS = (*(DESK / f"{name}.js" for name in ("text", "keeping", "scratch", "keys")), HERE / "saving.js", HERE / "rewriting.js")

KEYS: Sequence[tuple[str, str]] = (
    ("Ctrl+Enter", "Store the rewrite and go to the next question"),
    ("w", "Into the box"),
    ("Esc", "Out of the box"),
    ("n", "Next question"),
    ("b", "Back to the question before"),
)
"""What the keys do, for the help on `?`."""


class Pressed(NamedTuple):
    """Where a person asked to go."""

    to: Literal["saved", "next", "back", "changed"]
    item: str
    """The item that was left, rewritten, or found to be another by now."""


def show(data: Mapping[str, Any], key: str = "rewriting") -> Pressed | None:
    """Draw the sheet of an item; returns the press that this rerun is for, once. The page then draws again (st.rerun)."""
    last = int(st.session_state.get(f"{key}_last", 0))
    result = _SHEET(data={**data, "went": last}, key=key, on_went_change=lambda: None)
    went = cast("dict[str, Any] | None", result.went)
    if not went or int(went["n"]) <= last:
        return None
    st.session_state[f"{key}_last"] = int(went["n"])
    return Pressed(went["to"], str(went["item"]))


_SHEET = st.components.v2.component(
    "benchwright_rewriting", html=(HERE / "rewriting.html").read_text(encoding="utf-8"),
    css=(HERE / "rewriting.css").read_text(encoding="utf-8"),
    js="\n".join(script.read_text(encoding="utf-8") for script in SCRIPTS),
)  # fmt: skip
