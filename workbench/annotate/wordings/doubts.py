"""Decide whether a person's rewrite of a question needs a reason and a second person's acceptance, and why."""

from typing import Any

from core.nouns import Item
from core.retrieval.similarity import explain_near_copy, explain_too_short, is_same
from core.text.words import words
from core.wording.answer_hints import find_hint
from core.wording.answer_leaks import find_leaked_answer

MAX_QUOTED_CHARACTERS = 80
"""Maximum number of characters of an answer or rewrite that an error message quotes."""
MIN_DISTINCT_SHARE = 1 / 3
"""Minimum share (0 to 1) of different words in a text; a text with a lower share counts as repetitive."""
OTHERS_DECIDE = "leave it out, or say why it stays; somebody else then decides on the rewrite."
"""Advice to the writer of a rewrite that seems to contain a gold answer."""


def find_doubt(item: Item, text: str, measured: dict[str, Any], advice: str = OTHERS_DECIDE) -> str | None:
    """Return why this rewrite of the item's question needs a reason and a second person's acceptance, or None if it needs
    neither. `measured` is the result of core.retrieval.similarity.measure_rewrite for this rewrite. `advice` tells the writer
    what to do if the rewrite contains a gold answer."""
    told = explain_told_answer(item, text, advice)
    return told or explain_near_copy(measured) or explain_too_short(measured) or _explain_no_question(item, text)


def explain_told_answer(item: Item, text: str, advice: str = OTHERS_DECIDE) -> str | None:
    """Return a sentence that names the gold answer that the text contains or hints at, although the item's question does not.
    Return None if there is no such answer."""
    if leaked := find_leaked_answer(item.question, text, item.answers):
        return f"The rewrite contains the gold answer “{quote(leaked)}”: {advice}"
    for answer in item.answers:
        if hint := find_hint(item.question, text, answer):
            return f"“{quote(hint)}” is not in the question and may give away the gold answer “{quote(answer)}”: {advice}"
    return None


def _explain_no_question(item: Item, text: str) -> str | None:
    """Return a message that the text mostly repeats words, or that it is the question backwards; None if neither is true."""
    asked, written = words(item.question, item.language), words(text, item.language)
    if len(set(written)) < MIN_DISTINCT_SHARE * len(written):
        return "Most of the rewrite's words are repeated: write the question in your own words."
    if written == asked[::-1] or is_same(item.question, text[::-1]):
        return "The rewrite is the question backwards: write it in your own words."
    return None


def quote(text: str) -> str:
    """Return the text for an error message, cut to MAX_QUOTED_CHARACTERS."""
    return text if len(text) <= MAX_QUOTED_CHARACTERS else f"{text[:MAX_QUOTED_CHARACTERS]}…"
