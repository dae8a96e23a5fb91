"""Let people view and change question sets: the questions that the metric rag_quest_eval asks about a gold answer. A judge
creates a question set once, and people change it. The next time that answers are scored, the changed set is used; repeating the
same run then calls only the judge."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from core.text.language import ByLanguage
from eval.metrics.rag_quest_eval import NUGGET_QUESTIONS
from store.engine.database import Database
from store.items import items
from store.runs import question_sets
from store.runs.question_sets import PAGE_SIZE, QuestionSet, QuestionSetRow, SetSelection
from workbench.evaluate.scoring.gold_questions import METRIC, count_answered
from workbench.evaluate.scoring.gold_sets import check_author, find_following, store_version
from workbench.roles import requires

__all__ = ["METRIC", "PAGE_SIZE", "QuestionSet", "QuestionSetRow", "QuestionSetStage", "SetSelection"]

MAX_QUESTIONS = 50
"""Maximum number of questions in one question set."""
MAX_CHARACTERS = 1_000
"""Maximum number of characters of a question or answer in a question set."""
UNANSWERABLE = ByLanguage({"en": "unanswerable", "zh": "无法推断"})
"""Answer to a question that the gold answer does not answer, by language."""


class QuestionSetCard(NamedTuple):
    """One question set with all its versions."""

    question: str
    """Current question of the item that the set belongs to."""
    versions: Sequence[QuestionSet]
    """All versions of the question set, oldest first."""

    @property
    def current(self) -> QuestionSet:
        """Return the version of the question set that the next scoring uses."""
        return self.versions[-1]

    @property
    def is_of_nuggets(self) -> bool:
        """Check whether the questions were drafted from the nuggets of the item, which are then the set's gold answer."""
        return any(name.startswith(f"{NUGGET_QUESTIONS}.") for version in self.versions for name in version.prompts)


class QuestionSetStage:
    """Methods with which people list, view and change question sets."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @requires("see runs")
    def page(self, text: str = "", only: SetSelection = "all", number: int = 1) -> tuple[list[QuestionSetRow], int]:
        """Return (page `number` of the question sets in use, number of all sets that match). A set matches if `text` occurs in
        the item's question, in the gold answer or in the set."""
        return question_sets.load_page(self._db, text.strip(), only, number)

    @requires("see runs")
    def card(self, item: str, gold: str) -> QuestionSetCard:
        """Return the question set for the item and gold answer, with all versions. Raises BenchError if there is no such
        set."""
        versions = question_sets.TABLE.load_versions(self._db, item, gold)
        if not versions:
            raise BenchError(
                f"No question set of {item} and this gold answer exists: scoring a run with {METRIC} creates the set."
            )
        return QuestionSetCard(items.get(self._db, item).question, versions)

    @requires("see runs")
    def find_next(self, item: str, gold: str, text: str = "", only: SetSelection = "all") -> tuple[str, str] | None:
        """Return (item, key of the gold answer) of the next set after this one in the list of `page`; after the last set,
        return the first. Return None if no other set is selected."""
        wanted = set(question_sets.list_keys(self._db, text.strip(), only))
        return find_following((item, gold), question_sets.list_keys(self._db, "", "all"), wanted)

    @requires("edit question sets", "item")
    def save(self, item: str, gold: str, rows: Sequence[Mapping[str, Any]], *, seen: int, by: str) -> QuestionSet:
        """Store the rows, each {"question", "answer"}, as the next version of the question set; return the version that is then
        current.

        `seen` is the version that the person edited; an empty answer means that the gold answer does not answer the question.
        Rows that equal the current version create no new version. Raises BenchError, and stores nothing, if the person's name
        is empty, if no row has a question, if a row is invalid, or if another person has changed the set in the meantime."""
        author = check_author(by, "question set")
        current = self.card(item, gold).current
        pairs = _read_pairs(rows, current.language)
        if not pairs:
            raise BenchError(
                f"No question was given for {item}: write one or more, because a set without questions scores no answer."
            )
        if pairs == current.pairs and seen == current.number:
            return current
        written = QuestionSet(item, current.answer, current.language, pairs, count_answered(pairs), author)
        return store_version(self._db, question_sets.TABLE, written, seen)


def _read_pairs(rows: Sequence[Mapping[str, Any]], language: str) -> tuple[tuple[str, str], ...]:
    """Return the (question, answer) pairs that a person typed, leaving out empty rows. Raises BenchError if there are too many
    pairs, or if a pair is invalid."""
    typed = [tuple(" ".join(str(row.get(name) or "").split()) for name in ("question", "answer")) for row in rows]
    pairs = [(question, answer) for question, answer in typed if question or answer]
    if len(pairs) > MAX_QUESTIONS:
        raise BenchError(f"{len(pairs)} questions were given, but a set has at most {MAX_QUESTIONS}.")
    earlier: set[str] = set()
    for place, (question, answer) in enumerate(pairs, 1):
        if not question:
            raise BenchError(f"Row {place} has an answer but no question: write the question, or remove the row.")
        if max(len(question), len(answer)) > MAX_CHARACTERS:
            raise BenchError(
                f"Row {place} is longer than {MAX_CHARACTERS:,} characters: write questions and answers of a few words."
            )
        if question in earlier:
            raise BenchError(f"This question is in the set twice: {question}")
        earlier.add(question)
    return tuple((question, answer or UNANSWERABLE[language]) for question, answer in pairs)
