"""Store and load releases. The content of a release never changes, except that of the release named "working". A release is
loaded from the stored revisions, variants and documents that its manifest lists."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.label_questions import LABEL_ANSWERS
from core.nouns import Comment, Document, Item, Release, Review, Variant, Verdict
from core.retrieval.absence import AbsenceTwin
from core.tables.nouns import Snapshot
from store.corpus import document_changes, documents, tables
from store.engine.columns import (
    Timestamp,
    current_time,
    decode_json,
    fetch_from,
    fetch_in_batches,
    from_json,
    insert_row,
    insert_rows,
    last_number,
    to_json,
)
from store.engine.database import Cursor, Database
from store.format import Revision
from store.items import items
from store.items.verdicts import load_verdicts
from store.releases import absence_twins
from store.releases.contests import ERRATUM
from store.reviews import comments, label_questions, reviews
from store.variants import variants

WORKING_RELEASE = "working"
"""Name of the release that contains all currently accepted items and may therefore change."""


class ReleaseMembers(NamedTuple):
    """The items, variants, documents and tables of a release, in the order of its manifest."""

    items: list[Item]
    """The items, each with the revision that was frozen and the status accepted."""
    variants: list[Variant]
    """The variants of the release, each with its status when the release was frozen."""
    documents: list[Document]
    left_out: frozenset[str] = frozenset()
    """Ids of the documents that systems cannot search, because they contain the answers."""
    tables: tuple[Snapshot, ...] = ()
    """Entity tables that a run of the release queries; empty if no item needs a table."""
    twins: tuple[AbsenceTwin, ...] = ()
    """Absence twins of items: the question, asked while the passages that prove its answer are hidden."""

    @property
    def retrieval(self) -> list[Document]:
        """Return the documents that systems may search."""
        return [document for document in self.documents if document.id not in self.left_out]


class ItemRecord(NamedTuple):
    """Everything known about a release's items up to the time when the release was frozen: verdicts, reviews, comments and
    revisions."""

    reviews: list[Review]
    comments: list[Comment]
    history: list[Revision]
    verdicts: list[Verdict]
    people: Mapping[str, Any]
    """Report on people's decisions, as of the time when the release was frozen; empty if unknown."""
    difficulty: Mapping[str, Any]
    """Report on the items' difficulty, as of the time when the release was frozen; empty if unknown."""


class ReleaseHeader(NamedTuple):
    """One release in a list of releases, without its members."""

    name: str
    hash: str
    items: int
    variants: int
    documents: int
    unlicensed: str | None
    """Reason that a person gave for including documents without a licence, or None if the release includes no such
    documents."""
    created: Timestamp


class ReleaseCorpus(NamedTuple):
    """Numbers of documents that a release would contain if it were frozen now."""

    documents: int
    unlicensed: int
    """Number of the release's documents without a licence."""
    left_out: Mapping[tuple[str, str], int]
    """Dict from (domain, language) to the number of documents that the release leaves out, because it has no item of this
    domain and language."""


