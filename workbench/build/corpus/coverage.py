"""The coverage map: how many items lie on each document, section, task and level, how much text no item uses, and how evenly
items are spread; and which places are thinnest, to draft there."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from builders.task import tasks
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Document, Level
from core.quality.level_audit import Crossed, cross_tabulate
from core.statistics.statistics import gini
from core.text.sections import Section, sections
from core.text.text import split_sentences
from store.corpus import document_use, documents
from store.corpus.document_use import CitedSpan, DocumentUse
from store.engine.database import Database
from store.items import level_facts
from store.items.level_facts import Mean
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act

__all__ = [
    "ORDERS",
    "PAGE",
    "PLACES",
    "CitedSpan",
    "CoverageStage",
    "Crossed",
    "DocumentOnMap",
    "DocumentSection",
    "DocumentUse",
    "HeatMapColumn",
    "KindCount",
    "Levels",
    "Map",
    "Mean",
    "OpenedDocument",
    "Total",
    "Used",
]

PAGE = 50
"""Documents on one page."""
PLACES = 400
"""Places that one order to draft where it is thin names at most: they stand in the job."""
ORDERS = ("thin", "full", "unused", "title")


class HeatMapColumn(NamedTuple):
    """What a heat map has a column of."""

    task: str
    level: Level


class KindCount(NamedTuple):
    """Items of one kind."""

    accepted: int = 0
    drafted: int = 0

    @property
    def items(self) -> int:
        return self.accepted + self.drafted


@dataclass(frozen=True, slots=True)
class DocumentOnMap:
    """A document of the map."""

    place: DocumentUse
    counts: Mapping[HeatMapColumn, KindCount]

    @property
    def items(self) -> int:
        return sum(count.items for count in self.counts.values())

    def density(self, among: frozenset[str] = frozenset()) -> float:
        """Items for each thousand tokens; of those tasks alone, where some are given."""
        items = sum(count.items for column, count in self.counts.items() if not among or column.task in among)
        return 1_000 * items / max(1, self.place.tokens)


@dataclass(frozen=True, slots=True)
class Total:
    """Documents together: of one domain, or all."""

    domain: str
    documents: int
    with_items: int
    unused: float | None
    """Share of their characters that no item's evidence holds; None without characters."""
    balance: float | None
    """Gini of items per document (core.statistics.statistics.gini); None without items, or of one document."""
    counts: Mapping[HeatMapColumn, KindCount]
    """An item counts once for each document that it lies on."""


@dataclass(frozen=True, slots=True)
class Map:
    """All of it, as it was counted."""

    rows: Sequence[DocumentOnMap]
    """In the order in which the documents came in."""
    columns: Sequence[HeatMapColumn]
    totals: Sequence[Total]
    """One a domain, by name, then all together."""


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A section of an open document."""

    section: Section
    unused: float | None
    counts: Mapping[HeatMapColumn, KindCount]
    """Items with evidence that begins in it."""
    sentences: Sequence["Used"] = field(default=())


class Used(NamedTuple):
    """A sentence that is evidence, and of which items."""

    text: str
    items: Sequence[CitedSpan]


@dataclass(frozen=True, slots=True)
class OpenedDocument:
    """A document with its sections."""

    row: DocumentOnMap
    is_by_headings: bool
    """Whether the sections are its own; else they are fifths by position."""
    parts: Sequence[DocumentSection]


class Levels(NamedTuple):
    """The level audit of the whole pool."""

    table: Crossed
    means: Sequence[Mean]


class CoverageStage:
    """Verbs that look, and one that chooses places."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = BackgroundCache(most=4)

    @act("draft items", is_logged=False)
    def map(self) -> RunningWork[Map]:
        """The whole map, when it is counted: once for each state of the workspace."""
        return self._kept.get(document_use.mark(self._db), lambda: drawn(self._db))

    @act("draft items", is_logged=False)
    def page(
        self, found: Map, order: str, domain: str | None = None, offset: int = 0, limit: int = PAGE
    ) -> list[DocumentOnMap]:
        """Documents of a domain (None = all): the thinnest first, the fullest, those of which most is unused, or by title."""
        return in_order(found.rows, order, domain)[offset : offset + limit]

    @act("draft items", "document", is_logged=False)
    def opened(self, found: Map, document: str) -> OpenedDocument:
        """A document of the map with its sections and the sentences that are evidence. Raises BenchError when it has none of
        that id."""
        row = next((row for row in found.rows if row.place.id == document), None)
        if row is None:
            raise BenchError("This document is not on the map: choose one of the list.")
        whole = documents.get(self._db, document)
        cut = sections(whole.text)
        cited = document_use.load_cited_spans(self._db, [document]).get(document, [])
        edges = split_sentences(whole.text, whole.language) if cited else []
        return OpenedDocument(row, cut.is_by_headings, [part_of(section, cited, edges, whole.text) for section in cut.parts])

    @act("draft items", is_logged=False)
    def thinnest(
        self, found: Map, names: Sequence[str], domain: str, count: int, language: str | None = None
    ) -> list[list[Any]]:
        """Where a job for `count` items of each of those tasks is to draft: [document, start, end] of sections, the thinnest
        documents first (items of those tasks for each thousand tokens), of each its section of least use; where there are too
        few documents, their next sections follow. Twice as many places as items are wanted, PLACES at most."""
        for name in names:
            pick(tasks(), name, "task")
        rows = in_order(found.rows, "thin", None if domain == "all" else domain, frozenset(names))
        chosen = [row for row in rows if language in (None, row.place.language)][: min(2 * count, PLACES)]
        cited = document_use.load_cited_spans(self._db, [row.place.id for row in chosen if row.items])
        texts = documents.load_documents(self._db, [row.place.id for row in chosen])
        turns = [by_use(text, [one for one in cited.get(text.id, ()) if one.task in names]) for text in texts]
        places = (turn[n] for n in range(max(map(len, turns), default=0)) for turn in turns if n < len(turn))
        return [list(place) for place in islice(places, min(2 * count, PLACES))]

    @act("draft items", is_logged=False)
    def levels(self) -> RunningWork[Levels]:
        """Measured level against declared over all items that are not refused or discarded, when it is counted."""
        return self._kept.get(
            ("levels", *level_facts.mark(self._db)),
            lambda: Levels(cross_tabulate(level_facts.load_audit_cells(self._db)), level_facts.means(self._db)),
        )

    def close(self) -> None:
        """Begin no more background work."""
        self._kept.close()


