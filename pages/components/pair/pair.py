"""Two drafts of one window side by side, with hidden authors: read, edit, accept or discard each, and say which is better. This
browser keeps typed text and decisions until they are stored."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pages.components.sheet.sheet import SheetComponent

KEYS: Sequence[tuple[str, str]] = (
    ("1 2", "Select the left or the right draft"),
    ("a", "Accept the selected draft with the words in its boxes"),
    ("x", "Discard the selected draft: then 1 to 9 for a reason, or go on without one"),
    ("← 0 →", "Preference: the left is better, both are equal, the right is better"),
    ("Enter", "Save both decisions and go to the next pair"),
    ("n", "Leave the pair for later"),
    ("u", "Take back your last pair"),
    ("q", "Go to the question box"),
    ("w", "Go to the answer box"),
    ("Esc", "Leave a box"),
    ("Ctrl+Enter", "Accept from within a box"),
)
"""Keys with their actions, for the help on `?`."""

_PAIR = SheetComponent("trial_pair", "pair")


class PairEvent(NamedTuple):
    """A person's action."""

    what: Literal["save", "skip", "undo"]
    pair: str
    key: str
    """Idempotency key of the button press, made on the screen."""
    left: dict[str, Any] | None
    right: dict[str, Any] | None
    preference: str
    seconds: float | None


def show(data: Mapping[str, Any], person: str, workspace: str) -> PairEvent | None:
    """Draw the pair; returns, once, the request that this rerun handles."""
    pressed = _PAIR.show(data, str(data["pair"]), person, workspace)
    if pressed is None:
        return None
    return PairEvent(
        pressed["what"],
        str(pressed["subject"]),
        str(pressed["key"]),
        pressed["left"],
        pressed["right"],
        str(pressed["preference"]),
        float(pressed["seconds"]),
    )
