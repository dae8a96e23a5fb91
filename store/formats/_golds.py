"""Gold answers of outside questions, looked at before they come in: one of which nothing is left once articles and marks are
taken out would be found in any answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.ids import content_hash
from core.nouns import Item
from core.text.text import normalise_answer
from store.format import Bundle
from store.formats._lines import LONGEST_ANSWER

LEFT_OUT = "golds_left_out"
"""The label that names the gold answers of an item that did not come in with the others."""


def read_golds(found: Any) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The gold answers in their order, each once, and the labels that tell which were left out. Raises ValueError with the end
    of a sentence where none can be used."""
    if not isinstance(found, Sequence) or isinstance(found, str) or not all(isinstance(one, str) for one in found):
        raise ValueError("has gold answers that are no list of texts")
    if not found:
        raise ValueError("has no gold answer")
    longest = max(map(len, found))
    if longest > LONGEST_ANSWER:
        raise ValueError(f"has an answer of {longest:,} characters, where {LONGEST_ANSWER:,} are taken")
    once = list(dict.fromkeys(found))
    kept = [one for one in once if normalise_answer(one)]
    if not kept and not any(one.strip() for one in once):
        raise ValueError("has an empty gold answer")
    if not kept:
        named = ", ".join(repr(one[:40]) for one in once[:3])
        raise ValueError(f"has the gold answer {named}, of which nothing is left without articles and marks")
    out = [one for one in once if one not in kept]
    return tuple(kept), {LEFT_OUT: out} if out else {}


def hash_answers(item: Item, bundle: Bundle) -> list[str]:
    """What stands in the place of a withheld item's answers."""
    return [content_hash([bundle.salts[item.id], answer]) for answer in item.answers]


def is_withheld(row: Mapping[str, Any], answers: Any) -> bool:
    """Whether a row that we wrote keeps its answers back."""
    return bool(row.get("answer_hashes")) and not answers
