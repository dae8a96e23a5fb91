"""The review desk, on which a person reads, edits and decides on items: one Streamlit component with the document, evidence,
text boxes, claims and keyboard shortcuts. The desk stores decisions through the server's routes under /bench/, and asks the
page to open the next item."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from core.as_json import as_json
from pages.components.bundles import register
from pages.parts.ui import presses
from pages.parts.ui.presses import PageRequest
from workbench.annotate.desk.desk_data import DeskData

KEYS: Sequence[tuple[str, str]] = (
    ("a", "Accept the item as it is on the screen"),
    ("x", "Discard the item: then 1 to 9 for a reason, Enter to discard, Esc to keep it"),
    ("n", "Next item"),
    ("k", "Skip the item: then choose a reason, as for x"),
    ("b", "Back to the previous item"),
    ("u", "Undo the last decision"),
    ("q", "Go to the question box"),
    ("w", "Go to the answer box"),
    ("Esc", "Leave a box"),
    ("Ctrl+Enter", "Accept the item while typing in a box"),
    ("[ ]", "Previous, next evidence"),
    ("p", "Switch between a PDF's text and its pages as pictures"),
    ("\u2190 \u2192", "Previous, next page of the PDF"),
    ("z", "Fit the whole page, or its width"),
    ("e", "Add as evidence the selected text, or the passage that a claim shows"),
    ("s", "Add evidence by sentence numbers (Shift+Enter: replace all evidence)"),
    ("f", "Find in the document: Enter next, Shift+Enter previous, Esc closes"),
    ("d", "Show or hide the changes against the draft"),
    ("h", "Show or hide the history of the item"),
    ("c", "Comment on the item: Ctrl+Enter sends, Esc leaves it for later"),
    (
        "g",
        "Go to the claims: up, down; left, right through a claim's passages; 1 supported, 2 fix, 3 drop; Enter rewrites "
        "the claim",
    ),
    ("l", "Go to the next label question: 1 to 9, or left and right, choose; Enter writes, Backspace clears"),
    ("m", "Go to the next claim that has no mark, or that is still to fix"),
)
"""Keys of the desk with their actions, for the help that the key `?` opens."""
OPINION_KEYS: Sequence[tuple[str, str]] = (
    ("1 2 3", "Copy the text and evidence of opinion A, B, C into the boxes"),
    ("o", "Show the evidence of the next opinion in the document"),
    ("v", "Compare the text with the draft, with opinion A, with opinion B"),
    ("y", "Go to the reason for your decision"),
)
"""Further keys of the desk for a decision between opinions, for the help that the key `?` opens."""


def show(data: DeskData, key: str = "desk") -> PageRequest | None:
    """Show the review desk for an item, and return the person's new request to the page, such as next, back, open, decided or
    undone, or None.

    The caller opens the item that the request leads to, calls `mark_answered` and redraws the page with the new data
    (st.rerun)."""
    return show_record(as_json(data), key)


def show_record(record: Mapping[str, Any], key: str = "desk") -> PageRequest | None:
    """Show the review desk as `show` does, from a DeskData that was converted to JSON."""
    result = _DESK(data={**record, "went": presses.load_last_request(key)["n"]}, key=key, on_went_change=lambda: None)
    return presses.read_request(cast("dict[str, Any] | None", result.went), record["item"]["id"], key)


_DESK = register("review", "desk")
