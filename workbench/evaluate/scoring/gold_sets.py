"""Provide gold sets (question sets and nugget sets) while a run is scored, and store the changes that people make to them. The
first judge that needs the set for a gold answer creates the set. All later systems and judges use the same set, with people's
changes to it."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Generic, TypeVar

from core.as_json import Json
from core.errors import BenchError
from core.ids import content_hash
from eval.metric import ScoringCase
from eval.scoring.scoring import ScoredCase, ScoringJudge
from store.engine.database import Cursor, Database
from store.runs.gold_sets import GoldSet, GoldSetTable, gold_key

S = TypeVar("S", bound=GoldSet)
T = TypeVar("T")


class GoldSets(ABC, Generic[S]):
    """The sets of one kind for the gold answers of a run's items. Sets written by the offline agent (rules without a model) are
    used only if all judges are offline."""

    metric: ClassVar[str]
    """Name of the metric that always uses the sets."""
    given: ClassVar[str]
    """Name of the field of a case's `extra` in which a metric finds the content of a set; NAME_version has its version."""
    made: ClassVar[str]
    """Name of the field of a judge's details in which a metric returns a set that it created."""
    table: ClassVar[GoldSetTable[Any]]

    def __init__(
        self,
        database: Database,
        items: Collection[str],
        judges: Sequence[ScoringJudge],
        frozen: Mapping[tuple[str, str], S] | None = None,
    ) -> None:
        """`frozen` has the sets that the run's release contains, by (item, key of the gold answer); they take precedence over
        newer ones."""
        self._judges = {judge.name: judge for judge in judges}
        for_offline = bool(judges) and all(judge.is_offline for judge in judges)
        found: dict[tuple[str, str], S] = self.table.load_counting_sets(database, items, for_offline)
        self._frozen = frozen or {}
        self._sets = {**found, **self._frozen}

    @abstractmethod
    def encode_content(self, stored: S) -> list[dict[str, Json]]:
        """Return the content of a stored set in the form that the metric reads."""

    @abstractmethod
    def build_set(self, case: ScoringCase, item: str, rows: Sequence[Mapping[str, Any]], judge: ScoringJudge) -> S:
        """Return the set that the judge created for the case's gold answer; `rows` are what the metric returned."""

    def attach_set(self, case: ScoringCase, item: str) -> ScoringCase:
        """Return the scoring case with the set for its gold answer, if there is one."""
        stored = self._sets.get((item, gold_key(case.answers[0], case.language))) if case.answers else None
        if stored is None:
            return case
        # The text "with set" sorts after every version without a set. In a release, a set has the same name in every workspace,
        # and another name than a changed set of the item in another release.
        content = self.encode_content(stored)
        is_frozen = (stored.item, stored.gold) in self._frozen
        frozen = f"with set of the release {content_hash(content).removeprefix('b2:')[:8]}"
        version = {f"{self.given}_version": frozen if is_frozen else f"with set {stored.number:04d}"}
        return replace(case, extra={**case.extra, self.given: content, **(version if stored.is_written else {})})

    def collect_sets(self, scored: Iterable[ScoredCase], items: Mapping[str, str]) -> list[S]:
        """Return the sets that judges created while these cases were scored. `items` is a dict from case id to item."""
        return [
            self.build_set(result.case, items[result.case.id], details[self.made], self._judges[str(details["judge"])])
            for result in scored
            if self.given not in result.case.extra
            for details in result.details.values()
            if isinstance(details.get(self.made), list)
        ]

    def insert_sets(self, cursor: Cursor, sets: Sequence[S]) -> None:
        """Store the sets that judges created, within the caller's transaction."""
        self.table.insert_sets(cursor, sets)


def find_following(one: T, every: Sequence[T], wanted: Collection[T]) -> T | None:
    """Return the first of `every` after `one` that is wanted; after the last one, from the first one on. None = there is no
    other."""
    place = every.index(one) if one in every else -1
    return next((other for other in [*every[place + 1 :], *every[: max(place, 0)]] if other in wanted), None)


def check_author(by: str, what: str) -> str:
    """Return the person's name without surrounding spaces. Raises BenchError if it is empty; `what` is the kind of set that the
    name is stored with."""
    if not by.strip():
        raise BenchError(f"Give your name first: it is stored with the {what}.")
    return by.strip()


def store_version(database: Database, table: GoldSetTable[S], written: S, seen: int) -> S:
    """Store a set that a person wrote as the version after `seen`, and return it with its number and time. Raises BenchError,
    and stores nothing, if somebody has changed the set in the meantime."""
    if not table.write(database, written, seen):
        newest = table.load_versions(database, written.item, written.gold)
        by = newest[-1].by if newest else "Somebody"
        raise BenchError(
            f"{by} changed this set in the meantime, so your changes were not saved: open the set again and repeat them."
        )
    return table.load_versions(database, written.item, written.gold)[-1]
