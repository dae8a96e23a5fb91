"""The sheet that shows a variant beside its original question, asks two yes-no questions about it, and has a text box that does
not lose typed text."""

from collections.abc import Sequence
from typing import Any, cast

from core.as_json import as_json
from pages.components.bundles import register
from pages.parts.ui import presses
from pages.parts.ui.presses import PageRequest
from workbench.annotate.wordings.variant_sheet import VariantSheet

KEYS: Sequence[tuple[str, str]] = (
    ("y", "Answer yes to the marked question"),
    ("o", "Answer no to the marked question"),
    ("1 2", "Mark a question"),
    ("Enter", "Accept the variant after two yes, discard it after a no; in a sample, store the answers"),
    ("a", "Accept"),
    ("x", "Discard"),
    ("w", "Edit the variant"),
    ("Ctrl+Enter", "Accept the variant with the text in the box"),
    ("c", "Comment"),
    ("d", "Show or hide the differences from the original"),
    ("u", "Undo the last decision"),
    ("n", "Next variant"),
    ("b", "Back to the previous variant"),
    ("Esc", "Leave a box"),
)
"""Keys of the sheet with their actions, for the help that the key `?` opens."""


def show(data: VariantSheet, key: str = "variant") -> PageRequest | None:
    """Show the sheet of a variant, and return the person's request, or None if there is no new request. The kinds of request
    are "saved", "undone", "next", "back", "open", "changed" (somebody else decided first) and "taken" (somebody else took over
    the variant). The caller opens the requested variant, calls `mark_answered` and redraws the page (st.rerun)."""
    sheet = {**as_json(data), "went": presses.load_last_request(key)["n"]}
    result = _SHEET(data=sheet, key=key, on_went_change=lambda: None, on_around_change=lambda: None)
    return presses.read_request(cast("dict[str, Any] | None", result.went), data.item.id, key)


_SHEET = register("variant", "variant")
