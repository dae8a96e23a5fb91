"""Measure how much items use the documents: the number of items per document, the share of each text that items cite as
evidence, and the cited spans. Refused and discarded items do not count. An item counts for every document in which it has
evidence; an item without evidence counts for the first document that it was drafted from."""

from collections.abc import Sequence
from typing import NamedTuple

from core.nouns import Level, Status
from store.corpus.documents import IN_CORPUS
from store.engine.columns import level_from_text
from store.engine.database import Database

STATES_FINGERPRINT = "SELECT count(*), sum(revision)::BIGINT, bit_xor(hash(item, status)) FROM state"
"""SQL query whose result changes whenever an item, a revision or a status changes."""
_LIVE = "s.status IN ('drafted', 'accepted')"
_CITED = f"""cited AS (
        SELECT
            s.item, s.number, s.revision, s.task, s.level, s.status, p.span[1] AS document, p.span[2]::BIGINT AS first,
            p.span[3]::BIGINT AS last
        FROM state s
        JOIN (
            SELECT item, revision, unnest(from_json(evidence, '[["VARCHAR"]]')) AS span
            FROM revision
            WHERE evidence <> '[]'
        ) p ON p.item = s.item AND p.revision = s.revision
        WHERE {_LIVE}
    )"""


class DocumentUse(NamedTuple):
    """A document without its text, with the number of its characters that items cite as evidence."""

    id: str
    title: str
    domain: str
    language: str
    characters: int
    tokens: int
    """Estimated number of tokens of the document, or its number of characters if tokens are not yet counted."""
    used: int
    """Number of the document's characters that at least one item cites as evidence."""


class DocumentItemCount(NamedTuple):
    """Number of accepted items and number of drafted items of one task and level that belong to one document."""

    document: str
    task: str
    level: Level
    accepted: int
    drafted: int


class CitedSpan(NamedTuple):
    """One evidence span of an item in a document."""

    item: str
    question: str
    task: str
    level: Level
    status: Status
    start: int
    end: int


def load_document_uses(database: Database) -> list[DocumentUse]:
    """Return all documents of the corpus in the order in which they were added, each with the number of its characters that
    items cite as evidence."""
    rows = database.rows(
        f"""
        WITH {_CITED}, reached AS (
            SELECT document, first, last, coalesce(max(last) OVER (
                PARTITION BY document ORDER BY first, last ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
            FROM cited
        ), used AS (
            SELECT document, sum(greatest(last - greatest(first, before), 0))::BIGINT AS characters
            FROM reached
            GROUP BY document
        )
        SELECT d.id, d.title, d.domain, d.language, d.characters, coalesce(d.tokens, d.characters), coalesce(u.characters, 0)
        FROM document d LEFT JOIN used u ON u.document = d.id
        WHERE d.{IN_CORPUS}
        ORDER BY d.number
        """
    )
    return [DocumentUse(*row) for row in rows]


def count_items(database: Database) -> list[DocumentItemCount]:
    """Return the number of items for each combination of document, task and level that has at least one item."""
    rows = database.rows(
        f"""
        WITH {_CITED}, placed AS (
            SELECT DISTINCT item, task, level, status, document FROM cited
            UNION ALL
            SELECT s.item, s.task, s.level, s.status, s.document
            FROM state s
            WHERE {_LIVE} AND s.document IS NOT NULL AND s.item NOT IN (SELECT item FROM cited)
        )
        SELECT document, task, level, count(*) FILTER (status = 'accepted'), count(*) FILTER (status = 'drafted')
        FROM placed
        GROUP BY document, task, level
        """
    )
    return [DocumentItemCount(document, task, level_from_text(level), *counts) for document, task, level, *counts in rows]


def load_cited_spans(database: Database, documents: Sequence[str]) -> dict[str, list[CitedSpan]]:
    """Return a dict from document id to the evidence spans in that document, sorted by offset. Documents without evidence are
    left out."""
    rows = database.rows(
        f"""
        WITH {_CITED}
        SELECT c.document, c.item, r.question, c.task, c.level, c.status, c.first, c.last
        FROM cited c
        JOIN revision r ON r.item = c.item AND r.revision = c.revision
        WHERE c.document IN (SELECT unnest(?::VARCHAR[]))
        ORDER BY c.document, c.first, c.last, c.number
        """,
        [list(documents)],
    )
    spans: dict[str, list[CitedSpan]] = {}
    for document, item, question, task, level, *rest in rows:
        spans.setdefault(document, []).append(CitedSpan(item, question, task, level_from_text(level), *rest))
    return spans


def fingerprint(database: Database) -> tuple[object, ...]:
    """Return a value that changes whenever a document, an item, a revision or a status may have changed."""
    changes = "(SELECT max(number) FROM document_change)"
    [documents] = database.rows(f"SELECT count(*), count(tokens), {changes} FROM document WHERE {IN_CORPUS}")
    return (*database.rows(STATES_FINGERPRINT)[0], *documents)


def list_items_on(database: Database, documents: Sequence[str]) -> list[tuple[str, str]]:
    """Return (item, status) of each drafted or accepted item that was drafted from one of the documents or has evidence in
    it."""
    rows = database.rows(
        f"""
        WITH w AS (SELECT unnest(?::VARCHAR[]) AS id)
        SELECT DISTINCT s.item, s.status
        FROM state s
        JOIN revision r ON r.item = s.item AND r.revision = s.revision
        JOIN w ON contains(r.evidence, w.id) OR contains(r.given, w.id)
        WHERE {_LIVE}
        ORDER BY s.item
        """,
        [list(documents)],
    )
    return [(item, status) for item, status in rows]


def list_releases_with(database: Database, documents: Sequence[str]) -> list[str]:
    """Return the names of the releases that contain at least one of the documents."""
    rows = database.rows(
        """
        WITH held AS (
            SELECT name, unnest(from_json(json_extract(manifest, '$.documents'), '[{"id":"VARCHAR"}]')).id AS document
            FROM release
        )
        SELECT DISTINCT name FROM held WHERE document IN (SELECT unnest(?::VARCHAR[])) ORDER BY name
        """,
        [list(documents)],
    )
    return [name for (name,) in rows]
