"""The sheet that shows a variant beside its original question, with two questions and a box that keeps typed text."""

from collections.abc import Sequence
from typing import Any, cast

from core.as_json import as_json
from pages.components.bundles import register
from pages.parts.ui import presses
from pages.parts.ui.presses import PageRequest
from workbench.annotate.wordings.variant_sheet import VariantSheet

KEYS: Sequence[tuple[str, str]] = (
    ("y", "Yes to the marked question"),
    ("o", "No to the marked question"),
    ("1 2", "Mark a question"),
    ("Enter", "Accept after two yes, discard after a no; store the answers of a sample"),
    ("a", "Accept"),
    ("x", "Discard"),
    ("w", "Edit the words"),
    ("Ctrl+Enter", "Accept what is in the box"),
    ("c", "Comment"),
    ("d", "Show or hide what differs"),
    ("u", "Undo the last decision"),
    ("n", "Next variant"),
    ("b", "Back to the previous variant"),
    ("Esc", "Leave a box"),
)
"""Keys with their actions, for the help on `?`."""


def show(data: VariantSheet, key: str = "variant") -> PageRequest | None:
    """Draw the sheet of a variant; returns the request that this rerun handles: saved, undone, next, back, open, or changed
    when somebody else decided first. The caller opens the requested item, calls `mark_answered` and redraws the page
    (st.rerun)."""
    sheet = {**as_json(data), "went": presses.load_last_request(key)["n"]}
    result = _SHEET(data=sheet, key=key, on_went_change=lambda: None, on_around_change=lambda: None)
    return presses.read_request(cast("dict[str, Any] | None", result.went), data.item.id, key)


def mark_answered(pressed: PageRequest, to: str | None, key: str = "variant") -> None:
    """Mark the last request as answered: the page now shows the requested variant, or no variant."""
    presses.mark_answered(pressed, to, key)


_SHEET = register("variant", "variant")
