"""One answer of a batch beside its question, gold answers and evidence, graded by keys. What is chosen and typed is kept in
this browser until it is stored."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import streamlit as st

HERE = Path(__file__).parent
KEY = "grade_sheet"
KEYS: Sequence[tuple[str, str]] = (
    ("1 2 3 4", "Choose a mark"),
    ("Enter", "Save it and go to the next answer"),
    ("n", "Leave the answer for later"),
    ("u", "Take back your last mark"),
    ("c", "Into the comment"),
    ("Esc", "Out of the comment"),
    ("Ctrl+Enter", "Save from within the comment"),
)
"""What the keys do, for the help on `?`."""

_SHEET = st.components.v2.component(
    "benchwright_grade_sheet",
    **{part: (HERE / f"sheet.{part}").read_text(encoding="utf-8") for part in ("html", "css", "js")},  # type: ignore[arg-type]
)


class Pressed(NamedTuple):
    """What a person did."""

    what: Literal["save", "skip", "undo"]
    place: str
    key: str
    """Made on the screen, one a press."""
    mark: str
    comment: str
    seconds: float


def show(data: Mapping[str, Any], person: str, workspace: str) -> Pressed | None:
    """Draw the answer; returns the press that this rerun is for, once."""
    last = int(st.session_state.get(f"{KEY}_last", 0))
    given = {**data, "person": person, "workspace": workspace, "last": last}
    pressed = cast("dict[str, Any] | None", _SHEET(data=given, key=KEY, on_pressed_change=lambda: None).pressed)
    if not pressed or int(pressed["n"]) <= last:
        return None
    st.session_state[f"{KEY}_last"] = int(pressed["n"])
    return Pressed(pressed["what"], str(pressed["place"]), str(pressed["key"]), str(pressed["mark"]), str(pressed["comment"]),
                   float(pressed["seconds"]))  # fmt: skip
