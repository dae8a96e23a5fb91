"""The text box that edits a versioned text: a prompt or a guideline. The browser stores typed text 300 ms after the last
keystroke and when the box loses the focus; it restores the text after a reload until the text is saved as a version or
discarded."""

from typing import Any, Literal, NamedTuple, cast

import streamlit as st

from pages.components.bundles import register

_EDITOR = register("editor", "editor")


class EditorEvent(NamedTuple):
    """A person's request to check or to save the text in the box."""

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
    """Show the text box with the current text, and return the person's request to check or save the text, or None if there is
    no new request. `kind` and `name` identify the text, also in the browser's storage; `is_prose` sets the text in the font of
    the page."""
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
