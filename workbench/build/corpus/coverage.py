"""Count how items cover the corpus: items by document, section, task and level (the coverage map), how much text no item uses,
and how evenly items are spread. Also find the sections with the fewest items, from which new items can be drafted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from builders.task import tasks
from core.catalog import pick
from core.errors import BenchError
from core.nouns import Document, Level
from core.quality.level_audit import LevelTable, cross_tabulate
from core.statistics.statistics import gini
from core.text.sections import Section, sections
from core.text.text import split_sentences
from store.corpus import document_use, documents
from store.corpus.document_use import CitedSpan, DocumentUse
from store.engine.database import Database
from store.items import level_facts
from store.items.level_facts import MeasureMean
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.roles import requires

__all__ = ["MAX_PLACES", "CitedSpan", "CoverageStage", "DocumentUse", "LevelTable", "MeasureMean"]

MAX_PLACES = 400
"""Maximum number of sections that one drafting job can get, because the job stores their list."""
Place = tuple[str, int, int]
"""A section of a document, as (document id, start, end)."""


class HeatMapColumn(NamedTuple):
    """A task and level, which are one column of the coverage map."""

    task: str
    level: Level


class KindCount(NamedTuple):
    """Number of accepted and of drafted items of one task and level."""

    accepted: int = 0
    drafted: int = 0

    @property
    def items(self) -> int:
        return self.accepted + self.drafted


@dataclass(frozen=True, slots=True)
class DocumentOnMap:
    """One document on the coverage map, with its items counted by task and level."""

    use: DocumentUse
    counts: Mapping[HeatMapColumn, KindCount]

    @property
    def items(self) -> int:
        return sum(count.items for count in self.counts.values())

    @property
    def unused(self) -> float:
        """Return the share of the document's characters that no item cites as evidence."""
        return 1 - self.use.used / max(1, self.use.characters)

    def density(self, among: frozenset[str] = frozenset()) -> float:
        """Return the number of items per thousand tokens of the document. If `among` contains tasks, only items of these tasks
        count."""
        items = sum(count.items for column, count in self.counts.items() if not among or column.task in among)
        return 1_000 * items / max(1, self.use.tokens)


@dataclass(frozen=True, slots=True)
class CoverageTotal:
    """Totals over the documents of one domain, or over all documents."""

    domain: str
    documents: int
    with_items: int
    unused: float | None
    """Share (0 to 1) of the documents' characters that no item cites as evidence, or None if there is no text."""
    balance: float | None
    """Gini coefficient of the number of items per document, where 0 means evenly spread; None if there are no items or only one
    document."""
    counts: Mapping[HeatMapColumn, KindCount]
    """Dict from task and level to the number of items; an item that uses several documents counts once for each of them."""


@dataclass(frozen=True, slots=True)
class CoverageMap:
    """The number of items by document, task and level, over the whole corpus."""

    rows: Sequence[DocumentOnMap]
    """One row for each document, in the order in which documents were added."""
    columns: Sequence[HeatMapColumn]
    totals: Sequence[CoverageTotal]
    """Totals of each domain, sorted by name, then the total of all domains."""


class EvidenceSentence(NamedTuple):
    """A sentence of a document that items cite as evidence, with these items."""

    text: str
    items: Sequence[CitedSpan]


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """One section of a document with the number of its items."""

    section: Section
    unused: float | None
    counts: Mapping[HeatMapColumn, KindCount]
    """Dict from task and level to the number of items whose evidence begins in the section."""
    sentences: Sequence[EvidenceSentence] = ()


@dataclass(frozen=True, slots=True)
class OpenedDocument:
    """A document of the coverage map with its sections, as the screen shows it."""

    row: DocumentOnMap
    is_by_headings: bool
    """Whether the sections follow the document's headings; if it has no headings, the document is cut into five equal parts."""
    parts: Sequence[DocumentSection]


class LevelAudit(NamedTuple):
    """How the measured difficulty levels of all items compare with their declared levels."""

    table: LevelTable
    means: Sequence[MeasureMean]


