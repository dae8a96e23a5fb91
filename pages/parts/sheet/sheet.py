"""A sheet that is judged by keys: what is drawn on it is its kind's; keys, buttons, what is kept in the browser and the press
that a rerun is for are the same for all."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import streamlit as st

HERE = Path(__file__).parent


class Sheet:
    """A kind of sheet, from `NAME.html`, `NAME.css` and `NAME.js` in its folder; the script extends the shared class Sheet
    and ends in `export default shown(...)`."""

    def __init__(self, kind: str, folder: Path, name: str) -> None:
        self._kind = kind
        html, css, js = (folder / f"{name}.{part}" for part in ("html", "css", "js"))
        self._draw = st.components.v2.component(
            f"benchwright_{kind}", html=html.read_text(encoding="utf-8"),
            css=(HERE / "sheet.css").read_text(encoding="utf-8") + css.read_text(encoding="utf-8"),
            js=(HERE / "sheet.js").read_text(encoding="utf-8") + js.read_text(encoding="utf-8"),
        )  # fmt: skip

    def show(self, data: Mapping[str, Any], subject: str, person: str, workspace: str) -> dict[str, Any] | None:
        """Draw it; returns the press that this rerun is for, once: what (save, skip, undo), subject, key (made on the screen,
        one a press), seconds, and what was given."""
        last = int(st.session_state.get(f"{self._kind}_last", 0))
        given = {**data, "kind": self._kind, "subject": subject, "person": person, "workspace": workspace, "last": last}
        pressed = cast("dict[str, Any] | None", self._draw(data=given, key=self._kind, on_pressed_change=lambda: None).pressed)
        if not pressed or int(pressed["n"]) <= last:
            return None
        st.session_state[f"{self._kind}_last"] = int(pressed["n"])
        return pressed
