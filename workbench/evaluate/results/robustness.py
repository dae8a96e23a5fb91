"""Robustness: what another wording does to answers, cost and the decision to search, over runs that asked rewrites too. The
figures are eval/robustness's, from stored traces alone."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from eval.robustness.estimate import Estimate
from eval.robustness.families import Family, Wording, list_wordings, rank_families
from eval.robustness.layout import list_notes
from eval.robustness.study import ITEMS, REWRITES, Study
from eval.robustness.trajectory import HopPair, HopSide, TrajectoryPair, compare_trajectories
from store.engine import settings
from store.engine.database import Database
from store.runs import runs
from workbench.evaluate.scoring.studied import KEY, Studies, check_model, model_of
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act

__all__ = [
    "ITEMS",
    "REWRITES",
    "Family",
    "HopPair",
    "HopSide",
    "RobustnessStage",
    "RobustnessSummary",
    "TrajectoryPair",
    "Wording",
]

SUMMED = ("in_accuracy", "answer_breaks", "similarity", "diversity", "cvr_searches", "cvr_calls", "any_flip", "over", "under")
"""What the summary shows of each system."""
WITHOUT_VECTORS = tuple(name for name in SUMMED if name not in ("similarity", "diversity"))


class ArmLine(NamedTuple):
    """One system of the summary."""

    name: str
    facts: Mapping[str, Any]
    runs: int
    figures: Mapping[tuple[str, str], Estimate]


class RobustnessSummary(NamedTuple):
    """The runs at a glance."""

    arms: Sequence[ArmLine]
    kinds: Sequence[str]
    """The original first."""
    items: int
    complete: int
    """Items that were asked in every kind."""
    notes: Sequence[str]


class WordingFamily(NamedTuple):
    """One item in all its wordings."""

    wordings: Sequence[Wording]
    titles: Mapping[str, str]
    """Of the documents that its searches found."""


class RobustnessStage:
    """Verbs on robustness."""

    def __init__(self, database: Database, studies: Studies) -> None:
        self._db, self._studies = database, studies
        self._kept = BackgroundCache()

    @act("see runs", "ids")
    def summary(self, ids: Sequence[str], with_vectors: bool = True) -> RunningWork[RobustnessSummary]:
        """Headline figures of each system, when they are there; without vectors no answer is embedded. Raises BenchError where
        the runs asked no rewrites."""
        found = self._ids(ids)
        names = SUMMED if with_vectors else WITHOUT_VECTORS
        return self._kept.get(("summary", self._studies.state(found), names), lambda: self._summary(found, names))

    @act("see runs", "ids")
    def families(self, ids: Sequence[str], arm: str, repeat: int = 0, with_spread: bool = True) -> RunningWork[list[Family]]:
        """The items of one system's run, those that break most first, when they are there."""
        found = self._ids(ids)
        key = ("families", self._studies.state(found), arm, repeat, with_spread)

        def made() -> list[Family]:
            study = self._studies.now(found)
            return rank_families(_run(study, arm, repeat), with_spread=with_spread)

        return self._kept.get(key, made)

    @act("see runs", "item")
    def opened(self, ids: Sequence[str], arm: str, item: str, repeat: int = 0) -> RunningWork[WordingFamily]:
        """Every wording of one item in one system's run, when it is there."""
        found = self._ids(ids)

        def made() -> WordingFamily:
            study = self._studies.now(found)
            own = list_wordings(study, _arm(study, arm), _repeat(study, arm, repeat), item)
            documents = {document for one in own for hop in one.record.hops or () for document in hop.documents}
            return WordingFamily(own, {one: study.titles.get(one, one) for one in sorted(documents)})

        return self._kept.get(("opened", self._studies.state(found), arm, item, repeat), made)

    @act("see runs", "item")
    def trajectories(
        self, ids: Sequence[str], arm: str, item: str, variant: str, repeat: int = 0
    ) -> RunningWork[TrajectoryPair]:
        """The original and that rewrite hop by hop, when they are there. Raises BenchError where one of them has no answer, or
        the system does not tell its searches."""
        found = self._ids(ids)

        def made() -> TrajectoryPair:
            study = self._studies.now(found)
            own = {r.variant: r for r in _run(study, arm, repeat).records if r.item == item}
            if None not in own or variant not in own:
                raise BenchError(f"The original of {item} or its rewrite {variant} has no answer in this run: choose another.")
            if own[None].hops is None or own[variant].hops is None:
                raise BenchError(f"{arm} does not tell its searches, so there is nothing to lay side by side.")
            return compare_trajectories(study, own[None], own[variant])

        return self._kept.get(("trajectories", self._studies.state(found), arm, item, variant, repeat), made)

    def model(self) -> str:
        """The embedding model of similarity and spread."""
        return model_of(self._db)

    @act("set the rules of the work", lambda given: "embedding model of robustness", notes=[])
    def set_model(self, name: str) -> None:
        """From now on that one. Raises BenchError when there is no such model."""
        check_model(name)
        settings.put(self._db, KEY, {"model": name})

    def close(self) -> None:
        """Begin no more background work."""
        self._kept.close()

    def _summary(self, ids: Sequence[str], names: Sequence[str]) -> RobustnessSummary:
        study = self._studies.now(ids)
        arms = [
            ArmLine(arm.name, arm.facts, len(arm.runs), study.figures(number, names)) for number, arm in enumerate(study.arms)
        ]
        return RobustnessSummary(arms, list(study.kinds), len(study.items), study.n_complete, list_notes(study))

    def _ids(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(runs.get(self._db, name).id for name in names))


def _arm(study: Study, name: str) -> int:
    """Raises BenchError without such a system."""
    names = [arm.name for arm in study.arms]
    if name not in names:
        raise BenchError(f"No system {name!r} among these runs; there are: {', '.join(names)}.")
    return names.index(name)


def _repeat(study: Study, arm: str, repeat: int) -> int:
    return min(max(repeat, 0), len(study.arms[_arm(study, arm)].runs) - 1)


def _run(study: Study, arm: str, repeat: int) -> Any:
    return study.asked[_arm(study, arm)][_repeat(study, arm, repeat)]