class CoverageStage:
    """Methods that count the items on each document, and that choose sections for new drafts."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._cache = BackgroundCache(max_results=4)

    @requires("draft items", is_logged=False)
    def map(self) -> RunningWork[CoverageMap]:
        """Return the coverage map of the whole corpus. The map is computed in the background, once for each state of the
        workspace."""
        return self._cache.get(document_use.fingerprint(self._db), lambda: count_map(self._db))

    @requires("draft items", is_logged=False)
    def page(
        self, coverage: CoverageMap, order: str, domain: str | None = None, offset: int = 0, limit: int = 50
    ) -> list[DocumentOnMap]:
        """Return a page of the documents on the map, of one domain or of all domains (None). `order` sets the order: fewest or
        most items for the length, most unused text, or title."""
        return sort_documents(coverage.rows, order, domain)[offset : offset + limit]

    @requires("draft items", "document", is_logged=False)
    def open_document(self, coverage: CoverageMap, document: str) -> OpenedDocument:
        """Return a document of the map with its sections and the sentences cited as evidence. Raises BenchError if the document
        is not on the map."""
        row = next((row for row in coverage.rows if row.use.id == document), None)
        if row is None:
            raise BenchError("This document is not on the map: choose one from the list.")
        whole = documents.get(self._db, document)
        split = sections(whole.text)
        cited = document_use.load_cited_spans(self._db, [document]).get(document, [])
        sentences = split_sentences(whole.text, whole.language) if cited else []
        parts = [_count_section(section, cited, sentences, whole.text) for section in split.parts]
        return OpenedDocument(row, split.is_by_headings, parts)

    @requires("draft items", is_logged=False)
    def find_thin_places(self, coverage: CoverageMap, names: Sequence[str], domain: str, count: int) -> list[Place]:
        """Return sections from which a job should draft `count` items of each of the tasks `names`.

        The first sections are of the documents with the fewest items of these tasks per thousand tokens: from each document,
        the section with the fewest items. If there are too few documents, further sections of the same documents follow. The
        list has two sections for each requested item, but no more than MAX_PLACES."""
        for name in names:
            pick(tasks(), name, "task")
        most = min(2 * count, MAX_PLACES)
        rows = sort_documents(coverage.rows, "thin", None if domain == "all" else domain, frozenset(names))
        chosen = rows[:most]
        cited = document_use.load_cited_spans(self._db, [row.use.id for row in chosen if row.items])
        texts = documents.load_documents(self._db, [row.use.id for row in chosen])
        queues = [_sort_sections(text, [span for span in cited.get(text.id, ()) if span.task in names]) for text in texts]
        rounds = range(max(map(len, queues), default=0))
        return list(islice((queue[n] for n in rounds for queue in queues if n < len(queue)), most))

    @requires("draft items", is_logged=False)
    def levels(self) -> RunningWork[LevelAudit]:
        """Compare the measured with the declared levels of all items except refused and discarded ones."""
        return self._cache.get(
            ("levels", *level_facts.fingerprint(self._db)),
            lambda: LevelAudit(cross_tabulate(level_facts.load_audit_cells(self._db)), level_facts.load_means(self._db)),
        )


def count_map(database: Database) -> CoverageMap:
    """Count the items of the whole corpus by document, task and level."""
    counts: dict[str, dict[HeatMapColumn, KindCount]] = {}
    for use in document_use.count_items(database):
        counts.setdefault(use.document, {})[HeatMapColumn(use.task, use.level)] = KindCount(use.accepted, use.drafted)
    rows = [DocumentOnMap(use, counts.get(use.id, {})) for use in document_use.load_document_uses(database)]
    columns = sorted({column for row in rows for column in row.counts}, key=lambda c: (str(c.level or "~"), c.task))
    domains: dict[str, list[DocumentOnMap]] = {}
    for row in rows:
        domains.setdefault(row.use.domain, []).append(row)
    return CoverageMap(rows, columns, [*(_sum_rows(name, domains[name]) for name in sorted(domains)), _sum_rows("", rows)])


def _sum_rows(domain: str, rows: Sequence[DocumentOnMap]) -> CoverageTotal:
    accepted: Counter[HeatMapColumn] = Counter()
    drafted: Counter[HeatMapColumn] = Counter()
    for row in rows:
        for column, count in row.counts.items():
            accepted[column] += count.accepted
            drafted[column] += count.drafted
    characters = sum(row.use.characters for row in rows)
    unused = 1 - sum(row.use.used for row in rows) / characters if characters else None
    counts = {column: KindCount(accepted[column], drafted[column]) for column in accepted}
    balance = gini([row.items for row in rows]) if len(rows) > 1 else None
    return CoverageTotal(domain, len(rows), sum(bool(row.items) for row in rows), unused, balance, counts)


def sort_documents(
    rows: Sequence[DocumentOnMap], order: str, domain: str | None, among: frozenset[str] = frozenset()
) -> list[DocumentOnMap]:
    """Return the documents of a domain in the order `order` (thin, full, unused or title); of equal documents, the longer one
    comes first."""
    keys = {
        "thin": lambda row: (row.density(among), -row.use.tokens),
        "full": lambda row: (-row.density(among), -row.use.tokens),
        "unused": lambda row: (-row.unused, -row.use.tokens),
        "title": lambda row: (row.use.title.casefold(), 0),
    }
    return sorted((row for row in rows if domain in (None, row.use.domain)), key=keys[order if order in keys else "thin"])


def _count_section(
    section: Section, cited: Sequence[CitedSpan], sentences: Sequence[tuple[int, int]], text: str
) -> DocumentSection:
    """Count the items of a section and its cited text; `sentences` are the (start, end) of each sentence of the whole
    document."""
    spans = [span for span in cited if span.start < section.end and section.start < span.end]
    used, reached = 0, section.start
    for span in sorted(spans, key=lambda span: span.start):
        used += max(0, min(span.end, section.end) - max(span.start, reached))
        reached = max(reached, min(span.end, section.end))
    kinds: dict[HeatMapColumn, dict[str, set[str]]] = {}
    for span in spans:
        if section.start <= span.start:
            kinds.setdefault(HeatMapColumn(span.task, span.level), {}).setdefault(span.status, set()).add(span.item)
    counts = {column: KindCount(len(by.get("accepted", ())), len(by.get("drafted", ()))) for column, by in kinds.items()}
    size = section.end - section.start
    lines = [
        EvidenceSentence(text[start:end], list({span.item: span for span in citing}.values()))
        for start, end in sentences
        if section.start <= start < section.end and (citing := [s for s in spans if s.start < end and start < s.end])
    ]
    return DocumentSection(section, 1 - used / size if size else None, counts, lines)


def _sort_sections(document: Document, cited: Sequence[CitedSpan]) -> list[Place]:
    """Return the sections of a document as places to draft from, beginning with those that have the fewest items."""
    parts = [_count_section(section, cited, (), document.text) for section in sections(document.text).parts]
    parts.sort(key=lambda part: (sum(count.items for count in part.counts.values()), -(part.unused or 0.0)))
    return [(document.id, part.section.start, part.section.end) for part in parts if part.section.start < part.section.end]
