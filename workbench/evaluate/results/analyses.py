"""Analyse the runs of one season (one draw of template questions) as R-Eval does: count the response types of each system's
answers, and list the answers of one type. R-Eval's other results are presets of reports
(workbench/evaluate/results/reports.py)."""

from collections.abc import Sequence
from typing import NamedTuple

from core.errors import BenchError
from core.nouns import Trace
from eval.papers.matching import RadarCell
from eval.papers.response_types import (
    METRICS,
    MIN_MATCHING_REWARD,
    TYPES,
    ResponseCounts,
    ResponseType,
    classify_trace,
    count_responses,
)
from eval.papers.season import check_season
from eval.reports.results import describe_unfinished
from eval.reports.run_names import name_runs
from store.runs import rewarded, runs, traces
from workbench.background_cache import CachedStage, RunningWork
from workbench.roles import requires

__all__ = ["MIN_MATCHING_REWARD", "PAGE_SIZE", "TYPES", "AnalysisStage", "ResponseType", "TypeBoard", "TypedAnswer"]

PARTS = ("", ".useful", ".scratchpad")
PAGE_SIZE = 25
"""Number of answers on one page of the list of answers with a response type."""


class TypedAnswer(NamedTuple):
    """One answer of a system with its response type and reward."""

    asked: rewarded.RewardedQuestion
    kind: ResponseType | None
    """Response type of the answer; None if it has no reward or if the run is not finished."""
    reward: float | None

    @property
    def cell(self) -> RadarCell:
        return RadarCell(self.asked.domain, self.asked.level)


class TypeLine(NamedTuple):
    """Numbers of one system's answers by response type."""

    run: str
    name: str
    responses: ResponseCounts


class TypeBoard(NamedTuple):
    """Numbers of answers by response type, for all systems of a season side by side."""

    lines: Sequence[TypeLine]
    cells: Sequence[RadarCell]
    """The combinations of domain and level that occur in the questions; a person can choose one."""


class AnalysisStage(CachedStage):
    """Methods with which the app analyses the response types of answers."""

    MAX_RESULTS = 12

    @requires("see runs", "ids")
    def why_not(self, ids: Sequence[str]) -> str:
        """Return a sentence that says why the given runs cannot be compared, or "" if they can."""
        try:
            check_season([runs.get(self._db, id_) for id_ in ids])
        except BenchError as error:
            return str(error)
        return ""

    @requires("see runs", "ids")
    def types(
        self, ids: Sequence[str], threshold: float = MIN_MATCHING_REWARD, whole: bool = False, cell: RadarCell | None = None
    ) -> RunningWork[TypeBoard]:
        """Return the numbers of these runs' answers by response type, for one combination of domain and level or for all.
        Raises BenchError if the runs are of several seasons, or if no answer has a response type."""
        chosen = [runs.get(self._db, id_) for id_ in dict.fromkeys(ids)]
        check_season(chosen)
        stamps = tuple((run.id, traces.fingerprint(self._db, run.id)) for run in chosen)

        def make() -> TypeBoard:
            by_run = [self._type_answers(run.id, threshold, whole) for run in chosen]
            if not any(answer.kind for answers in by_run for answer in answers):
                raise BenchError(
                    "No answer of these runs has r_eval_f1 or r_eval_f1_cjk: finish the runs, and score them with "
                    "one of the two."
                )
            lines = [
                TypeLine(run.id, name, count_responses(answer.kind for answer in answers if cell in (None, answer.cell)))
                for run, name, answers in zip(chosen, name_runs(chosen), by_run, strict=True)
            ]
            cells = {answer.cell for answers in by_run for answer in answers}
            return TypeBoard(lines, sorted(cells, key=lambda place: (place.domain, str(place.level))))

        return self._cache.get(("types", stamps, threshold, whole, cell), make)

    @requires("see runs", "run")
    def answers(
        self,
        run: str,
        kind: ResponseType | None,
        threshold: float = MIN_MATCHING_REWARD,
        whole: bool = False,
        cell: RadarCell | None = None,
        page: int = 1,
    ) -> RunningWork[tuple[list[TypedAnswer], int]]:
        """Return (one page of the run's answers with the response type `kind`, number of all these answers). If `kind` is None,
        the function selects answers without a response type."""
        id_ = runs.get(self._db, run).id

        def make() -> tuple[list[TypedAnswer], int]:
            typed = self._type_answers(id_, threshold, whole)
            answers = [answer for answer in typed if answer.kind == kind and cell in (None, answer.cell)]
            return answers[(page - 1) * PAGE_SIZE : page * PAGE_SIZE], len(answers)

        return self._cache.get(("answers", traces.fingerprint(self._db, id_), id_, kind, threshold, whole, cell, page), make)

    def _type_answers(self, run: str, threshold: float, whole: bool) -> list[TypedAnswer]:
        scores = rewarded.load_scores(self._db, run, [f"{metric}{part}" for metric in METRICS for part in PARTS])
        questions = rewarded.load_questions(self._db, runs.get(self._db, run))
        answered = sum(question.answer is not None for question in questions)
        total = len(runs.load_questions(self._db, run))
        is_open = bool(describe_unfinished(total, len(questions), answered, len(scores)))
        typed = []
        for question in questions:
            own = scores.get((question.item, question.variant), {})
            trace = Trace(run, question.item, question.variant, question.answer, stop=question.stop)
            rewards = (own[name].value for name in METRICS if name in own)
            reward = next((value for value in rewards if value is not None), None)
            typed.append(TypedAnswer(question, None if is_open else classify_trace(trace, own, threshold, whole), reward))
        return typed


def find_cell(cells: Sequence[RadarCell], label: str) -> RadarCell | None:
    """Return the combination of domain and level with the given label, or None if there is none."""
    return next((cell for cell in cells if cell.label == label), None)