def drawn(database: Database) -> Map:
    """The map, counted."""
    counts: dict[str, dict[HeatMapColumn, KindCount]] = {}
    for use in document_use.uses(database):
        counts.setdefault(use.document, {})[HeatMapColumn(use.task, use.level)] = KindCount(use.accepted, use.drafted)
    rows = [DocumentOnMap(place, counts.get(place.id, {})) for place in document_use.places(database)]
    there = {column for row in rows for column in row.counts}
    columns = sorted(there, key=lambda column: (str(column.level or "~"), column.task))
    of: dict[str, list[DocumentOnMap]] = {}
    for row in rows:
        of.setdefault(row.place.domain, []).append(row)
    return Map(rows, columns, [*(total(domain, of[domain]) for domain in sorted(of)), total("", rows)])


def total(domain: str, rows: Sequence[DocumentOnMap]) -> Total:
    """Those documents together."""
    accepted: Counter[HeatMapColumn] = Counter()
    drafted: Counter[HeatMapColumn] = Counter()
    for row in rows:
        for column, count in row.counts.items():
            accepted[column] += count.accepted
            drafted[column] += count.drafted
    characters = sum(row.place.characters for row in rows)
    unused = 1 - sum(row.place.used for row in rows) / characters if characters else None
    counts = {column: KindCount(accepted[column], drafted[column]) for column in accepted}
    balance = gini([row.items for row in rows]) if len(rows) > 1 else None
    return Total(domain, len(rows), sum(bool(row.items) for row in rows), unused, balance, counts)


def in_order(
    rows: Sequence[DocumentOnMap], order: str, domain: str | None, among: frozenset[str] = frozenset()
) -> list[DocumentOnMap]:
    """The rows of a domain in an order of ORDERS; ties: the longer document first, then as they came in."""
    keys = {
        "thin": lambda row: (row.density(among), -row.place.tokens),
        "full": lambda row: (-row.density(among), -row.place.tokens),
        "unused": lambda row: (row.place.used / max(1, row.place.characters), -row.place.tokens),
        "title": lambda row: (row.place.title.casefold(), 0),
    }
    return sorted((row for row in rows if domain in (None, row.place.domain)), key=keys[order if order in keys else "thin"])


def part_of(section: Section, cited: Sequence[CitedSpan], edges: Sequence[tuple[int, int]], text: str) -> DocumentSection:
    """What items use of a section; `edges` are the document's sentences."""
    here = [one for one in cited if one.start < section.end and section.start < one.end]
    used, reached = 0, section.start
    for one in sorted(here, key=lambda one: one.start):
        used += max(0, min(one.end, section.end) - max(one.start, reached))
        reached = max(reached, min(one.end, section.end))
    kinds: dict[HeatMapColumn, dict[str, set[str]]] = {}
    for one in here:
        if section.start <= one.start:
            kinds.setdefault(HeatMapColumn(one.task, one.level), {}).setdefault(one.status, set()).add(one.item)
    counts = {column: KindCount(len(by.get("accepted", ())), len(by.get("drafted", ()))) for column, by in kinds.items()}
    size = section.end - section.start
    lines = [
        Used(text[a:b], _once(found))
        for a, b in edges
        if section.start <= a < section.end
        if (found := [one for one in here if one.start < b and a < one.end])
    ]
    return DocumentSection(section, 1 - used / size if size else None, counts, lines)


def by_use(document: Document, cited: Sequence[CitedSpan]) -> list[tuple[str, int, int]]:
    """A document's sections, those of least use first."""
    parts = [part_of(section, cited, (), document.text) for section in sections(document.text).parts]
    parts.sort(key=lambda part: (sum(count.items for count in part.counts.values()), -(part.unused or 0.0)))
    return [(document.id, part.section.start, part.section.end) for part in parts if part.section.start < part.section.end]


def _once(found: Sequence[CitedSpan]) -> list[CitedSpan]:
    return list({one.item: one for one in found}.values())
