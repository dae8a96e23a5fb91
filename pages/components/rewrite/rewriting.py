"""The sheet on which a person rewrites a question: the question with its evidence, a text box that does not lose typed text,
and numbers that compare the rewrite with the question."""

from collections.abc import Sequence
from typing import Any, cast

from core.as_json import as_json
from pages.components.bundles import register
from pages.parts.ui import presses
from pages.parts.ui.presses import PageRequest
from workbench.annotate.wordings.rewrites import RewriteSheet

KEYS: Sequence[tuple[str, str]] = (
    ("Ctrl+Enter", "Store the rewrite and go to the next question"),
    ("w", "Go to the text box"),
    ("Esc", "Leave the box"),
    ("n", "Next question"),
    ("b", "Back to the previous question"),
)
"""Keys of the sheet with their actions, for the help that the key `?` opens."""


def show(data: RewriteSheet, key: str = "rewriting") -> PageRequest | None:
    """Show the rewrite sheet of an item, and return the person's request, or None if there is no new request. The kinds of
    request are "saved", "next", "back", "open" and "changed" (somebody changed the item). The caller opens the requested item,
    calls `mark_answered` and redraws the page (st.rerun)."""
    sheet = {**as_json(data), "went": presses.load_last_request(key)["n"]}
    result = _SHEET(data=sheet, key=key, on_went_change=lambda: None, on_around_change=lambda: None)
    return presses.read_request(cast("dict[str, Any] | None", result.went), data.item.id, key)


_SHEET = register("rewrite", "rewriting")
