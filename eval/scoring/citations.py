"""Citations in an answer: its sentences without their markers [1], [2, 3] or 【4】, each with the numbers of the passages that
it cites, and a judge's word on each cited sentence: one call a sentence, that sees the cited passages alone."""

import re
from dataclasses import dataclass

from core.text.text import split_sentences
from eval.metric import ScoringCase
from eval.scoring.claims import CheckedClaim, check_support
from eval.system import AskInRun

_MARK = r"[\[【]\s*\d{1,4}(?:\s*(?:[,，、;；-]|–)\s*\d{1,4})*\s*[\]】]"
_MARKS = re.compile(_MARK)
_AFTER_THE_STOP = re.compile(rf"([.!?。！？])\s*((?:{_MARK}\s*)+)")
MAX_RANGE_PASSAGES = 50
"""Passages that one range like [1-9] may name."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """One sentence of an answer."""

    text: str
    numbers: tuple[int, ...]
    """Of the passages that it cites, each once; some may not be there."""
    held: CheckedClaim | None
    """What the judge said; None where it cites no passage that is there."""

    @property
    def value(self) -> int | None:
        """1 = what it cites supports it; None = not read. A sentence that cites nothing is supported by nothing."""
        return self.held.value if self.held else 0


def split_citing_sentences(text: str, language: str) -> list[tuple[str, tuple[int, ...]]]:
    """(words, numbers) of each sentence that says anything; a marker behind the full stop belongs to the sentence before."""
    text = _AFTER_THE_STOP.sub(r" \2\1 ", text)
    found = []
    for start, end in split_sentences(text, language):
        piece = text[start:end]
        words = " ".join(_MARKS.sub(" ", piece).split())
        if any(sign.isalnum() for sign in words):
            numbers = dict.fromkeys(n for mark in _MARKS.findall(piece) for n in _numbers(mark))
            found.append((re.sub(r"(?<!\s)\s+([.!?。！？,，;；])", r"\1", words), tuple(numbers)))
    return found


async def judge_citations(case: ScoringCase, ask: AskInRun, votes: int) -> list[CitedSentence]:
    """The answer's sentences, each judged by what it cites. Raises AgentError."""
    found = []
    for text, numbers in split_citing_sentences(case.prediction, case.language):
        shown = {n: case.contexts[n - 1] for n in numbers if 1 <= n <= len(case.contexts)}
        held = (await check_support([text], shown, case.language, ask, votes))[0] if shown else None
        found.append(CitedSentence(text, numbers, held))
    return found


def explain_unjudged(case: ScoringCase) -> str:
    """Why citations cannot be judged; "" when they can."""
    if not case.contexts:
        return "no passages to cite"
    return "" if split_citing_sentences(case.prediction, case.language) else "no sentence in the answer"


def _numbers(mark: str) -> list[int]:
    found: list[int] = []
    for part in re.split(r"[,，、;；]", mark[1:-1]):
        ends = [int(one) for one in re.findall(r"\d+", part)]
        found += (
            range(ends[0], min(ends[-1], ends[0] + MAX_RANGE_PASSAGES) + 1) if len(ends) == 2 and ends[0] < ends[-1] else ends
        )
    return found
