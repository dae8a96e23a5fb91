"""Score the citations in an answer: separate its sentences from their markers [1], [2, 3] or 【4】, which are numbers of
passages, and ask a judge whether the cited passages support each sentence. The judge is called once per sentence, and sees only
the passages that the sentence cites."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.agent import WaitingCalls
from core.text.text import split_sentences
from eval.metric import JudgedScore, ScoringCase, Unscored
from eval.scoring.claims import SUPPORT, CheckedClaim, check_support
from eval.system import AskInRun
from prompts.prompt import load

_MARK = r"[\[【]\s*\d{1,4}(?:\s*(?:[,，、;；-]|–)\s*\d{1,4})*\s*[\]】]"
_MARKS = re.compile(_MARK)
_AFTER_THE_STOP = re.compile(rf"([.!?。！？])\s*((?:{_MARK}\s*)+)")
MAX_RANGE_PASSAGES = 50
"""Maximum number of passages in a range of citations like [1-9]."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """One sentence of an answer, with the passages that it cites and the judge's verdict."""

    text: str
    numbers: tuple[int, ...]
    """Distinct numbers of the cited passages; a number may have no passage."""
    checked: CheckedClaim | None
    """The judge's verdict on the sentence, or None if the sentence cites no existing passage."""

    @property
    def value(self) -> int | None:
        """Return 1 if the cited passages support the sentence, 0 if they do not or if no passage is cited, None if the verdict
        is unreadable."""
        return self.checked.value if self.checked else 0


async def score_citations(
    case: ScoringCase, ask: AskInRun, votes: int, average: Callable[[list[CitedSentence]], float | Unscored]
) -> JudgedScore:
    """Return the score that `average` computes from the answer's sentences and the judge's verdicts on their citations. Raises
    AgentError if a call fails."""
    if not case.contexts:
        return JudgedScore({"": Unscored("no passages to cite")})
    sentences, waiting = list[CitedSentence](), WaitingCalls()
    for text, numbers in split_citing_sentences(case.prediction, case.language):
        cited = {n: case.contexts[n - 1] for n in numbers if 1 <= n <= len(case.contexts)}
        with waiting.hold():
            checked = (await check_support([text], cited, case.language, ask, votes))[0] if cited else None
            sentences.append(CitedSentence(text, numbers, checked))
    waiting.raise_first()
    if not sentences:
        return JudgedScore({"": Unscored("no sentence in the answer")})
    verdicts = [s.checked.record("cites " + ", ".join(map(str, s.numbers))) for s in sentences if s.checked]
    unread = float(sum(sentence.value is None for sentence in sentences))
    details = {"verdicts": verdicts, "prompt": load(SUPPORT, case.language).identity}
    return JudgedScore({"": average(sentences), "unread": unread}, details)


def split_citing_sentences(text: str, language: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return (sentence without markers, numbers of the passages it cites) for each sentence; a marker after the full stop
    belongs to the sentence before."""
    text = _AFTER_THE_STOP.sub(r" \2\1 ", text)
    sentences = []
    for start, end in split_sentences(text, language):
        piece = text[start:end]
        words = " ".join(_MARKS.sub(" ", piece).split())
        if any(sign.isalnum() for sign in words):
            numbers = dict.fromkeys(n for mark in _MARKS.findall(piece) for n in _read_numbers(mark))
            sentences.append((re.sub(r"(?<!\s)\s+([.!?。！？,，;；])", r"\1", words), tuple(numbers)))
    return sentences


def _read_numbers(mark: str) -> list[int]:
    numbers: list[int] = []
    for part in re.split(r"[,，、;；]", mark[1:-1]):
        ends = [int(digits) for digits in re.findall(r"\d+", part)]
        is_range = len(ends) == 2 and ends[0] < ends[1]
        numbers += range(ends[0], min(ends[1], ends[0] + MAX_RANGE_PASSAGES) + 1) if is_range else ends
    return numbers
