"""Show releases: the list of releases, and what each release contains."""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from builders.drafting.composition import composition
from core.errors import BenchError
from core.nouns import Item, Level, Release, Review, Variant, Verdict
from core.quality.level_audit import LevelTable, audit_levels
from core.tables.nouns import Snapshot
from store.corpus import documents
from store.engine.database import Database
from store.format import Revision, formats
from store.items import items
from store.items.verdicts import load_verdicts
from store.releases import releases
from store.reviews import reviews
from store.runs.nugget_sets import NuggetSet
from store.variants import variants
from workbench.build.corpus.sources import leakage_of
from workbench.release.freeze_preview import FreezePreview, preview_freeze
from workbench.release.frozen.frozen_nuggets import load_set
from workbench.release.packed_exports import PackedExports
from workbench.release.releases import ReleaseStage
from workbench.roles import requires

T = TypeVar("T")
MAX_CACHED_RELEASES = 4
"""Maximum number of releases whose manifest and statistics are cached in memory."""


@dataclass(frozen=True, slots=True)
class ReleaseLine:
    """An item of a release as one line in a list."""

    id: str
    revision: int
    level: Level
    task: str
    domain: str
    language: str
    question: str
    answer: str
    split: str


@dataclass(frozen=True, slots=True)
class FoundItems:
    """(One page of the items of a release that match a search, number of all these items)."""

    total: int
    items: Sequence[ReleaseLine]


@dataclass(frozen=True, slots=True)
class ReleaseStatistics:
    """Statistics of a release's items; `rows` and `overlap` have the form that builders.drafting.composition returns."""

    rows: Sequence[Mapping[str, Any]]
    overlap: Sequence[Mapping[str, Any]]
    splits: Mapping[str, int]
    """Dict from the name of a split to its number of items, beginning with the largest split."""
    origins: Mapping[str, int]
    agents: Mapping[str, int]
    levels: LevelTable
    """How the items' measured levels compare with their declared levels, at the time when the release was frozen."""


@dataclass(frozen=True, slots=True)
class ReleaseLeakage:
    """How much text of source documents that are hidden from systems is in other documents of the release."""

    report: Mapping[str, Any]
    """The report, in the format of builders/near_duplicates/leakage.py; empty if no source is hidden."""
    titles: Mapping[str, str]
    """Dict from the id of each document in the report to the document's title."""


@dataclass(frozen=True, slots=True)
class ReleasedItem:
    """An item as the release contains it, with its history up to the time when the release was frozen."""

    item: Item
    split: str
    titles: Mapping[str, str]
    """Dict from the id of each document with evidence of the item to the document's title."""
    evidence: Sequence[str]
    """Texts of the item's evidence."""
    history: Sequence[Revision]
    reviews: Sequence[Review]
    verdicts: Sequence[Verdict]
    variants: Sequence[Variant]
    nuggets: NuggetSet | None
    """The nuggets of the item (facts that a good answer contains) in the release, or None if the release has none for the
    item."""


