"""Whether a wording of a question gives its gold answer away: the whole answer stands in it, and not in the question itself."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate

from core.text.scripts import HAN_CHARACTER
from core.text.stop_words import STOP_WORDS

_ARTICLES = frozenset(("a", "an", "the"))
_NO_SECRET = STOP_WORDS["en"] | {"yes", "true", "false"}
"""A question may hold an answer that consists of these words alone: it gives nothing away."""
_WORD = re.compile(r"[^\W_]+")


def find_leaked_answer(question: str, text: str, answers: Sequence[str]) -> str | None:
    """The first answer that stands whole in the text, whatever its case, accents, form, punctuation and articles, and not in
    the question; None when there is none. Other than in Chinese an answer stands where words begin and end."""
    before, after = _Letters(question), _Letters(text)
    for answer in answers:
        gold = _Letters(answer).without_article()
        if after.hold(gold) and not before.hold(gold):
            return answer
    return None


class _Letters:
    """A text as its letters and digits in one row, and where in the row its words begin and end."""

    def __init__(self, text: str) -> None:
        plain = unicodedata.normalize("NFKD", text).casefold()
        self.words = _WORD.findall("".join(one for one in plain if unicodedata.category(one) != "Mn"))
        self.row = "".join(self.words)
        self.ends = {0, *accumulate(map(len, self.words))}

    def without_article(self) -> "_Letters":
        return _Letters(" ".join(self.words[1:])) if self.words[:1] and self.words[0] in _ARTICLES else self

    def hold(self, gold: "_Letters") -> bool:
        if all(word in _NO_SECRET for word in gold.words):
            return False
        is_whole_anywhere = bool(HAN_CHARACTER.search(gold.row))
        at = self.row.find(gold.row)
        while at >= 0:
            if is_whole_anywhere or (at in self.ends and at + len(gold.row) in self.ends):
                return True
            at = self.row.find(gold.row, at + 1)
        return False