def save(
    database: Database,
    release: Release,
    frozen: Sequence[Variant] = (),
    secret: str | None = None,
    people: Mapping[str, Any] | None = None,
    difficulty: Mapping[str, Any] | None = None,
    answers: Mapping[str, Mapping[str, Any]] | None = None,
) -> Release:
    """Store a release, with the status that each of its variants has now. If the same content is already stored under this
    name, return the stored release. Raises BenchError if the name belongs to a release with different content.

    `secret` is the salt for the hashes of withheld gold answers; None = generate a new salt. `people` and `difficulty` are
    reports on people's decisions and on the items' difficulty, as of now. `answers` is a dict from item to its answers to label
    questions."""
    reports = [None if report is None else to_json(report) for report in (people, difficulty)]
    stored = replace(release, created=release.created or current_time())
    secret = secret or secrets.token_hex(16)

    def write(cursor: Cursor) -> Release | BenchError:
        sql = "SELECT name, hash, manifest, made_at FROM release WHERE name = ? ORDER BY number"
        rows = cursor.execute(sql, [release.name]).fetchall()
        same = [row for row in rows if row[1] == release.hash]
        if rows and not same and release.name != WORKING_RELEASE:
            return _describe_other(release.name, rows[0][1])
        last = [last_number(fetch_from(cursor), table) for table in ("review", "comment", "verdict")]
        if same:  # a release named "working" counts as the newest when it was frozen last, even if an earlier one is equal
            if same[0] is not rows[-1]:
                sql = "UPDATE release SET number = (SELECT max(number) + 1 FROM release) WHERE name = ? AND hash = ?"
                cursor.execute(sql, [release.name, release.hash])
            if release.name == WORKING_RELEASE:
                names = "decided = ?, said = ?, judged = ?, people = ?, difficulty = ?"
                sql = f"UPDATE release SET {names} WHERE name = ? AND hash = ?"
                cursor.execute(sql, [*last, *reports, WORKING_RELEASE, release.hash])
            return _release_from_row(same[0])
        columns = "name, hash, manifest, secret, made_at, items, variants, documents, unlicensed, decided, said, judged, people"
        manifest = stored.manifest
        counts = (len(manifest[part]) for part in ("items", "variants", "documents"))
        content = (stored.name, stored.hash, manifest, secret, stored.created, *counts, manifest["unlicensed"])
        insert_row(cursor, "release", f"{columns}, difficulty", (*content, *last, *reports), is_numbered=True)
        statuses = ((stored.hash, v.id, v.status) for v in frozen)
        insert_rows(cursor, "release_variant", "hash, variant, status", statuses)
        label_questions.freeze_answers(cursor, stored.hash, answers or {})
        return stored

    return database.write_or_raise(write)


def check_free(database: Database, name: str) -> None:
    """Raise BenchError if a release has the name."""
    if rows := database.rows("SELECT hash FROM release WHERE name = ? LIMIT 1", [name]):
        raise _describe_other(name, rows[0][0])


def _describe_other(name: str, hash_: str) -> BenchError:
    return BenchError(f"The release name {name} already belongs to other content ({hash_}): choose another name.")


def get(database: Database, name: str, hash: str | None = None) -> Release:
    """Return the release with the given name and, if given, hash; without a hash, the newest release of that name. Raises
    BenchError if there is no such release."""
    return _release_from_row(_fetch_row(database, "name, hash, manifest, made_at", name, hash))


def load_hash(database: Database, name: str) -> str:
    """Return the hash of the release with the given name; if several releases are named "working", of the newest. Raises
    BenchError if no release has the name."""
    return str(_fetch_row(database, "hash", name, None)[0])


def load_secret(database: Database, name: str, hash: str | None = None) -> str:
    """Return the salt with which the release's withheld answers are hashed."""
    return str(_fetch_row(database, "secret", name, hash)[0])


def load_erratum(database: Database, hash: str) -> Mapping[str, Any]:
    """Return the entry of the release with this hash on the release that it corrects; {} if it is no erratum."""
    sql = f"SELECT json_extract(manifest, '$.{ERRATUM}') FROM release WHERE hash = ? LIMIT 1"
    return next((from_json(entry) for (entry,) in database.rows(sql, [hash]) if entry), {})


def list_parts(database: Database, hash: str, keys: Sequence[str]) -> set[str]:
    """Return those of the keys that the manifest of the release with this hash has, without reading the whole manifest."""
    has = ", ".join(f"json_exists(manifest, '$.{key}')" for key in keys)
    rows = database.rows(f"SELECT {has} FROM release WHERE hash = ? LIMIT 1", [hash])
    return {key for row in rows for key, is_there in zip(keys, row, strict=True) if is_there}


