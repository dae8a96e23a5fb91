"""The box in which a prompt file is edited. What is typed is kept in this browser 300 ms after the last key and on leaving, and
stands there again after a reload, until it is saved as a version or taken back."""

from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import streamlit as st

HERE = Path(__file__).parent

_EDITOR = st.components.v2.component(
    "benchwright_prompt_editor",
    **{part: (HERE / f"editor.{part}").read_text(encoding="utf-8") for part in ("html", "css", "js")},  # type: ignore[arg-type]
)


class Pressed(NamedTuple):
    """What a person wants with the words in the box."""

    what: Literal["check", "save"]
    text: str
    note: str


def show(name: str, text: str, workspace: str, signed: bool) -> Pressed | None:
    """Draw the box on the words that stand; returns the press that this rerun is for, once."""
    key = f"prompt_editor_{name}"
    last = int(st.session_state.get(f"{key}_last", 0))
    data = {"name": name, "text": text, "workspace": workspace, "signed": signed, "last": last}
    pressed = cast("dict[str, Any] | None", _EDITOR(data=data, key=key, on_pressed_change=lambda: None).pressed)
    if not pressed or int(pressed["n"]) <= last:
        return None
    st.session_state[f"{key}_last"] = int(pressed["n"])
    return Pressed(pressed["what"], str(pressed["text"]), str(pressed["note"]))
