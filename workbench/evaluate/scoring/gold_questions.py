"""The question sets by which rag_quest_eval asks, while a run is scored: each gold answer's is made once, by the first judge
that needs it, and stands for every system and judge after it, with what a person changed in it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from eval.metric import ScoringCase
from eval.metrics import rag_quest_eval
from eval.reports.metric_names import split_name
from eval.scoring.scoring import ScoredCase, ScoringJudge
from eval.system import Question
from prompts.prompt import load
from store.engine.database import Database
from store.runs import question_sets
from store.runs.question_sets import QuestionSet, gold_key

METRIC = "rag_quest_eval"


class GoldQuestions:
    """Those of the items of a run. Where any judge is no offline one, what the offline agent made does not count."""

    def __init__(self, database: Database, questions: Iterable[Question], judges: Sequence[ScoringJudge]) -> None:
        self._judges = {judge.name: judge for judge in judges}
        for_offline = bool(judges) and all(judge.is_offline for judge in judges)
        self._sets = question_sets.load_counting_sets(database, {question.item for question in questions}, for_offline)

    def given(self, case: ScoringCase, item: str) -> ScoringCase:
        """The case with the set that stands for its gold answer."""
        found = self._sets.get((item, gold_key(case.answers[0], case.language))) if case.answers else None
        if found is None:
            return case
        asked = [{"question": question, "answer": answer} for question, answer in found.pairs]
        version = {"question_set_version": version_of(found)} if found.is_written else {}
        return replace(case, extra={**case.extra, "question_set": asked, **version})

    def made(self, scored: Iterable[ScoredCase], items: Mapping[str, str]) -> list[QuestionSet]:
        """The sets that judges made for those cases; `items` = case id -> item."""
        return [
            self._set(one.case, items[one.case.id], said)
            for one in scored
            if "question_set" not in one.case.extra
            for name, said in one.details.items()
            if split_name(name).metric == METRIC and "question_set" in said
        ]

    def _set(self, case: ScoringCase, item: str, said: Mapping[str, object]) -> QuestionSet:
        judge = self._judges[str(said["judge"])]
        rows = said["question_set"]
        pairs = tuple((str(one["question"]), str(one["answer"])) for one in rows) if isinstance(rows, list) else ()
        prompts = tuple(load(name, case.language).identity for name in (rag_quest_eval.QUESTIONS, rag_quest_eval.ANSWERS))
        return QuestionSet(item, case.answers[0], case.language, pairs, answered(pairs), judge.name, prompts, judge.is_offline)


def version_of(written: QuestionSet) -> str:
    """What a written set adds to the version of the scores made by it: greater as a text than any version without."""
    return f"with set {written.number:04d}"


def answered(pairs: Iterable[tuple[str, str]]) -> int:
    """How many of the questions the gold answer answers."""
    return sum(not rag_quest_eval.is_unanswerable(answer) for _, answer in pairs)