def list_headers(database: Database) -> list[ReleaseHeader]:
    """Return all releases without their members, newest first. Of the releases named "working", only the newest is listed."""
    newest = "QUALIFY number = max(number) OVER (PARTITION BY name) ORDER BY number DESC"
    columns = "name, hash, items, variants, documents, unlicensed, made_at"
    return [ReleaseHeader(*row) for row in database.rows(f"SELECT {columns} FROM release {newest}")]


def measure_accepted_corpus(database: Database, tasks: Sequence[str], domains: Sequence[str]) -> ReleaseCorpus:
    """Count the documents that a release of the accepted items would have. `tasks` and `domains` select the items; an empty
    list selects all. The corpus contains the documents of these items and all other documents of the same domains and
    languages."""
    rows = database.rows(
        f"""
        WITH chosen AS (
            SELECT s.domain, s.language, r.given, r.evidence
            FROM state s JOIN revision r ON r.key = s.item || '@' || s.revision
            WHERE s.status = 'accepted' AND (len(?::VARCHAR[]) = 0 OR list_contains(?::VARCHAR[], s.task))
                AND (len(?::VARCHAR[]) = 0 OR list_contains(?::VARCHAR[], s.domain))
        ), own AS (
            SELECT unnest(from_json(given, '["VARCHAR"]')) AS id FROM chosen
            UNION
            SELECT unnest(from_json(evidence, '[["VARCHAR"]]'))[1] FROM chosen
        ), kinds AS (
            SELECT DISTINCT domain, language FROM chosen
        ), marked AS (
            SELECT domain, language, coalesce(licence, '') = '' AS is_unlicensed, {documents.IN_CORPUS} AS is_in_corpus,
                id IN (SELECT id FROM own) OR is_in_corpus AND (domain, language) IN (SELECT (domain, language) FROM kinds)
                    AS goes_in
            FROM document
        )
        SELECT domain, language, count(*) FILTER (goes_in), count(*) FILTER (goes_in AND is_unlicensed),
            count(*) FILTER (is_in_corpus AND NOT goes_in)
        FROM marked
        GROUP BY ALL
        ORDER BY ALL
        """,
        [tasks, tasks, domains, domains],
    )
    left_out = {(domain, language): n for domain, language, _, _, n in rows if n}
    return ReleaseCorpus(sum(row[2] for row in rows), sum(row[3] for row in rows), left_out)


def count_accepted_variants(database: Database, tasks: Sequence[str], domains: Sequence[str]) -> dict[str, int]:
    """Return a dict from status to the number of variants of the accepted items. `tasks` and `domains` select the items; an
    empty list selects all. The key "moved_on" has the number of variants that were made before their item was last edited."""
    if not database.has_any("variant"):
        return {}
    rows = database.rows(
        """
        SELECT if(v.status <> 'discarded' AND v.revision <> s.revision, 'moved_on', v.status) AS what, count(*)
        FROM variant v JOIN state s ON s.item = v.item
        WHERE s.status = 'accepted' AND (len(?::VARCHAR[]) = 0 OR list_contains(?::VARCHAR[], s.task))
            AND (len(?::VARCHAR[]) = 0 OR list_contains(?::VARCHAR[], s.domain))
        GROUP BY what
        ORDER BY what
        """,
        [tasks, tasks, domains, domains],
    )
    return dict(rows)


