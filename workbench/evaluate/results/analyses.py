"""Analyses after R-Eval, over the runs of one season: which response types a system's answers are of, and the answers behind
each; its other figures are presets (workbench/evaluate/results/reports.py)."""

from collections.abc import Sequence
from typing import NamedTuple

from core.errors import BenchError
from core.nouns import Trace
from eval.papers.matching import RadarCell
from eval.papers.response_types import METRICS, THRESHOLD, TYPES, ResponseCounts, ResponseType, classify_trace, count_responses
from eval.papers.season import check_season
from eval.reports.results import describe_unfinished
from eval.reports.run_names import name_runs
from store.engine.database import Database
from store.runs import rewarded, runs, traces
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act

__all__ = ["PAGE", "THRESHOLD", "TYPES", "AnalysisStage", "ResponseType", "TypeBoard", "TypedAnswer"]

PARTS = ("", ".useful", ".scratchpad")
PAGE = 25
"""Answers on one page of a list."""


class TypedAnswer(NamedTuple):
    """One answer with its type."""

    asked: rewarded.RewardedQuestion
    kind: ResponseType | None
    """None where it has an answer without a reward, and in a run that is not finished."""
    reward: float | None

    @property
    def cell(self) -> RadarCell:
        return RadarCell(self.asked.domain, self.asked.level)


class TypeLine(NamedTuple):
    """One system's answers, by type."""

    run: str
    name: str
    found: ResponseCounts


class TypeBoard(NamedTuple):
    """The systems of a season side by side."""

    lines: Sequence[TypeLine]
    cells: Sequence[RadarCell]
    """Domains at levels that their questions are in."""
    season: str
    """The release."""


class AnalysisStage:
    """Verbs on analyses."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = BackgroundCache(most=12)

    @act("see runs", "ids")
    def why_not(self, ids: Sequence[str]) -> str:
        """Why those runs are not laid side by side, in a sentence; "" when they are."""
        try:
            check_season([runs.get(self._db, id_) for id_ in ids])
        except BenchError as error:
            return str(error)
        return ""

    @act("see runs", "ids")
    def types(
        self, ids: Sequence[str], threshold: float = THRESHOLD, whole: bool = False, cell: RadarCell | None = None
    ) -> RunningWork[TypeBoard]:
        """The types of those runs' answers, of one cell or of all, when they are there. Raises BenchError on runs of several
        seasons, and where no answer has a type."""
        found = [runs.get(self._db, id_) for id_ in dict.fromkeys(ids)]
        check_season(found)
        stamps = tuple((run.id, traces.fingerprint(self._db, run.id)) for run in found)

        def made() -> TypeBoard:
            typed = [self._typed(run.id, threshold, whole) for run in found]
            if not any(one.kind for answers in typed for one in answers):
                raise BenchError(
                    "No answer of these runs has r_eval_f1 or r_eval_f1_cjk: finish the runs, and score them with "
                    "one of the two."
                )
            cells = {one.cell for answers in typed for one in answers}
            lines = [
                TypeLine(run.id, name, count_responses(one.kind for one in answers if cell in (None, one.cell)))
                for run, name, answers in zip(found, name_runs(found), typed, strict=True)
            ]
            return TypeBoard(lines, sorted(cells, key=lambda one: (one.domain, str(one.level))), found[0].release)

        return self._kept.get(("types", stamps, threshold, whole, cell), made)

    @act("see runs", "run")
    def answers(
        self,
        run: str,
        kind: ResponseType | None,
        threshold: float = THRESHOLD,
        whole: bool = False,
        cell: RadarCell | None = None,
        page: int = 1,
    ) -> RunningWork[tuple[list[TypedAnswer], int]]:
        """A page of one run's answers of that type (None = of none, without a reward), and how many there are."""
        id_ = runs.get(self._db, run).id

        def made() -> tuple[list[TypedAnswer], int]:
            own = [one for one in self._typed(id_, threshold, whole) if one.kind == kind and cell in (None, one.cell)]
            return own[(page - 1) * PAGE : page * PAGE], len(own)

        return self._kept.get(("answers", traces.fingerprint(self._db, id_), id_, kind, threshold, whole, cell, page), made)

    def close(self) -> None:
        """Begin no more background work."""
        self._kept.close()

    def _typed(self, run: str, threshold: float, whole: bool) -> list[TypedAnswer]:
        names = [f"{metric}{part}" for metric in METRICS for part in PARTS]
        scores = rewarded.load_scores(self._db, run, names)
        asked = rewarded.load_questions(self._db, runs.get(self._db, run))
        answered = sum(one.answer is not None for one in asked)
        is_open = bool(describe_unfinished(len(runs.load_questions(self._db, run)), len(asked), answered, len(scores)))
        found = []
        for one in asked:
            own = scores.get((one.item, one.variant), {})
            trace = Trace(run, one.item, one.variant, one.answer, stop=one.stop)
            values = (own[name].value for name in METRICS if name in own)
            reward = next((value for value in values if value is not None), None)
            found.append(TypedAnswer(one, None if is_open else classify_trace(trace, own, threshold, whole), reward))
        return found


def cell_named(cells: Sequence[RadarCell], label: str) -> RadarCell | None:
    """The cell with that label; None where there is none."""
    return next((cell for cell in cells if cell.label == label), None)
