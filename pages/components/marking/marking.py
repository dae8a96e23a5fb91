"""The sheet on which a person grades one answer of a batch by keyboard, beside its question, gold answers and evidence. The
browser keeps marks and typed text until the server has stored them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pages.components.sheet.sheet import SheetComponent

KEYS: Sequence[tuple[str, str]] = (
    ("1 2 3 4", "Choose a mark"),
    ("Enter", "Save the mark and go to the next answer"),
    ("n", "Leave the answer for later"),
    ("u", "Take back your last mark"),
    ("c", "Go to the comment box"),
    ("Esc", "Leave the comment box"),
    ("Ctrl+Enter", "Save the mark while typing a comment"),
)
"""Keys of the sheet with their actions, for the help that the key `?` opens."""

_SHEET = SheetComponent("grade_sheet", "marking")


class MarkingEvent(NamedTuple):
    """What a person did on the grading sheet: save a mark, skip the answer, or undo the last mark."""

    what: Literal["save", "skip", "undo"]
    place: str
    key: str
    """Id of the button press, made in the browser, so that a repeated press stores the mark once."""
    mark: str
    comment: str
    seconds: float


def show(data: Mapping[str, Any], person: str, workspace: str) -> MarkingEvent | None:
    """Show the answer to grade, and return the person's action, or None if there is no new action."""
    pressed = _SHEET.show(data, str(data["place"]), person, workspace)
    if pressed is None:
        return None
    return MarkingEvent(
        pressed["what"],
        str(pressed["subject"]),
        str(pressed["key"]),
        str(pressed["mark"]),
        str(pressed["comment"]),
        float(pressed["seconds"]),
    )
