"""Provide gold sets (questions about a gold answer, or facts in it) while a run is scored, and store the changes that people
make to them. The first judge that needs the set of a gold answer creates it. All later systems and judges use the same set,
with the changes that people made."""

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
    """The gold sets of one kind for the gold answers of a run's items. Sets that the offline agent wrote (rules without a
    model) are used only if all judges are offline."""

    metric: ClassVar[str]
    """Name of the metric that uses these gold sets in each of its settings."""
    given: ClassVar[str]
    """Name of the field in a case's `extra` that gives the content of a gold set to a metric; the field NAME_version has the
    version."""
    made: ClassVar[str]
    """Name of the field in a judge's details with which a metric returns a gold set that it created."""
    table: ClassVar[GoldSetTable[Any]]

    def __init__(
        self,
        database: Database,
        items: Collection[str],
        judges: Sequence[ScoringJudge],
        frozen: Mapping[tuple[str, str], S] | None = None,
    ) -> None:
        """`frozen` has the gold sets in the run's release, by (item, key of the gold answer); they are used instead of newer
        ones."""
        self._judges = {judge.name: judge for judge in judges}
        for_offline = bool(judges) and all(judge.is_offline for judge in judges)
        found: dict[tuple[str, str], S] = self.table.load_counting_sets(database, items, for_offline)
        self._frozen = frozen or {}
        self._sets = {**found, **self._frozen}

    @abstractmethod
    def encode_content(self, stored: S) -> list[dict[str, Json]]:
        """Return the content of a stored gold set in the form that the metric reads."""

    @abstractmethod
    def build_set(self, case: ScoringCase, item: str, details: Mapping[str, Any], judge: ScoringJudge) -> S:
        """Return the gold set that the judge created for the case; `details` are those that the metric returned."""

    def find_text(self, case: ScoringCase) -> str | None:
        """Return the text that the case's gold set is about, or None if there is none."""
        return case.answers[0] if case.answers else None

    def attach_set(self, case: ScoringCase, item: str) -> ScoringCase:
        """Return the scoring case with the gold set for its gold answer, if there is one."""
        text = self.find_text(case)
        stored = None if text is None else self._sets.get((item, gold_key(text, case.language)))
        if stored is None:
            return case
        # The text "with set" sorts after every version without a gold set. In a release, a gold set has the same name in every
        # workspace; a changed set of the item in another release has another name.
        content = self.encode_content(stored)
        is_frozen = (stored.item, stored.gold) in self._frozen
        frozen = f"with set of the release {content_hash(content).removeprefix('b2:')[:8]}"
        version = {f"{self.given}_version": frozen if is_frozen else f"with set {stored.number:04d}"}
        return replace(case, extra={**case.extra, self.given: content, **(version if stored.is_written else {})})

    def collect_sets(self, scored: Iterable[ScoredCase], items: Mapping[str, str]) -> list[S]:
        """Return the gold sets that judges created while these cases were scored. `items` is a dict from the id of a case to
        its item."""
        return [
            self.build_set(result.case, items[result.case.id], details, self._judges[str(details["judge"])])
            for result in scored
            if self.given not in result.case.extra
            for details in result.details.values()
            if isinstance(details.get(self.made), list)
        ]

    def insert_sets(self, cursor: Cursor, sets: Sequence[S]) -> None:
        """Store the gold sets that judges created, within the caller's transaction."""
        self.table.insert_sets(cursor, sets)


def find_following(one: T, every: Sequence[T], wanted: Collection[T]) -> T | None:
    """Return the first element of `every` after `one` that is in `wanted`; the search continues at the beginning when it
    reaches the end. Return None if there is no other element in `wanted`."""
    place = every.index(one) if one in every else -1
    return next((other for other in [*every[place + 1 :], *every[: max(place, 0)]] if other in wanted), None)


def check_author(by: str, what: str) -> str:
    """Return the person's name without spaces at its ends. Raises BenchError if the name is empty; the message contains `what`,
    the kind of gold set that the name is stored with."""
    if not by.strip():
        raise BenchError(f"Give your name first: it is stored with the {what}.")
    return by.strip()


def store_version(database: Database, table: GoldSetTable[S], written: S, seen: int) -> S:
    """Store a gold set by a person as the version after `seen`; return the set with its number and time. If somebody changed
    the set in the meantime, store nothing and raise BenchError."""
    if not table.write(database, written, seen):
        newest = table.load_versions(database, written.item, written.gold)
        by = newest[-1].by if newest else "Somebody"
        raise BenchError(
            f"{by} changed this set in the meantime, so your changes were not saved: open the set again and repeat them."
        )
    return table.load_versions(database, written.item, written.gold)[-1]
