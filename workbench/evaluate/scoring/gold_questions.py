"""Provide the question sets of the metric rag_quest_eval while a run is scored. The first judge that needs the set for a gold
answer creates the set. All later systems and judges use the same set, with people's changes to it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from eval.metric import ScoringCase, split_name
from eval.metrics import rag_quest_eval
from eval.scoring.scoring import ScoredCase, ScoringJudge
from eval.system import Question
from prompts.prompt import load
from store.engine.database import Database
from store.runs import question_sets
from store.runs.question_sets import QuestionSet, gold_key

METRIC = "rag_quest_eval"


class GoldQuestions:
    """The question sets (short questions about a long gold answer) for the items of a run. Sets written by the offline agent
    (rules without a model) are used only if all judges are offline."""

    def __init__(self, database: Database, questions: Iterable[Question], judges: Sequence[ScoringJudge]) -> None:
        self._judges = {judge.name: judge for judge in judges}
        for_offline = bool(judges) and all(judge.is_offline for judge in judges)
        self._sets = question_sets.load_counting_sets(database, {question.item for question in questions}, for_offline)

    def attach_set(self, case: ScoringCase, item: str) -> ScoringCase:
        """Return the scoring case with the question set for its gold answer, if there is one."""
        stored = self._sets.get((item, gold_key(case.answers[0], case.language))) if case.answers else None
        if stored is None:
            return case
        pairs = [{"question": question, "answer": answer} for question, answer in stored.pairs]
        # The text "with set" sorts after every version without a set.
        version = {"question_set_version": f"with set {stored.number:04d}"} if stored.is_written else {}
        return replace(case, extra={**case.extra, "question_set": pairs, **version})

    def collect_sets(self, scored: Iterable[ScoredCase], items: Mapping[str, str]) -> list[QuestionSet]:
        """Return the question sets that judges created while these cases were scored. `items` is a dict from case id to
        item."""
        return [
            self._build_set(result.case, items[result.case.id], details)
            for result in scored
            if "question_set" not in result.case.extra
            for name, details in result.details.items()
            if split_name(name).metric == METRIC and "question_set" in details
        ]

    def _build_set(self, case: ScoringCase, item: str, details: Mapping[str, object]) -> QuestionSet:
        judge, rows = self._judges[str(details["judge"])], details["question_set"]
        pairs = tuple((str(row["question"]), str(row["answer"])) for row in rows) if isinstance(rows, list) else ()
        prompts = tuple(load(name, case.language).identity for name in (rag_quest_eval.QUESTIONS, rag_quest_eval.ANSWERS))
        answered = count_answered(pairs)
        return QuestionSet(item, case.answers[0], case.language, pairs, answered, judge.name, prompts, judge.is_offline)


def count_answered(pairs: Iterable[tuple[str, str]]) -> int:
    """Return the number of (question, answer) pairs whose question the gold answer answers."""
    return sum(not rag_quest_eval.is_unanswerable(answer) for _, answer in pairs)