class ReleaseBrowser:
    """Methods that list, show and pack releases."""

    def __init__(self, database: Database, stage: ReleaseStage) -> None:
        self._db, self._releases = database, stage
        self._statistics: dict[str, ReleaseStatistics] = {}
        self._leakages: dict[str, ReleaseLeakage] = {}
        self._read: dict[str, Release] = {}
        self._lock = threading.Lock()
        self._exports = PackedExports(database, stage)
        self.pack, self.find_packed_file = self._exports.pack, self._exports.find_packed_file

    @requires("see releases")
    def list_releases(self) -> list[releases.ReleaseHeader]:
        """List every release, newest first."""
        return releases.list_headers(self._db)

    @requires("see releases", "name")
    def find_header(self, name: str) -> releases.ReleaseHeader:
        """Return name, hash and numbers of one release. Raises BenchError if the release does not exist."""
        header = next((header for header in releases.list_headers(self._db) if header.name == name), None)
        if header is None:
            raise BenchError(f"The release {name} does not exist: ask the person who invited you for the name of your release.")
        return header

    @requires("see releases")
    def preview(self, tasks: Sequence[str] = (), domains: Sequence[str] = ()) -> FreezePreview:
        """Return what a release of these tasks and domains would contain if it were frozen now. An empty list selects all tasks
        or domains."""
        return preview_freeze(self._db, tasks, domains)

    @requires("see releases", "name")
    def statistics(self, name: str) -> ReleaseStatistics:
        """Return the statistics of a release; they are cached under its hash."""
        release, content = self._releases.get(name)
        with self._lock:
            if release.hash not in self._statistics:
                verdicts = releases.load_item_record(self._db, release).verdicts
                statistics = ReleaseStatistics(
                    **composition(content.items, {d.id: d for d in content.documents}),
                    splits=count_values(row["split"] for row in release.manifest["items"]),
                    origins=count_values(item.provenance.origin for item in content.items),
                    agents=count_values(item.provenance.agent for item in content.items if item.provenance.agent),
                    levels=audit_levels(content.items, verdicts),
                )
                cache_result(self._statistics, release.hash, statistics)
            return self._statistics[release.hash]

    @requires("see releases", "name")
    def leakage(self, name: str) -> ReleaseLeakage:
        """Return a report on how much text of source documents that are hidden from systems is in other documents of the
        release. The report is cached under the hash of the release."""
        release, content = self._releases.get(name)
        with self._lock:
            if release.hash not in self._leakages:
                report = leakage_of(content)
                rows: Any = report.get("leaks", ())
                named = {id_ for row in rows for id_ in (row["source"], *row["exact"], *(n["document"] for n in row["near"]))}
                titles = {document.id: document.title for document in content.documents if document.id in named}
                cache_result(self._leakages, release.hash, ReleaseLeakage(report, titles))
            return self._leakages[release.hash]

    @requires("see releases", "name")
    def left_out(self, name: str) -> tuple[int, bool]:
        """Return (number of documents that RAG systems may not retrieve, whether systems may retrieve source documents
        nevertheless)."""
        manifest = self._get(name).manifest
        return len(manifest.get("left_out", ())), bool(manifest.get("gold_included"))

    @requires("see releases", "name")
    def tables(self, name: str) -> list[Snapshot]:
        """Return the tables that were frozen with the release and that its runs read."""
        return [Snapshot(row["name"], row["hash"], row["rows"]) for row in self._get(name).manifest.get("tables", ())]

    @requires("see releases", "name")
    def kinds(self, name: str) -> tuple[list[str], list[Level]]:
        """Return the distinct domains and the distinct levels of the release's items."""
        kinds = items.list_kinds(self._db, list_revisions(self._get(name)))
        return sorted({domain for domain, _ in kinds}), sorted({level for _, level in kinds if level is not None}, key=str)

    @requires("see releases", "name")
    def items(
        self,
        name: str,
        *,
        task: str | None = None,
        domain: str | None = None,
        level: Any = None,
        language: str | None = None,
        text: str = "",
        limit: int = 50,
        offset: int = 0,
    ) -> FoundItems:
        """Search the items of a release by the given fields and text; return one page of the items that match."""
        release = self._get(name)
        rows = {row["id"]: row for row in release.manifest["items"]}
        total, matches = items.search_items(
            self._db,
            list_revisions(release),
            task=task,
            domain=domain,
            level=level,
            language=language,
            text=text,
            limit=limit,
            offset=offset,
        )
        return FoundItems(total, [make_line(item, rows[item.id]["split"]) for item in matches])

    @requires("see releases", "name")
    def item(self, name: str, id_: str) -> ReleasedItem:
        """Return one item of a release with its evidence and history. Raises BenchError if the release does not contain the
        item."""
        release = self._get(name)
        row = next((row for row in release.manifest["items"] if row["id"] == id_), None)
        if row is None:
            raise BenchError(f"Release {name!r} has no item {id_}: choose an item from the list.")
        revisions = items.fetch_revisions(self._db.rows, [(id_, row["revision"], "accepted")])
        (item,) = releases.replace_label_answers(self._db, release.hash, revisions)
        texts = {d.id: d for d in documents.load_documents(self._db, dict.fromkeys(s.document for s in item.evidence))}
        return ReleasedItem(
            item=item,
            split=row["split"],
            titles={d.id: d.title for d in texts.values()},
            evidence=[texts[span.document].text[span.start : span.end] for span in item.evidence],
            history=[r for r in items.load_history(self._db, [id_]) if r.revision <= item.revision],
            reviews=[r for r in reviews.load_effective(self._db, [id_]) if r.revision <= item.revision],
            verdicts=[v for v in load_verdicts(self._db, [id_]) if v.revision == item.revision],
            variants=self.variants(name, [id_]),
            nuggets=load_set(self._db, release.manifest, id_),
        )

    @requires("see releases", "name")
    def variants(self, name: str, of: Sequence[str]) -> list[Variant]:
        """Return those variants of the items `of` that the release contains, sorted by item and kind, with their status at the
        time when the release was frozen."""
        release = self._get(name)
        named = {row["id"] for row in release.manifest["variants"]}
        members = [v for v in variants.load_variants_of(self._db, of) if v.id in named] if named else []
        statuses = releases.load_statuses(self._db, release.hash, [v.id for v in members])
        members = [replace(v, status=statuses.get(v.id, v.status)) for v in members]
        return sorted(members, key=lambda variant: (variant.item, variant.kind, variant.id))

    @requires("see releases", "name")
    def splits(self, name: str) -> list[str]:
        """Return the sorted names of the release's splits."""
        return sorted({row["split"] for row in self._get(name).manifest["items"]})

    def list_formats(self) -> list[str]:
        """Return the formats in which a release can be exported."""
        return [name for name, form in formats().items() if form.write]

    def close(self) -> None:
        """Delete all packed exports; they can be made again from their releases."""
        self._exports.remove()

    def _get(self, name: str) -> Release:
        """Return the stored release; its manifest is cached under its hash."""
        hash_ = releases.load_hash(self._db, name)
        with self._lock:
            if hash_ not in self._read:
                cache_result(self._read, hash_, releases.get(self._db, name, hash_))
            return self._read[hash_]


def make_line(item: Item, split: str) -> ReleaseLine:
    """Return the item as a line in the list of a release's items."""
    return ReleaseLine(
        id=item.id,
        revision=item.revision,
        level=item.level,
        task=item.task,
        domain=item.domain,
        language=item.language,
        question=item.question,
        answer=item.answers[0] if item.answers else "",
        split=split,
    )


def list_revisions(release: Release) -> list[tuple[str, int]]:
    """Return (item id, revision) of the items in the release's manifest."""
    return [(row["id"], row["revision"]) for row in release.manifest["items"]]


def cache_result(kept: dict[str, T], hash_: str, value: T) -> None:
    """Store the value in the cache under the hash; if the cache is full, the oldest value is removed."""
    while len(kept) >= MAX_CACHED_RELEASES:
        kept.pop(next(iter(kept)))
    kept[hash_] = value


def count_values(values: Any) -> dict[str, int]:
    """Return a dict from each value to how often it occurs, most frequent value first."""
    return dict(Counter(values).most_common())
