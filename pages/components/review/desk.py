"""The desk on which a person reads, edits and decides on items: one component for document, evidence, boxes, claims and keys.
It calls the store over /bench/, and tells the page which item comes next."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from core.as_json import as_json
from pages.components.bundles import register
from pages.parts.ui import presses
from pages.parts.ui.presses import PageRequest
from workbench.annotate.desk.desk_data import DeskData

KEYS: Sequence[tuple[str, str]] = (
    ("a", "Accept what is on the screen"),
    ("x", "Discard: then 1 to 9 for a reason, Enter to discard, Esc to keep"),
    ("n", "Next item"),
    ("k", "Skip: then choose a reason as for x"),
    ("b", "Back to the previous item"),
    ("u", "Undo the last decision"),
    ("q", "Go to the question box"),
    ("w", "Go to the answer box"),
    ("Esc", "Leave a box"),
    ("Ctrl+Enter", "Accept from within a box"),
    ("[ ]", "Previous, next evidence"),
    ("p", "Switch between a PDF's text and its pages as pictures"),
    ("\u2190 \u2192", "Previous, next page of the PDF"),
    ("z", "Fit the whole page, or its width"),
    ("e", "Add the selected text as evidence, or the place that a claim shows"),
    ("s", "Add evidence by sentence numbers (Shift+Enter: replace all evidence)"),
    ("f", "Find in the document: Enter next, Shift+Enter previous, Esc closes"),
    ("d", "Show or hide the changes against the draft"),
    ("h", "Show or hide the history of the item"),
    ("c", "Comment on the item: Ctrl+Enter sends, Esc leaves it for later"),
    ("g", "Claims: up, down; left, right through the places of one; 1 supported, 2 fix, 3 drop; Enter writes it anew"),
    ("l", "Label questions: the next one; 1 to 9, or left and right, choose, Enter writes, Backspace clears"),
    ("m", "Next claim that is not marked, or still to fix"),
)
"""Keys with their actions, for the help on `?`."""
OPINION_KEYS: Sequence[tuple[str, str]] = (
    ("1 2 3", "Take the words and evidence of opinion A, B, C into the boxes"),
    ("o", "Show the evidence of the next opinion in the document"),
    ("v", "Compare with the draft, with A, with B"),
    ("y", "Go to the reason for your decision"),
)
"""Keys with their actions for a decision between opinions, for the help on `?`."""


def show(data: DeskData, key: str = "desk") -> PageRequest | None:
    """Draw the desk on an item's data; returns the request that this rerun handles: next, back, open, decided or undone.

    The caller opens the item that the press leads to, calls `mark_answered` and redraws the page with other data (st.rerun)."""
    return show_record(as_json(data), key)


def show_record(record: Mapping[str, Any], key: str = "desk") -> PageRequest | None:
    """Draw the desk as `show` does, from the JSON of a DeskData."""
    result = _DESK(data={**record, "went": presses.load_last_request(key)["n"]}, key=key, on_went_change=lambda: None)
    return presses.read_request(cast("dict[str, Any] | None", result.went), record["item"]["id"], key)


def mark_answered(pressed: PageRequest, to: str | None, key: str = "desk") -> None:
    """Mark the last request as answered: the page now shows the requested item, or no item."""
    presses.mark_answered(pressed, to, key)


_DESK = register("review", "desk")
