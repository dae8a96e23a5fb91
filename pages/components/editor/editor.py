"""The box in which versioned words are edited: a prompt file, a guideline. What is typed is kept in this browser 300 ms after
the last key and on leaving, and stands there again after a reload, until it is saved as a version or taken back."""

from typing import Any, Literal, NamedTuple, cast

import streamlit as st

from pages.components.bundles import register

_EDITOR = register("editor", "editor")


class EditorEvent(NamedTuple):
    """What a person wants with the words in the box."""

    what: Literal["check", "save"]
    text: str
    note: str


def show(
    kind: str,
    name: str,
    text: str,
    workspace: str,
    signed: bool,
    *,
    label: str,
    is_prose: bool = False,
    can_check: bool = False,
) -> EditorEvent | None:
    """Draw the box with the current words; returns the request that this rerun handles, once. `kind` and `name` say whose words
    they are, and under what this browser keeps them; `is_prose` sets them in the page's own letters."""
    key = f"{kind}_editor_{name}"
    last = int(st.session_state.get(f"{key}_last", 0))
    data = {
        "kind": kind,
        "name": name,
        "text": text,
        "workspace": workspace,
        "signed": signed,
        "last": last,
        "label": label,
        "prose": is_prose,
        "checks": can_check,
    }
    pressed = cast("dict[str, Any] | None", _EDITOR(data=data, key=key, on_pressed_change=lambda: None).pressed)
    if not pressed or int(pressed["n"]) <= last:
        return None
    st.session_state[f"{key}_last"] = int(pressed["n"])
    return EditorEvent(pressed["what"], str(pressed["text"]), str(pressed["note"]))
