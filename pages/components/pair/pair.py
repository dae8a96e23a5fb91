"""The sheet that shows two drafts from the same document excerpt side by side without their authors: a person edits, accepts or
discards each draft, and says which draft is better. The browser keeps typed text and decisions until the server has stored
them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pages.components.sheet.sheet import SheetComponent

KEYS: Sequence[tuple[str, str]] = (
    ("1 2", "Select the left or the right draft"),
    ("a", "Accept the selected draft with the text in its boxes"),
    ("x", "Discard the selected draft: then 1 to 9 for a reason, or go on without one"),
    ("← 0 →", "Preference: the left is better, both are equal, the right is better"),
    ("Enter", "Save both decisions and go to the next pair"),
    ("n", "Leave the pair for later"),
    ("u", "Take back your last pair"),
    ("q", "Go to the question box"),
    ("w", "Go to the answer box"),
    ("Esc", "Leave a box"),
    ("Ctrl+Enter", "Accept the draft while typing in a box"),
)
"""Keys of the sheet with their actions, for the help that the key `?` opens."""

_PAIR = SheetComponent("trial_pair", "pair")


class PairEvent(NamedTuple):
    """What a person did on the sheet of two drafts: save the decisions, skip the pair, or undo the last pair."""

    what: Literal["save", "skip", "undo"]
    pair: str
    key: str
    """Id of the button press, made in the browser, so that a repeated press stores the decisions once."""
    left: dict[str, Any] | None
    right: dict[str, Any] | None
    preference: str
    seconds: float | None


def show(data: Mapping[str, Any], person: str, workspace: str) -> PairEvent | None:
    """Show the pair of drafts, and return the person's action, or None if there is no new action."""
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
