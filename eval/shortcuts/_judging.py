"""Decide whether a shortcut's answer is right, by rules that need no judge.

A gold answer of up to ten words is short, a longer one is long. A passage is right if it contains a short gold answer (the
metric in_accuracy), or enough of the distinct content words of a long gold answer (their share is at least the threshold). For
a short gold answer, an agent's reply is right if it contains the gold answer, and a shortcut's bare answer is right if it
equals the gold answer (exact_match). For a long gold answer, both are right if their token F1 with the gold answer reaches the
threshold. A passage is not judged if the gold answer is yes or no, or if the question itself contains the gold answer, because
passages on the question's subject contain such words anyway."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from core.text.refusals import is_refusal
from core.text.words import content_words, words
from core.wording.plain_answers import PLAIN_ANSWERS
from eval.metric import ScoringCase
from eval.metrics import exact_match, token_f1
from eval.metrics.in_accuracy import SearchableText, contains_answer, make_searchable
from eval.shortcut import Form

THRESHOLD = 0.5
"""Default threshold for a long gold answer: an answer is right from this share of its content words, or from this token F1 with
it."""
MAX_SHORT_WORDS = 10
"""Maximum number of words of a short gold answer."""
ACCIDENTAL_ANSWERS = PLAIN_ANSWERS | {"true", "false"}
"""Gold answers that passages contain by accident."""


class PreparedText:
    """A text that is compared with many gold answers, so that it is split into words once."""

    def __init__(self, text: str, language: str) -> None:
        self.text, self.language = text, language

    @cached_property
    def searchable(self) -> SearchableText:
        return make_searchable(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(words(self.text, self.language))


@dataclass(frozen=True, slots=True)
class PreparedGold:
    """A gold answer that is compared with many answers."""

    text: str
    searchable: SearchableText
    content: frozenset[str]
    """The distinct content words; all words if none is a content word."""
    is_short: bool


@lru_cache(maxsize=50_000)
def prepare_gold(text: str, language: str) -> PreparedGold:
    """Return the gold answer in the form that `is_right` takes."""
    content = frozenset(content_words(text, language))
    every = words(text, language)
    return PreparedGold(text, make_searchable(text), content or frozenset(every), len(every) <= MAX_SHORT_WORDS)


def judge_answer(
    answer: PreparedText, form: Form, question: PreparedText, golds: Sequence[str], threshold: float = THRESHOLD
) -> bool | str:
    """Return whether an answer to the question is right by one of the gold answers, or the reason why this cannot be
    decided."""
    why = "no gold answer"
    decided = False
    for text in golds:
        gold = prepare_gold(text, answer.language)
        if fault := _find_fault(gold, form, question):
            why = fault
            continue
        decided = True
        if is_right(answer, form, gold, threshold):
            return True
    return False if decided else why


def is_right(answer: PreparedText, form: Form, gold: PreparedGold, threshold: float) -> bool:
    """Return whether the answer is right by the gold answer."""
    if form == "passage":
        if gold.is_short:
            return contains_answer(answer.searchable, gold.searchable)
        return len(gold.content & answer.words) >= threshold * len(gold.content)
    if form == "reply" and is_refusal(answer.text):
        return False
    if gold.is_short and form == "reply":
        return contains_answer(answer.searchable, gold.searchable)
    case = ScoringCase("", answer.text, (gold.text,), answer.language)
    value = (exact_match if gold.is_short else token_f1).score(case)[""]
    return isinstance(value, float) and value >= (1 if gold.is_short else threshold)


def _find_fault(gold: PreparedGold, form: Form, question: PreparedText) -> str:
    """Return why this gold answer cannot decide whether an answer is right; "" if it can decide."""
    if not gold.searchable.plain or not gold.content:
        return "no gold answer"
    if form == "passage" and gold.searchable.plain in ACCIDENTAL_ANSWERS:
        return "the gold answer is yes or no"
    if form == "passage" and gold.is_short and contains_answer(question.searchable, gold.searchable):
        return "the question contains the gold answer"
    return ""
