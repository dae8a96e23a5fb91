"""Keeps what a person types in a form, which the server gets at a press only, in this browser until it is saved."""

from collections.abc import Mapping
from typing import Any

from pages.components.bundles import register

_FORM_WORDS = register("form_words", "form_words")


def show(key: str, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Keep the words of a form, and return, once, {"number", "rows"} as kept if they differ from the form's when it is opened.

    `data` has: `fields`, the key of the container with the form, a new one whenever its rows are replaced; `columns`, the
    names of the boxes of a row; `place`, which identifies the words; `number`, the version that they are an edit of; `rows`,
    each a dict from column to text; `changed`, whether they differ from the version; `focus`, the position of the row to focus;
    and `forgotten`, an order to forget words, {"place", "at"}, which `at` identifies."""
    kept: Mapping[str, Any] | None = _FORM_WORDS(data=dict(data), key=key, height=1, on_kept_change=lambda: None).kept
    return kept
