"""What people change of a document beside its text: licence, domain, and whether it is in the corpus. Each change is recorded,
and what a release was frozen with can be told from the record."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from core.nouns import Document
from store.engine.columns import current_time, insert_rows, split_in_batches
from store.engine.database import Cursor, Database

FIELDS = ("licence", "domain", "removed_at")
"""What can be changed."""
_COLUMNS = {
    "number": "INTEGER",
    "document": "VARCHAR",
    "field": "VARCHAR",
    "old": "VARCHAR",
    "new": "VARCHAR",
    "person": "VARCHAR",
    "made_at": "VARCHAR",
}


class DocumentChange(NamedTuple):
    """One change of one document."""

    document: str
    field: str
    old: str | None
    new: str | None
    person: str
    at: str


def change_field(database: Database, ids: Sequence[str], field: str, value: str | None, person: str) -> int:
    """Set the field, one of FIELDS, of those documents; returns how many had another value before."""
    if field not in FIELDS:
        raise ValueError(f"{field} of a document never changes")
    at = current_time()

    def write(cursor: Cursor) -> int:
        changed = 0
        for piece in split_in_batches(ids):
            rows = cursor.execute(
                f"SELECT id, {field} FROM document WHERE id IN (SELECT unnest(?::VARCHAR[])) AND {field} IS DISTINCT FROM ?",
                [piece, value],
            ).fetchall()
            (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM document_change").fetchall()[0]
            insert_rows(
                cursor,
                "document_change",
                _COLUMNS,
                ((number, id, field, old, value, person, at) for number, (id, old) in enumerate(rows, last + 1)),
            )
            cursor.execute(
                f"UPDATE document SET {field} = ? WHERE id IN (SELECT unnest(?::VARCHAR[]))", [value, [id for id, _ in rows]]
            ).fetchall()
            changed += len(rows)
        return changed

    return database.write(write)


def list_changes(database: Database, document: str) -> list[DocumentChange]:
    """Its changes, oldest first."""
    sql = "SELECT document, field, old, new, person, made_at FROM document_change WHERE document = ? ORDER BY number"
    return [DocumentChange(*row) for row in database.rows(sql, [document])]


def restore_fields(database: Database, documents: Sequence[Document], at: str) -> list[Document]:
    """The documents with the licence and domain that they had at that time (ISO): a release stays what was frozen."""
    rows = database.rows(
        """
        SELECT document, field, arg_min(coalesce(old, ''), number)
        FROM document_change
        WHERE made_at > ?
        GROUP BY document, field
        """,
        [at],
    )
    if not rows:
        return list(documents)
    before = {(document, field): old for document, field, old in rows}
    return [
        replace(
            d,
            domain=before.get((d.id, "domain"), d.domain),
            licence=before[d.id, "licence"] or None if (d.id, "licence") in before else d.licence,
        )
        for d in documents
    ]
