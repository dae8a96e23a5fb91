"""Finds gold answers that a rewording of a question gives away: the rewording contains a whole answer that the question does
not contain."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate

from core.text.language import find_row
from core.text.scripts import UNSPACED_CHARACTER

_ARTICLES = frozenset(("a", "an", "the"))
_COMMON_WORDS = find_row("en").stop_words | {"yes", "true", "false"}
"""Pattern of common words; an answer that consists only of these gives nothing away."""
_WORD = re.compile(r"[^\W_]+")


def find_leaked_answer(question: str, text: str, answers: Sequence[str]) -> str | None:
    """Return the first answer that the text contains as a whole and that the question does not contain, or None if there is
    none.

    Case, accents, Unicode form, punctuation and articles are ignored. Only whole words match, except in scripts without
    spaces."""
    before, after = _Letters(question), _Letters(text)
    for answer in answers:
        gold = _Letters(answer)
        if gold.words[:1] and gold.words[0] in _ARTICLES:
            gold = _Letters(" ".join(gold.words[1:]))
        if after.contains(gold) and not before.contains(gold):
            return answer
    return None


class _Letters:
    """The letters and digits of a text as one string, with the positions of word boundaries."""

    def __init__(self, text: str) -> None:
        plain = unicodedata.normalize("NFKD", text).casefold()
        self.words = _WORD.findall("".join(letter for letter in plain if unicodedata.category(letter) != "Mn"))
        self.row = "".join(self.words)
        self.ends = {0, *accumulate(map(len, self.words))}

    def contains(self, gold: "_Letters") -> bool:
        if all(word in _COMMON_WORDS for word in gold.words):
            return False
        is_unspaced = bool(UNSPACED_CHARACTER.search(gold.row))
        at = self.row.find(gold.row)
        while at >= 0:
            if is_unspaced or (at in self.ends and at + len(gold.row) in self.ends):
                return True
            at = self.row.find(gold.row, at + 1)
        return False
