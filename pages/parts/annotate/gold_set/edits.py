"""Unsaved edits of gold sets (the nuggets of an item, or questions about a gold answer). The session and the browser store the
rows of a set's form until they are saved."""

import time
from collections.abc import Mapping, Sequence
from typing import TypedDict

import streamlit as st

from pages.components.form_words import form_words
from pages.parts.ui.person import get_person
from workbench import open_workbench

OPEN = "gold_set_edits"
"""Session key of a dict from the place (key) of a form to the form's Edits."""
FORGOTTEN = "gold_set_forgotten"
"""Session key of the last request to the browser to delete typed text: {"place", "at"}."""

Row = dict[str, str]
"""One entry of a gold set as the form shows it: the text in each column."""


class Edits(TypedDict):
    """A person's unsaved edits of one gold set."""

    number: int
    """Number of the version that was current when the person opened the set; 0 = there was none."""
    rows: list[Row]
    is_changed: bool
    """Whether the rows may differ from the version."""
    turn: int
    """Time in nanoseconds at which the rows were set; the keys of the form's fields contain it."""
    focus: int | None
    """Position of the row to focus, because it was just added."""


def load_edits(place: str, number: int, rows: Sequence[Row], is_drafted: bool) -> Edits:
    """Return this person's edits of the form at `place`. The edits stay based on the version that was current when the person
    opened the set, even if somebody else saves a newer version. Exception: if the set had no version and the person has typed
    nothing, the edits begin from the set that an agent drafted. `number`, `rows` and `is_drafted` describe the current
    version."""
    every: dict[str, Edits] = st.session_state.setdefault(OPEN, {})
    edits = every.get(place)
    if edits is None or (not edits["number"] and not edits["is_changed"] and is_drafted):
        edits = every[place] = Edits(number=number, rows=list(rows), is_changed=False, turn=time.time_ns(), focus=None)
    return edits


def keep_rows(place: str, rows: Sequence[Row], number: int | None = None, focus: int | None = None) -> None:
    """Store the rows until they are saved, as edits of the version `number` (None = the version that the person opened). The
    form shows these rows from now on."""
    edits: Edits = st.session_state[OPEN][place]
    number = edits["number"] if number is None else number
    if (number, list(rows)) != (edits["number"], edits["rows"]):
        changed = Edits(number=number, rows=list(rows), is_changed=True, turn=time.time_ns(), focus=focus)
        st.session_state[OPEN][place] = changed


def note_rows(place: str, rows: Sequence[Row], saved: int | None = None) -> None:
    """Store the rows that the form shows; if `saved` is given, they were saved as this version. The fields of the form stay,
    with the focus and any text typed in the meantime."""
    edits: Edits = st.session_state[OPEN][place]
    if saved is not None:
        forget_edits(place)
    number = edits["number"] if saved is None else saved
    noted = Edits(number=number, rows=list(rows), is_changed=saved is None, turn=edits["turn"], focus=None)
    st.session_state[OPEN][place] = noted


def forget_edits(place: str) -> None:
    """Delete this person's edits of the form at `place`, in the browser too, so that the form shows the current version."""
    st.session_state.get(OPEN, {}).pop(place, None)
    st.session_state[FORGOTTEN] = {"place": place, "at": str(time.time_ns())}


def leave_edits(place: str) -> None:
    """If the person has changed nothing in the form at `place`, close the version that they opened there."""
    every: dict[str, Edits] = st.session_state.get(OPEN, {})
    if place in every and not every[place]["is_changed"]:
        del every[place]


def sync_browser(key: str, place: str, columns: Sequence[str], empty: Row, current: Sequence[Row], last: int) -> None:
    """Let the browser store the text that the person types in the form, and show the text that the browser stored before a
    reload or a visit to another page. `current` and `last` are the rows and the number of the current version; `empty` is the
    row that a form without rows shows."""
    edits: Edits = st.session_state[OPEN][place]
    owner = f"{open_workbench().database.path or 'memory'}:{get_person()}"
    forgotten: dict[str, str] | None = st.session_state.get(FORGOTTEN)
    data = {
        "fields": f"{key}_{edits['turn']}",
        "columns": list(columns),
        "place": f"{owner}:{place}",
        "number": edits["number"],
        "rows": edits["rows"] or [empty],
        "changed": edits["is_changed"],
        "focus": edits["focus"],
        "add": f"{key}_add",
        "forgotten": {**forgotten, "place": f"{owner}:{forgotten['place']}"} if forgotten else None,
    }
    kept = form_words.show(f"{key}_words", data)
    if not kept or kept.get("number") not in range(min(last, 1), last + 1) or not isinstance(kept.get("rows"), list):
        return
    rows = [{name: str(row.get(name, "")) for name in columns} for row in kept["rows"] if isinstance(row, Mapping)]
    if rows == list(current):  # the rows were saved just before the browser was reloaded
        forget_edits(place)
    else:
        keep_rows(place, rows, kept["number"])
    st.rerun()
