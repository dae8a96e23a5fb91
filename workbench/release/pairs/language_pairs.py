"""Pair items that ask the same in two languages: by importing two files with the same ids, or by hand."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from builders.parallel.alignment import find_misfit
from core.errors import BenchError
from core.nouns import Item
from core.quality.language_pairs import LanguagePair, Misfit
from store.engine.database import Database
from store.formats._bounded import read_bundles
from store.formats._outside import give_own_id
from store.items import items, language_pairs
from workbench.release.importing import ImportReport
from workbench.release.releases import ReleaseStage
from workbench.roles import requires

MISFITS: Mapping[Misfit, str] = {
    "same language": "both are in the same language, or the language of one is not known",
    "other task": "they belong to different tasks",
    "other level": "they have different levels",
    "other figures": "their gold answers state different numbers or dates",
    "not accepted": "one of them is not accepted",
    "second twin": "one of them has another twin in that language",
}
"""Dict from the reason why two items cannot be a pair to the reason in words."""


class PairRow(NamedTuple):
    """A language pair with both items as they are now."""

    pair: LanguagePair
    item: Item
    twin: Item
    misfit: Misfit | None
    """Why a release frozen now leaves the pair out; None = it does not."""


@dataclass(frozen=True, slots=True)
class PairImport:
    """Numbers of what an import of two files in two languages added."""

    files: tuple[ImportReport, ImportReport]
    pairs: int
    """Number of new pairs."""
    already: int
    """Number of pairs that were stored before."""
    refused: Mapping[Misfit, int]
    """Dict from the reason why two items with the same id are no pair to their number; the items are imported."""
    without_twin: int
    """Number of ids that only one of the files has, or whose item was not imported."""


class LanguagePairStage:
    """Methods with which people pair items that ask the same in two languages."""

    def __init__(self, database: Database, releases: ReleaseStage) -> None:
        self._db, self._releases = database, releases

    @requires("import benchmarks", "first", notes=["second", "form"])
    def import_(self, first: Path, second: Path, form: str) -> PairImport:
        """Import two files or folders in two languages, and pair their items that have the same id in both. Two items that do
        not fit together are not paired, and are counted by reason."""
        files = self._releases.import_(first, form), self._releases.import_(second, form)
        mine, others = self._find_items(first, form), self._find_items(second, form)
        refused: Counter[Misfit] = Counter()
        found = []
        there = language_pairs.load(self._db)
        stored, twins = {frozenset(pair[:2]) for pair in there}, self._map_twins(there)
        for name in mine.keys() & others.keys():
            item, twin = mine[name], others[name]
            if misfit := _find_misfit(item, twin, twins):
                refused[misfit] += 1
            else:
                found.append(LanguagePair(item.id, twin.id, "imported", f"{first.name}, {second.name}"))
        new = language_pairs.add(self._db, sorted(found))
        return PairImport(
            files,
            new,
            sum(frozenset(pair[:2]) in stored for pair in found),
            dict(sorted(refused.items())),
            len(mine.keys() ^ others.keys()),
        )

    @requires("pair items", "item", notes=["twin"])
    def add(self, item: str, twin: str, person: str) -> LanguagePair:
        """Pair two items that ask the same in two languages. Raises BenchError if they do not fit together, or are a pair
        already."""
        one, other = items.get(self._db, item), items.get(self._db, twin)
        there = language_pairs.load(self._db)
        if {item, twin} in [{*pair[:2]} for pair in there]:
            raise BenchError(f"{item} and {twin} are a pair already.")
        if misfit := _find_misfit(one, other, self._map_twins(there)):
            raise BenchError(
                f"{item} and {twin} cannot be a pair: {MISFITS[misfit]}. Correct one of them, or name other items."
            )
        if not person.strip():
            raise BenchError("Give your name first: it is stored with the pair.")
        pair = LanguagePair(item, twin, "by hand", person.strip())
        language_pairs.add(self._db, [pair])
        return pair

    @requires("pair items", "item", notes=["twin", "person"])
    def remove(self, item: str, twin: str, person: str = "") -> None:
        """Take a pair apart; both items stay, and so do the pairs of frozen releases. The log stores the person. Raises
        BenchError if the two items are not a pair."""
        if not language_pairs.remove(self._db, item, twin):
            raise BenchError(
                f"{item} and {twin} are not a pair, so there is nothing to take apart: list the pairs with pairs list."
            )

    @requires("see releases")
    def list_pairs(self) -> list[PairRow]:
        """Return all pairs whose items are here, with the items as they are now."""
        there = language_pairs.load(self._db)
        known = {item.id: item for item in items.load_items(self._db, {name for pair in there for name in pair[:2]})}
        rows = []
        for pair in there:
            if pair.item in known and pair.twin in known:
                item, twin = known[pair.item], known[pair.twin]
                is_accepted = item.status == twin.status == "accepted"
                rows.append(PairRow(pair, item, twin, find_misfit(item, twin) if is_accepted else "not accepted"))
        return rows

    def _find_items(self, path: Path, form: str) -> dict[str, Item]:
        """Return a dict from each id in the file to the item of the workspace that was made of it. An item whose id belonged to
        another question has an id of its own here."""
        read = [item for bundle in read_bundles(form, path) for item in bundle.items]
        named = {id_: item for item in read for id_ in (item.id, give_own_id(item).id)}
        said: dict[str, set[tuple[str, tuple[str, ...]]]] = {}
        for revision in items.load_history(self._db, named):
            said.setdefault(revision.item, set()).add((revision.question, revision.answers))
        here = {id_ for id_, item in named.items() if (item.question, item.answers) in said.get(id_, ())}
        now = {item.id: item for item in items.load_items(self._db, here)}
        return {str(item.labels.get("own_id", item.id)): now[id_] for id_, item in named.items() if id_ in now}

    def _map_twins(self, pairs: Sequence[LanguagePair]) -> dict[tuple[str, str], str]:
        """Return a dict from (item, language) to the item's twin in this language."""
        named = {name for pair in pairs for name in pair[:2]}
        languages = {item.id: item.language for item in items.load_items(self._db, named)}
        every = [ends for pair in pairs for ends in ((pair.item, pair.twin), (pair.twin, pair.item))]
        return {(item, languages[twin]): twin for item, twin in every if twin in languages}


def _find_misfit(item: Item, twin: Item, twins: Mapping[tuple[str, str], str]) -> Misfit | None:
    """Return why the two items are no pair; `twins` are those of the stored pairs."""
    if misfit := find_misfit(item, twin):
        return misfit
    own, other = twins.get((item.id, twin.language), twin.id), twins.get((twin.id, item.language), item.id)
    return "second twin" if (own, other) != (twin.id, item.id) else None
