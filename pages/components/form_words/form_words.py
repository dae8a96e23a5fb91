"""Stores the text that a person types in a form in the browser until it is saved, because the server receives the text only
when the person presses a button."""

from collections.abc import Mapping
from typing import Any

from pages.components.bundles import register

_FORM_WORDS = register("form_words", "form_words")


def show(key: str, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Store the text of a form in the browser. If the browser holds other text when the form opens, return {"number", "rows"}
    once.

    `data` has: `fields`, the key of the container with the form, which changes whenever the rows are replaced; `columns`, the
    names of the boxes of a row; `place`, the key of the text in the browser; `number`, the version that the text was edited
    from; `rows`, a dict from column to text for each row; `changed`, whether the rows differ from that version; `add`, the key
    of the button that adds a row, after which typed letters go to the new row; `focus`, the position of the row to focus; and
    `forgotten`, {"place", "at"}, a request to delete the text stored under `place`, where `at` identifies the request."""
    kept: Mapping[str, Any] | None = _FORM_WORDS(data=dict(data), key=key, height=1, on_kept_change=lambda: None).kept
    return kept
