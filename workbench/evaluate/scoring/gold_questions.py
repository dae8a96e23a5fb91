"""Provide the question sets that the metric rag_quest_eval needs while a run is scored."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from core.as_json import Json
from eval.metric import ScoringCase
from eval.metrics import rag_quest_eval
from eval.scoring.nuggets import join_nuggets, read_nuggets
from eval.scoring.scoring import ScoringJudge
from prompts.prompt import load
from store.engine.database import Database
from store.runs import question_sets
from store.runs.question_sets import QuestionSet
from workbench.evaluate.scoring.gold_nuggets import GoldNuggets
from workbench.evaluate.scoring.gold_sets import GoldSets

METRIC = "rag_quest_eval"


class GoldQuestions(GoldSets[QuestionSet]):
    """The question sets for the items of a run; a set has short questions about a long gold answer, or about the nuggets of
    the item. A set about nuggets is stored for the text of these nuggets, so that changed nuggets get another set."""

    metric = METRIC
    given = made = "question_set"
    table = question_sets.TABLE

    def __init__(
        self, database: Database, items: Collection[str], judges: Sequence[ScoringJudge], of_nuggets: bool = False
    ) -> None:
        """`of_nuggets` says whether the sets are about the nuggets of the items, which the cases must then have already."""
        super().__init__(database, items, judges)
        self._of_nuggets = of_nuggets

    def find_text(self, case: ScoringCase) -> str | None:
        if not self._of_nuggets:
            return super().find_text(case)
        given = case.extra.get(GoldNuggets.given)
        return None if given is None else join_nuggets(read_nuggets(given))

    def encode_content(self, stored: QuestionSet) -> list[dict[str, Json]]:
        return [{"question": question, "answer": answer} for question, answer in stored.pairs]

    def build_set(self, case: ScoringCase, item: str, details: Mapping[str, Any], judge: ScoringJudge) -> QuestionSet:
        pairs = tuple((str(row["question"]), str(row["answer"])) for row in details[self.made])
        names = [rag_quest_eval.NUGGET_QUESTIONS] if self._of_nuggets else [rag_quest_eval.QUESTIONS, rag_quest_eval.ANSWERS]
        prompts = tuple(load(name, case.language).identity for name in names)
        text = str(details["nuggets"]) if self._of_nuggets else case.answers[0]
        answered = count_answered(pairs)
        return QuestionSet(item, text, case.language, pairs, answered, judge.name, prompts, judge.is_offline)


def count_answered(pairs: Iterable[tuple[str, str]]) -> int:
    """Return the number of (question, answer) pairs in which the gold answer answers the question."""
    return sum(not rag_quest_eval.is_unanswerable(answer) for _, answer in pairs)
