"""For runs that also asked questions in other words, show how the wording changes answers, costs and the decision to search.
The package eval/robustness computes the results, only from stored answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from core.errors import BenchError
from eval.robustness.estimate import Estimate
from eval.robustness.families import Family, Wording, list_wordings, rank_families
from eval.robustness.layout import list_notes
from eval.robustness.study import ITEMS, REWRITES, Study
from eval.robustness.trajectory import HopPair, HopSide, TrajectoryPair, compare_trajectories
from store.engine import settings
from store.engine.database import Database
from store.runs import runs
from workbench.background_cache import CachedStage, RunningWork
from workbench.evaluate.scoring.studies import SETTING, Studies, check_model, model_of
from workbench.roles import requires

__all__ = [
    "ITEMS",
    "REWRITES",
    "Estimate",
    "Family",
    "HopPair",
    "HopSide",
    "RobustnessStage",
    "RobustnessSummary",
    "TrajectoryPair",
    "Wording",
]

FIGURES = ("in_accuracy", "answer_breaks", "similarity", "diversity", "cvr_searches", "cvr_calls", "any_flip", "over", "under")
"""Names of the robustness figures that the summary shows for each system."""
NEED_VECTORS = ("similarity", "diversity")

T = TypeVar("T")


class ArmLine(NamedTuple):
    """Robustness of one system to other wordings, as one line of the summary."""

    name: str
    release: str
    runs: Sequence[str]
    """Ids of the runs that repeat the system's configuration."""
    figures: Mapping[tuple[str, str], Estimate]


class RobustnessSummary(NamedTuple):
    """Robustness of all systems in the chosen runs to other wordings."""

    arms: Sequence[ArmLine]
    kinds: Sequence[str]
    """Kinds of wordings that the runs asked, the original first."""
    items: int
    complete: int
    """Number of items whose question was asked in every kind of wording."""
    notes: Sequence[str]


class WordingFamily(NamedTuple):
    """One item with a system's answers to its question in all wordings."""

    wordings: Sequence[Wording]
    titles: Mapping[str, str]
    """Dict from document id to title for the documents that searches found."""


class RobustnessStage(CachedStage):
    """Methods with which the app shows how robust systems are to other wordings."""

    def __init__(self, database: Database, studies: Studies) -> None:
        super().__init__(database)
        self._studies = studies

    @requires("see runs", "ids")
    def summary(self, ids: Sequence[str], with_vectors: bool = True) -> RunningWork[RobustnessSummary]:
        """Return the robustness results of each system in the runs. If `with_vectors` is False, results that need embeddings
        are left out. Raises BenchError if the runs asked no rewritten questions."""
        names = tuple(name for name in FIGURES if with_vectors or name not in NEED_VECTORS)

        def make(study: Study) -> RobustnessSummary:
            arms = [
                ArmLine(arm.name, arm.facts["release"], arm.facts["runs"], study.figures(number, names))
                for number, arm in enumerate(study.arms)
            ]
            return RobustnessSummary(arms, list(study.kinds), len(study.items), study.n_complete, list_notes(study))

        return self._compute(ids, ("summary", names), make)

    @requires("see runs", "ids")
    def families(self, ids: Sequence[str], arm: str, repeat: int = 0, with_spread: bool = True) -> RunningWork[list[Family]]:
        """Return the items of one run of a system, with the result for each wording. The first items are those where the
        largest share of rewrites turns a right answer into a wrong one."""

        def make(study: Study) -> list[Family]:
            place, number = _find_repeat(study, arm, repeat)
            return rank_families(study.layouts[place][number], with_spread=with_spread)

        return self._compute(ids, ("families", arm, repeat, with_spread), make)

    @requires("see runs", "item")
    def load_family(self, ids: Sequence[str], arm: str, item: str, repeat: int = 0) -> RunningWork[WordingFamily]:
        """Return every wording of one item's question, with the answer of one run of the system `arm`."""

        def make(study: Study) -> WordingFamily:
            wordings = list_wordings(study, *_find_repeat(study, arm, repeat), item)
            documents = {document for wording in wordings for hop in wording.record.hops or () for document in hop.documents}
            return WordingFamily(wordings, {id_: study.titles.get(id_, id_) for id_ in sorted(documents)})

        return self._compute(ids, ("family", arm, item, repeat), make)

    @requires("see runs", "item")
    def trajectories(
        self, ids: Sequence[str], arm: str, item: str, variant: str, repeat: int = 0
    ) -> RunningWork[TrajectoryPair]:
        """Return a system's searches for the original wording and for the rewrite `variant`, side by side. Raises BenchError if
        one of the two wordings has no answer, or if the system does not record its searches."""

        def make(study: Study) -> TrajectoryPair:
            place, number = _find_repeat(study, arm, repeat)
            records = {record.variant: record for record in study.layouts[place][number].records if record.item == item}
            if None not in records or variant not in records:
                raise BenchError(
                    f"The question of {item} or its rewrite {variant} has no answer in this run: choose another rewrite."
                )
            if records[None].hops is None or records[variant].hops is None:
                raise BenchError(f"{arm} does not record its searches, so there is nothing to compare.")
            return compare_trajectories(study, records[None], records[variant])

        return self._compute(ids, ("trajectories", arm, item, variant, repeat), make)

    def model(self) -> str:
        """Return the name of the embedding model that measures how similar answers are."""
        return model_of(self._db)

    @requires("set the rules of the work", lambda arguments: "embedding model of robustness", notes=[])
    def set_model(self, name: str) -> None:
        """Store the name of the embedding model that measures how similar answers are. Raises BenchError if there is no such
        model."""
        check_model(name)
        settings.put(self._db, SETTING, {"model": name})

    def _compute(self, names: Sequence[str], key: tuple[object, ...], make: Callable[[Study], T]) -> RunningWork[T]:
        """Return `make(study)` for the study of the runs `names`; the result is cached under `key` until the study changes."""
        ids = tuple(dict.fromkeys(runs.get(self._db, name).id for name in names))
        return self._cache.get((self._studies.state_of(ids), *key), lambda: make(self._studies.load(ids)))


def _find_repeat(study: Study, name: str, repeat: int) -> tuple[int, int]:
    """Return (index of the system in the study, index of the chosen run of this system). If `repeat` is too large, the last run
    is selected. Raises BenchError if the study has no such system."""
    names = [arm.name for arm in study.arms]
    if name not in names:
        raise BenchError(f"No system {name!r} among these runs; their systems are {', '.join(names)}.")
    arm = names.index(name)
    return arm, min(max(repeat, 0), len(study.arms[arm].runs) - 1)
