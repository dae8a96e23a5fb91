"""Record changes of a document's licence, domain or language, and its removal from the corpus. The text of a document never
changes. Each change is recorded, so that a release can be loaded in the state in which it was frozen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from core.nouns import Document
from store.engine.columns import Timestamp, current_time, insert_rows, split_in_batches
from store.engine.database import Cursor, Database

FIELDS = ("licence", "domain", "language", "removed_at")
"""Names of the document fields that `change_field` can change."""


class DocumentChange(NamedTuple):
    """One recorded change of one field of a document."""

    document: str
    field: str
    old: str | None
    new: str | None
    person: str
    at: Timestamp


def change_field(database: Database, ids: Sequence[str], field: str, value: str | None, person: str) -> int:
    """Set `field`, one of FIELDS, to `value` for the documents with the given ids. Return how many documents had another value
    before."""
    if field not in FIELDS:
        raise ValueError(f"the field {field} of a document cannot be changed")
    at = current_time()

    def write(cursor: Cursor) -> int:
        changed = 0
        for batch in split_in_batches(ids):
            rows = cursor.execute(
                f"SELECT id, {field} FROM document WHERE id IN (SELECT unnest(?::VARCHAR[])) AND {field} IS DISTINCT FROM ?",
                [batch, value],
            ).fetchall()
            changes = ((id, field, old, value, person, at) for id, old in rows)
            insert_rows(cursor, "document_change", "document, field, old, new, person, made_at", changes, is_numbered=True)
            sql = f"UPDATE document SET {field} = ? WHERE id IN (SELECT unnest(?::VARCHAR[]))"
            cursor.execute(sql, [value, [id for id, _ in rows]])
            changed += len(rows)
        return changed

    return database.write(write)


def list_changes(database: Database, document: str) -> list[DocumentChange]:
    """Return the recorded field changes of the document, oldest first."""
    sql = "SELECT document, field, old, new, person, made_at FROM document_change WHERE document = ? ORDER BY number"
    return [DocumentChange(*row) for row in database.rows(sql, [document])]


def restore_fields(database: Database, documents: Sequence[Document], at: Timestamp) -> list[Document]:
    """Return the documents with the licence, domain and language that they had at the time `at`, for example when a release was
    frozen."""
    sql = "SELECT document, field, arg_min(coalesce(old, ''), number) FROM document_change WHERE made_at > ? GROUP BY ALL"
    before = {(document, field): old for document, field, old in database.rows(sql, [at])}
    if not before:
        return list(documents)
    return [
        replace(
            d,
            domain=before.get((d.id, "domain"), d.domain),
            language=before.get((d.id, "language"), d.language),
            licence=before[d.id, "licence"] or None if (d.id, "licence") in before else d.licence,
        )
        for d in documents
    ]
