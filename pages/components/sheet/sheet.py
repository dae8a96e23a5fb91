"""A sheet on which people judge something by keys. Each kind of sheet draws its own content; all kinds share the keys, the
buttons, the storage in the browser, and the way a click reaches the page."""

from collections.abc import Mapping
from typing import Any, cast

import streamlit as st

from pages.components.bundles import register


class SheetComponent:
    """A kind of sheet: the Streamlit component `kind` from the bundle of `folder`, whose script extends the class Sheet of
    `sheet.js`."""

    def __init__(self, kind: str, folder: str) -> None:
        self._kind = kind
        self._draw = register(folder, kind)

    def show(self, data: Mapping[str, Any], subject: str, person: str, workspace: str) -> dict[str, Any] | None:
        """Draw the sheet of one subject, and return what the person did, or None if there is nothing new: the action (save,
        skip, undo), the subject, the press's key (made in the browser), the seconds, and the submitted values."""
        last = int(st.session_state.get(f"{self._kind}_last", 0))
        given = {**data, "kind": self._kind, "subject": subject, "person": person, "workspace": workspace, "last": last}
        pressed = cast("dict[str, Any] | None", self._draw(data=given, key=self._kind, on_pressed_change=lambda: None).pressed)
        if not pressed or int(pressed["n"]) <= last:
            return None
        st.session_state[f"{self._kind}_last"] = int(pressed["n"])
        return pressed
