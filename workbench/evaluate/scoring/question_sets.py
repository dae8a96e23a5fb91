"""Question sets: what rag_quest_eval asks about each gold answer, made once by a judge and changed by people. A changed one
counts from the next scoring on: the same run again asks its judge alone."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from store.engine.database import Database
from store.items import items
from store.runs import question_sets
from store.runs.question_sets import PAGE, QuestionSet, QuestionSetRow, SetSelection
from workbench.evaluate.scoring.gold_questions import METRIC, answered
from workbench.roles import act

__all__ = ["METRIC", "PAGE", "QuestionSet", "QuestionSetRow", "QuestionSetStage", "SetSelection"]

MOST = 50
"""Questions in one set."""
LONGEST = 1_000
"""Characters of a question, or of an answer to it."""
NOT_TOLD = {"en": "unanswerable", "zh": "无法推断"}
"""What stands for an answer that the gold answer does not give."""


class Card(NamedTuple):
    """One set with all there is to know about it."""

    question: str
    """The item's, as it is now."""
    versions: Sequence[QuestionSet]
    """Oldest first."""

    @property
    def counts(self) -> QuestionSet:
        """The one by which the next scoring asks."""
        return self.versions[-1]


class QuestionSetStage:
    """Verbs on question sets."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @act("see runs")
    def page(self, text: str = "", only: SetSelection = "all", number: int = 1) -> tuple[list[QuestionSetRow], int]:
        """(PAGE of the sets that count, how many there are); `text` stands in question, gold answer or set."""
        return question_sets.load_page(self._db, text.strip(), only, number)

    @act("see runs")
    def card(self, item: str, gold: str) -> Card:
        """One set. Raises BenchError when there is none."""
        found = question_sets.load_versions(self._db, item, gold)
        if not found:
            raise BenchError(f"No question set of {item} and that gold answer: a run scored by {METRIC} makes it.")
        return Card(items.get(self._db, item).question, found)

    @act("edit question sets", "item")
    def save(self, item: str, gold: str, rows: Sequence[Mapping[str, Any]], *, seen: int, by: str) -> QuestionSet:
        """Have these {"question", "answer"} asked from now on, over number `seen`; an empty answer = the gold answer does not
        tell. Raises BenchError, keeping nothing, when nobody signs, on what cannot be asked, and when somebody else changed it
        meanwhile. The set that counts already is no new one."""
        if not by.strip():
            raise BenchError("Nobody signs: give your name first.")
        counts = self.card(item, gold).counts
        pairs = _pairs(rows, counts.language)
        if pairs == counts.pairs and seen == counts.number:
            return counts
        written = QuestionSet(item, counts.answer, counts.language, pairs, answered(pairs), by.strip())
        if not question_sets.write(self._db, written, seen):
            raise BenchError(
                f"{counts.by} changed this set meanwhile, and it was not saved over that: look at it again, then "
                "make your changes to what stands there now."
            )
        return question_sets.load_versions(self._db, item, gold)[-1]


def _pairs(rows: Sequence[Mapping[str, Any]], language: str) -> tuple[tuple[str, str], ...]:
    """What was typed: rows without a question are none. Raises BenchError on too much, on an answer without its question, and
    on a question that stands there twice."""
    found = [(" ".join(str(row.get("question") or "").split()), " ".join(str(row.get("answer") or "").split())) for row in rows]
    kept = [(question, answer) for question, answer in found if question or answer]
    if len(kept) > MOST:
        raise BenchError(f"{len(kept)} questions: a set has at most {MOST}.")
    for place, (question, answer) in enumerate(kept, 1):
        if not question:
            raise BenchError(f"Row {place} has an answer and no question: write the question, or take the row away.")
        if max(len(question), len(answer)) > LONGEST:
            raise BenchError(f"Row {place} is longer than {LONGEST:,} characters: questions and answers are a few words.")
    twice = next((question for n, (question, _) in enumerate(kept) if question in [one for one, _ in kept[:n]]), None)
    if twice is not None:
        raise BenchError(f"This question stands there twice: {twice}")
    return tuple((question, answer or NOT_TOLD.get(language, NOT_TOLD["en"])) for question, answer in kept)
