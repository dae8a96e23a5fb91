"""One answer of a batch beside its question, gold answers and evidence, graded by keys. This browser keeps choices and typed
text until they are stored."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pages.components.sheet.sheet import SheetComponent

KEYS: Sequence[tuple[str, str]] = (
    ("1 2 3 4", "Choose a mark"),
    ("Enter", "Save it and go to the next answer"),
    ("n", "Leave the answer for later"),
    ("u", "Take back your last mark"),
    ("c", "Go to the comment box"),
    ("Esc", "Leave the comment box"),
    ("Ctrl+Enter", "Save from within the comment"),
)
"""Keys with their actions, for the help on `?`."""

_SHEET = SheetComponent("grade_sheet", "marking")


class MarkingEvent(NamedTuple):
    """A person's action."""

    what: Literal["save", "skip", "undo"]
    place: str
    key: str
    """Idempotency key of the button press, made on the screen."""
    mark: str
    comment: str
    seconds: float


def show(data: Mapping[str, Any], person: str, workspace: str) -> MarkingEvent | None:
    """Draw the answer; returns, once, the request that this rerun handles."""
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
