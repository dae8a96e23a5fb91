"""Text that a person types in a form to decide on one thing of a list, such as a contest or a conversation. The browser stores
the text until a decision is sent, so that it survives a reload, another page or a lost server."""

import time
from collections.abc import Mapping

import streamlit as st

from pages.components.form_words import form_words
from pages.parts.ui.person import get_person
from workbench import open_workbench

FORGOTTEN = "decision_text_forgotten"
"""Session key of the last request to the browser to delete typed text: {"place", "at"}."""


def sync_text(fields: str, place: str, texts: Mapping[str, str], key: str) -> None:
    """Let the browser store the text that is typed in the container `fields`, and fill the boxes with text that the browser
    stored before. `texts` is a dict from the name of each box, in the order of the page, to the first text in the box; the key
    of a box is f"{fields}_{name}". `place` identifies the stored text. Call this before the boxes are drawn."""
    boxes = {f"{fields}_{name}": text for name, text in texts.items()}
    data = {
        "fields": fields,
        "columns": list(boxes),
        "place": _build_key(place),
        "number": 1,
        "rows": [boxes],
        "changed": False,
        "focus": None,
        "forgotten": st.session_state.get(FORGOTTEN),
    }
    kept = form_words.show(f"{key}_words", data)
    for row in kept["rows"][:1] if kept else ():
        st.session_state.update({box: str(row.get(box, "")) for box in boxes})
    for box, text in boxes.items():
        st.session_state.setdefault(box, text)


def forget_text(place: str) -> None:
    """Ask the browser to delete the text that it stores for this place."""
    st.session_state[FORGOTTEN] = {"place": _build_key(place), "at": str(time.time_ns())}


def _build_key(place: str) -> str:
    """Return the place with the workspace and the person, because several people can use one browser."""
    return f"{open_workbench().database.path or 'memory'}:{get_person()}:{place}"
