"""Read the gold answers of questions in other projects' files. A gold answer that consists only of articles and punctuation is
left out, because every answer would count as equal to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Item
from core.text.text import normalise_answer
from store.format import Bundle
from store.formats._lines import MAX_ANSWER_CHARACTERS

LEFT_OUT = "golds_left_out"
"""Name of the item label that lists gold answers which were left out."""


def read_golds(values: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return (distinct gold answers in their order, dict with a label that lists the answers left out). Raises ValueError if no
    gold answer can be used; the caller adds the position in the file to the message."""
    if not isinstance(values, Sequence) or isinstance(values, str) or not all(isinstance(value, str) for value in values):
        raise ValueError("has gold answers that are not a list of texts")
    if not values:
        raise ValueError("has no gold answer")
    longest = max(map(len, values))
    if longest > MAX_ANSWER_CHARACTERS:
        raise ValueError(f"has an answer of {longest:,} characters, but at most {MAX_ANSWER_CHARACTERS:,} are allowed")
    distinct = list(dict.fromkeys(values))
    golds = [value for value in distinct if normalise_answer(value)]
    if not golds and not any(value.strip() for value in distinct):
        raise ValueError("has an empty gold answer")
    if not golds:
        named = ", ".join(repr(value[:40]) for value in distinct[:3])
        raise ValueError(f"has the gold answer {named}, which is empty without articles and punctuation")
    left_out = [value for value in distinct if value not in golds]
    return tuple(golds), {LEFT_OUT: left_out} if left_out else {}


def hash_answers(item: Item, bundle: Bundle) -> list[str]:
    """Return the salted hashes that an export writes in place of a withheld item's answers; for an item of a sealed release,
    the commitment to the whole item. Raises BenchError if there is no salt."""
    if item.id in bundle.commitments:
        return [bundle.commitments[item.id]]
    salt = bundle.salts.get(item.id)
    if salt is None:
        raise BenchError(f"Item {item.id} has no salt for its answers: freeze the release again, then withhold the split.")
    return [content_hash([salt, answer]) for answer in item.answers]


def is_withheld(row: Mapping[str, Any], answers: Any) -> bool:
    """Check whether the row of an exported file belongs to a withheld item, whose answers are missing."""
    return bool(row.get("answer_hashes")) and not answers
