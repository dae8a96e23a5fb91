"""Provide the question sets that the metric rag_quest_eval needs while a run is scored."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.as_json import Json
from eval.metric import ScoringCase
from eval.metrics import rag_quest_eval
from eval.scoring.scoring import ScoringJudge
from prompts.prompt import load
from store.runs import question_sets
from store.runs.question_sets import QuestionSet
from workbench.evaluate.scoring.gold_sets import GoldSets

METRIC = "rag_quest_eval"


class GoldQuestions(GoldSets[QuestionSet]):
    """The question sets for the items of a run; a set has short questions about a long gold answer."""

    metric = METRIC
    given = made = "question_set"
    table = question_sets.TABLE

    def encode_content(self, stored: QuestionSet) -> list[dict[str, Json]]:
        return [{"question": question, "answer": answer} for question, answer in stored.pairs]

    def build_set(self, case: ScoringCase, item: str, rows: Sequence[Mapping[str, Any]], judge: ScoringJudge) -> QuestionSet:
        pairs = tuple((str(row["question"]), str(row["answer"])) for row in rows)
        prompts = tuple(load(name, case.language).identity for name in (rag_quest_eval.QUESTIONS, rag_quest_eval.ANSWERS))
        answered = count_answered(pairs)
        return QuestionSet(item, case.answers[0], case.language, pairs, answered, judge.name, prompts, judge.is_offline)


def count_answered(pairs: Iterable[tuple[str, str]]) -> int:
    """Return the number of (question, answer) pairs in which the gold answer answers the question."""
    return sum(not rag_quest_eval.is_unanswerable(answer) for _, answer in pairs)
