"""Releases in and out. A name stands for one content for ever, "working" apart; what is in a release is read from the
revisions and variants that its manifest names."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.label_questions import LABEL_ANSWERS
from core.nouns import Comment, Document, Item, Release, Review, Variant, Verdict
from core.tables.nouns import Snapshot
from store.corpus import document_changes, documents, tables
from store.engine.columns import current_time, from_json, insert_rows, split_in_batches, to_json
from store.engine.database import Cursor, Database
from store.format import Revision
from store.items import items
from store.items.verdicts import load_verdicts
from store.reviews import comments, label_questions, reviews
from store.variants import variants

WORKING_RELEASE = "working"
"""The name that always stands for what is accepted now."""


class ReleaseMembers(NamedTuple):
    """What a release holds, in the manifest's order."""

    items: list[Item]
    """The frozen revisions, with status accepted."""
    variants: list[Variant]
    """With the status they had when they were frozen."""
    documents: list[Document]
    left_out: frozenset[str] = frozenset()
    """Ids of those that retrieval does not see: sources that an answer was taken from."""
    tables: tuple[Snapshot, ...] = ()
    """The tables that a run on it asks; none where its items were made from none."""

    @property
    def retrieval(self) -> list[Document]:
        """The retrieval corpus: D - d + E."""
        return [document for document in self.documents if document.id not in self.left_out]


class ItemRecord(NamedTuple):
    """How the items of a release came to be what they are in it."""

    reviews: list[Review]
    comments: list[Comment]
    history: list[Revision]
    verdicts: list[Verdict]
    people: Mapping[str, Any]
    """What people had made of its drafts when it was frozen; empty where that is not known."""
    difficulty: Mapping[str, Any]
    """How hard systems had found its items when it was frozen; empty where that is not known."""


class ReleaseHeader(NamedTuple):
    """A release without its members."""

    name: str
    hash: str
    items: int
    variants: int
    documents: int
    unlicensed: str | None
    """Why documents without a licence are in it; None when there are none."""
    created: str


class ReleaseCorpus(NamedTuple):
    """The documents that a release of now would hold."""

    documents: int
    unlicensed: int
    """How many of them have no licence."""


def save(
    database: Database,
    release: Release,
    frozen: Sequence[Variant] = (),
    secret: str | None = None,
    people: Mapping[str, Any] | None = None,
    difficulty: Mapping[str, Any] | None = None,
    answers: Mapping[str, Mapping[str, Any]] | None = None,
) -> Release:
    """Store a release with its variants as they are now; the same name and content again returns the stored one. Raises
    BenchError when the name stands for other content. `secret` salts withheld golds; a fresh one is made without it. `people` =
    what people had made of its drafts by now, `difficulty` = how hard systems had found its items, `answers` = item -> what its
    label questions are answered with."""
    told = [None if one is None else to_json(dict(one)) for one in (people, difficulty)]
    stored = replace(release, created=release.created or current_time())
    secret = secret or secrets.token_hex(16)

    def write(cursor: Cursor) -> Release | BenchError:
        sql = "SELECT name, hash, manifest, made_at FROM release WHERE name = ? ORDER BY number"
        rows = cursor.execute(sql, [release.name]).fetchall()
        same = [row for row in rows if row[1] == release.hash]
        if rows and not same and release.name != WORKING_RELEASE:
            return BenchError(
                f"The release {release.name} stands for other content ({rows[0][1]}): give this one another name."
            )
        parts = ", ".join(f"(SELECT coalesce(max(number), 0) FROM {table})" for table in ("review", "comment", "verdict"))
        last = cursor.execute(f"SELECT {parts}").fetchall()[0]
        if same:  # the newest "working" is the one frozen last, be it the same as an earlier one
            sql = "UPDATE release SET number = (SELECT max(number) + 1 FROM release) WHERE name = ? AND hash = ?"
            if same[0] is not rows[-1]:
                cursor.execute(sql, [release.name, release.hash])
            if release.name == WORKING_RELEASE:
                names = "decided = ?, said = ?, judged = ?, people = ?, difficulty = ?"
                sql = f"UPDATE release SET {names} WHERE name = ? AND hash = ?"
                cursor.execute(sql, [*last, *told, WORKING_RELEASE, release.hash])
            return _release(same[0])
        cursor.execute(
            """
            INSERT INTO release
                (name, hash, number, manifest, secret, made_at, items, variants, documents, unlicensed, decided, said, judged,
                 people, difficulty)
            SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
            FROM release
            """,
            [
                stored.name,
                stored.hash,
                to_json(dict(stored.manifest)),
                secret,
                stored.created,
                *(len(stored.manifest[part]) for part in ("items", "variants", "documents")),
                stored.manifest["unlicensed"],
                *last,
                *told,
            ],
        )
        insert_rows(
            cursor,
            "release_variant",
            {"hash": "VARCHAR", "variant": "VARCHAR", "status": "VARCHAR"},
            ((stored.hash, v.id, v.status) for v in frozen),
        )
        label_questions.freeze_answers(cursor, stored.hash, answers or {})
        return stored

    outcome = database.write(write)
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def get(database: Database, name: str, hash: str | None = None) -> Release:
    """The release of that name, of "working" the newest, or the one with that hash; raises BenchError when there is none."""
    return _release(_row(database, "name, hash, manifest, made_at", name, hash))


def load_hash(database: Database, name: str) -> str:
    """The hash of the release of that name, of "working" the newest; raises BenchError when there is none."""
    return str(_row(database, "hash", name, None)[0])


def load_secret(database: Database, name: str, hash: str | None = None) -> str:
    """What salts that release's withheld golds."""
    return str(_row(database, "secret", name, hash)[0])


