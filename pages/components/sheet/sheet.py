"""A Streamlit component with which people judge something by keyboard. Each kind of sheet shows its own content; all kinds
share the keys, the buttons, the storage in the browser, and the code that sends a click to the page."""

from collections.abc import Mapping
from typing import Any, cast

import streamlit as st

from pages.components.bundles import register


class SheetComponent:
    """A kind of sheet: the Streamlit component `kind` from the folder `folder`, whose script extends the class Sheet of
    `sheet.js`."""

    def __init__(self, kind: str, folder: str) -> None:
        self._kind = kind
        self._draw = register(folder, kind)

    def show(self, data: Mapping[str, Any], subject: str, person: str, workspace: str) -> dict[str, Any] | None:
        """Show the sheet for one subject, and return the person's new action, or None if there is no new action. An action
        contains its kind (save, skip, undo), the subject, the id of the button press (made in the browser), the seconds spent,
        and the submitted values."""
        last = int(st.session_state.get(f"{self._kind}_last", 0))
        given = {**data, "kind": self._kind, "subject": subject, "person": person, "workspace": workspace, "last": last}
        pressed = cast("dict[str, Any] | None", self._draw(data=given, key=self._kind, on_pressed_change=lambda: None).pressed)
        if not pressed or int(pressed["n"]) <= last:
            return None
        st.session_state[f"{self._kind}_last"] = int(pressed["n"])
        return pressed