def load_members(database: Database, release: Release, with_texts: bool = True) -> ReleaseMembers:
    """Return the members of the release. If `with_texts` is False, every document has "" as its text. Raises BenchError if any
    member is not in this workspace."""
    wanted = [(entry["id"], entry["revision"], "accepted") for entry in release.manifest["items"]]
    frozen_items = replace_label_answers(database, release.hash, items.fetch_revisions(database.rows, wanted))
    named = [entry["id"] for entry in release.manifest["variants"]]
    status = load_statuses(database, release.hash, named)
    frozen = [replace(v, status=status.get(v.id, v.status)) for v in variants.load_variants(database, named)]
    ids = [entry["id"] for entry in release.manifest["documents"]]
    texts = documents.load_documents(database, ids) if with_texts else documents.load_headings(database, ids)
    frozen_tables = tuple(Snapshot(**row) for row in release.manifest.get("tables", ()))
    stored = tables.load_known(database, (table.hash for table in frozen_tables))
    missing = len(wanted) + len(named) + len(ids) - len(frozen_items) - len(frozen) - len(texts)
    missing += sum(table.hash not in stored for table in frozen_tables)
    if missing:
        raise BenchError(
            f"{missing} items, variants, documents or tables of the release {release.name} are not in this workspace: import "
            "them first."
        )
    left_out = frozenset(release.manifest.get("left_out", ()))
    return ReleaseMembers(
        frozen_items,
        frozen,
        document_changes.restore_fields(database, texts, release.created),
        left_out,
        frozen_tables,
        tuple(absence_twins.load(database, release.manifest)),
    )


def replace_label_answers(database: Database, hash: str, items: Sequence[Item]) -> list[Item]:
    """Return the items with the label answers that were frozen in the release with the given hash. An imported revision may
    contain answers from another release."""
    frozen = label_questions.load_frozen_answers(database, hash, [item.id for item in items])
    return [_replace_answers(item, frozen.get(item.id)) for item in items]


def _replace_answers(item: Item, answers: Mapping[str, Any] | None) -> Item:
    if not answers and LABEL_ANSWERS not in item.labels:
        return item
    labels = {name: value for name, value in item.labels.items() if name != LABEL_ANSWERS}
    return replace(item, labels=labels | ({LABEL_ANSWERS: dict(answers)} if answers else {}))


def load_statuses(database: Database, hash: str, wanted: Sequence[str]) -> dict[str, Any]:
    """Return a dict from variant id to the status of the variant when the release with the given hash was frozen."""
    sql = "SELECT variant, status FROM release_variant WHERE hash = ? AND variant IN (SELECT unnest(?::VARCHAR[]))"
    return dict(fetch_in_batches(database.rows, sql, wanted, hash))


def load_item_record(database: Database, release: Release) -> ItemRecord:
    """Return the verdicts, reviews, comments and revisions of the release's items up to the time when the release was
    frozen."""
    columns = "decided, said, judged, people, difficulty"
    decided, commented, judged, people, difficulty = _fetch_row(database, columns, release.name, release.hash)
    revisions = {entry["id"]: entry["revision"] for entry in release.manifest["items"]}
    effective = reviews.load_effective(database, revisions, decided)
    reviewed = {(review.item, review.revision) for review in effective}
    history = [
        revision
        for revision in items.load_history(database, revisions)
        if revision.revision <= revisions[revision.item] or (revision.item, revision.revision) in reviewed
    ]
    verdicts = [v for v in load_verdicts(database, revisions, judged) if v.revision <= revisions[v.item]]
    reports = (from_json(report) or {} for report in (people, difficulty))
    return ItemRecord(effective, comments.load_comments(database, revisions, commented), history, verdicts, *reports)


def _fetch_row(database: Database, columns: str, name: str, hash: str | None) -> tuple[Any, ...]:
    rows = database.rows(
        f"SELECT {columns} FROM release WHERE name = ? AND (?::VARCHAR IS NULL OR hash = ?) ORDER BY number DESC LIMIT 1",
        [name, hash, hash],
    )
    if not rows:
        names = ", ".join(row[0] for row in database.rows("SELECT DISTINCT name FROM release ORDER BY name")) or "none yet"
        raise BenchError(f"No release {name}{f' with hash {hash}' if hash else ''} in this workspace; there are: {names}.")
    return rows[0]


def _release_from_row(row: tuple[Any, ...]) -> Release:
    return Release(*decode_json(row, 2))