def list_releases(database: Database) -> list[Release]:
    """All releases, oldest first; of "working" the newest alone."""
    rows = database.rows(
        """
        SELECT name, arg_max(hash, number), arg_max(manifest, number), arg_max(made_at, number)
        FROM release
        GROUP BY name
        ORDER BY max(number)
        """
    )
    return [_release(row) for row in rows]


def headings(database: Database) -> list[ReleaseHeader]:
    """As listed, newest first, without reading what is in them."""
    rows = database.rows(
        """
        SELECT name, hash, items, variants, documents, unlicensed, made_at
        FROM release
        QUALIFY number = max(number) OVER (PARTITION BY name)
        ORDER BY number DESC
        """
    )
    return [ReleaseHeader(*row) for row in rows]


def measure_accepted_corpus(database: Database, tasks: Sequence[str], domains: Sequence[str]) -> ReleaseCorpus:
    """The corpus that goes with the accepted items of those tasks and domains (none = all): their own documents and all others
    of their domains and languages."""
    ((found, unlicensed),) = database.rows(
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
        )
        SELECT count(*), count(*) FILTER (coalesce(licence, '') = '')
        FROM document
        WHERE id IN (SELECT id FROM own)
            OR {documents.IN_CORPUS} AND (domain, language) IN (SELECT (domain, language) FROM kinds)
        """,
        [tasks, tasks, domains, domains],
    )
    return ReleaseCorpus(found, unlicensed)


def count_accepted_variants(database: Database, tasks: Sequence[str], domains: Sequence[str]) -> dict[str, int]:
    """How many variants the accepted items of those tasks and domains (none = all) have, by status; "moved_on" are those of
    words that were edited since."""
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
    """What is in it; without texts, the documents have text "". Raises BenchError when the store does not hold all of it."""
    wanted = [(entry["id"], entry["revision"], "accepted") for entry in release.manifest["items"]]
    found = replace_label_answers(database, release.hash, items.fetch_revisions(database.rows, wanted))
    named = [entry["id"] for entry in release.manifest["variants"]]
    status = load_statuses(database, release.hash, named)
    frozen = [replace(v, status=status.get(v.id, v.status)) for v in variants.load_variants(database, named)]
    ids = [entry["id"] for entry in release.manifest["documents"]]
    texts = documents.load_documents(database, ids) if with_texts else documents.load_headings(database, ids)
    frozen_tables = tuple(Snapshot(**row) for row in release.manifest.get("tables", ()))
    there = tables.load_known(database, (one.hash for one in frozen_tables))
    missing = len(wanted) + len(named) + len(ids) - len(found) - len(frozen) - len(texts)
    missing += sum(one.hash not in there for one in frozen_tables)
    if missing:
        raise BenchError(f"{missing} members of the release {release.name} are not in this workspace: import them first.")
    left_out = frozenset(release.manifest.get("left_out", ()))
    return ReleaseMembers(
        found, frozen, document_changes.restore_fields(database, texts, release.created), left_out, frozen_tables
    )


def replace_label_answers(database: Database, hash: str, found: Sequence[Item]) -> list[Item]:
    """Items of the release of that hash with the answers to label questions that they have in it: those that a revision came in
    with are another release's."""
    frozen = label_questions.load_frozen_answers(database, hash, [item.id for item in found])
    return [_with_answers(item, frozen.get(item.id)) for item in found]


def _with_answers(item: Item, answers: Mapping[str, Any] | None) -> Item:
    if not answers and LABEL_ANSWERS not in item.labels:
        return item
    labels = {name: value for name, value in item.labels.items() if name != LABEL_ANSWERS}
    return replace(item, labels=labels | ({LABEL_ANSWERS: dict(answers)} if answers else {}))


def load_statuses(database: Database, hash: str, wanted: Sequence[str]) -> dict[str, Any]:
    """Variant -> the status that it had when the release of that hash was frozen."""
    sql = "SELECT variant, status FROM release_variant WHERE hash = ? AND variant IN (SELECT unnest(?::VARCHAR[]))"
    return dict(row for piece in split_in_batches(wanted) for row in database.rows(sql, [hash, piece]))


def load_item_record(database: Database, release: Release) -> ItemRecord:
    """How the release's items came to be what they are in it, as it stood when it was frozen."""
    columns = "decided, said, judged, people, difficulty"
    decided, said, judged, people, difficulty = _row(database, columns, release.name, release.hash)
    revisions = {entry["id"]: entry["revision"] for entry in release.manifest["items"]}
    made = reviews.load_effective(database, revisions, decided)
    reviewed = {(review.item, review.revision) for review in made}
    history = [
        one
        for one in items.load_history(database, revisions)
        if one.revision <= revisions[one.item] or (one.item, one.revision) in reviewed
    ]
    verdicts = [one for one in load_verdicts(database, revisions, judged) if one.revision <= revisions[one.item]]
    told, hard = ({} if one is None else from_json(one) for one in (people, difficulty))
    return ItemRecord(made, comments.load_comments(database, revisions, said), history, verdicts, told, hard)


def _row(database: Database, columns: str, name: str, hash: str | None) -> tuple[Any, ...]:
    rows = database.rows(
        f"SELECT {columns} FROM release WHERE name = ? AND (?::VARCHAR IS NULL OR hash = ?) ORDER BY number DESC LIMIT 1",
        [name, hash, hash],
    )
    if not rows:
        names = ", ".join(row[0] for row in database.rows("SELECT DISTINCT name FROM release ORDER BY name")) or "none yet"
        raise BenchError(f"No release {name}{f' with hash {hash}' if hash else ''} in this workspace; there are: {names}.")
    return rows[0]


def _release(row: tuple[Any, ...]) -> Release:
    return Release(row[0], row[1], from_json(row[2]), row[3])
