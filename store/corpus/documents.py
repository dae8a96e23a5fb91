"""Store and load documents. If several documents have the same text, only the first is stored. The text of a document never
changes. The module document_changes changes the other fields of a document. Lists of documents leave out removed documents, but
a removed document can still be loaded by its id."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Document
from core.text.text import count_tokens
from store.corpus import originals
from store.engine.columns import (
    Fetch,
    build_conditions,
    current_time,
    decode_json,
    fetch_from,
    fetch_in_batches,
    insert_rows,
    split_in_batches,
)
from store.engine.database import Cursor, Database

_COLUMNS = "id, text, title, domain, language, origin, licence, published, meta"
_NO_TEXT = _COLUMNS.replace("text", "''")
_WITH_IDS = "WHERE id IN (SELECT unnest(?::VARCHAR[]))"
IN_CORPUS = "removed_at IS NULL"
"""SQL condition that a document has not been removed from the corpus."""


class AddedIds(NamedTuple):
    """Result of adding documents or items: the ids that were added and the ids that were already stored."""

    added: list[str]
    already: list[str]
    """Ids of the documents or items that were already stored and therefore were not added again."""


class DocumentCount(NamedTuple):
    """Number of documents, and number of their characters, in one domain and language."""

    domain: str
    language: str
    documents: int
    characters: int


def add(database: Database, documents: Sequence[Document], files: Mapping[str, bytes] = MappingProxyType({})) -> AddedIds:
    """Store those documents whose text is not stored yet, with their original files; `files` is a dict from document id to
    bytes. The calling thread estimates the number of tokens, which takes 0.2 s per million characters."""
    stored = filter_known_ids(database, [d.id for d in documents])
    tokens = {d.id: count_tokens(d.text, d.language) for d in documents if d.id not in stored}

    def write(cursor: Cursor) -> AddedIds:
        outcome = insert(cursor, documents, tokens)
        originals.insert(cursor, {id: files[id] for id in outcome.added if id in files})
        return outcome

    return database.write(write)


def add_apart(database: Database, documents: Sequence[Document]) -> None:
    """Store documents that belong to a release alone: they can be loaded by id, and the corpus does not have them. Those that
    are stored already stay as they are."""
    at = current_time()
    rows = [
        (d.id, d.text, d.title, d.domain, d.language, d.origin, d.licence, d.published, d.meta, len(d.text), at)
        for d in documents
    ]
    columns = f"{_COLUMNS}, characters, removed_at"
    database.write(lambda cursor: insert_rows(cursor, "document", columns, rows, is_numbered=True))


def insert(cursor: Cursor, documents: Sequence[Document], tokens: Mapping[str, int] = MappingProxyType({})) -> AddedIds:
    """Store documents like `add`, within the caller's transaction. `tokens` is a dict from document id to estimated number of
    tokens; documents that are missing from this dict are counted later. A document that was removed earlier returns to the
    corpus and counts as added."""
    ids = [d.id for d in documents]
    stored = _fetch_known_ids(fetch_from(cursor), ids)
    sql = f"UPDATE document SET removed_at = NULL {_WITH_IDS} AND NOT ({IN_CORPUS}) RETURNING id"
    back = {row[0] for batch in split_in_batches(ids) for row in cursor.execute(sql, [batch]).fetchall()}
    new: dict[str, Document] = {}
    returned: list[str] = []
    already: list[str] = []
    for document in documents:
        if document.id in back and document.id not in returned:
            returned.append(document.id)
        elif document.id in stored or document.id in new:
            already.append(document.id)
        else:
            new[document.id] = document
    rows = (
        (d.id, d.text, d.title, d.domain, d.language, d.origin, d.licence, d.published, d.meta, len(d.text), tokens.get(d.id))
        for d in new.values()
    )
    insert_rows(cursor, "document", f"{_COLUMNS}, characters, tokens", rows, is_numbered=True)
    return AddedIds([*new, *returned], already)


def get(database: Database, document: str) -> Document:
    """Return the document with its text. Raises BenchError if no document has the given id."""
    rows = database.rows(f"SELECT {_COLUMNS} FROM document WHERE id = ?", [document])
    if not rows:
        raise BenchError(f"No document {document} in this workspace.")
    return _document_from_row(rows[0])


def load_documents(
    database: Database, ids: Iterable[str] | None = None, domain: str | None = None, language: str | None = None
) -> list[Document]:
    """Return documents with their texts. If `ids` is given, return the documents with these ids, in that order; if it is None,
    return those of the domain and language in the order in which they were added. Unknown ids are left out."""
    if ids is not None:
        return _load_by_ids(database, _COLUMNS, ids)
    return _load_where(database, _COLUMNS, domain, language)


def list_documents(database: Database) -> list[Document]:
    """Return all documents of the corpus in the order in which they were added, with "" instead of their text. Use
    `load_lengths` to get the lengths of the texts."""
    return _load_where(database, _NO_TEXT, None, None)


def load_headings(database: Database, ids: Iterable[str]) -> list[Document]:
    """Return the documents with the given ids, in that order, with "" instead of their text. Unknown ids are left out."""
    return _load_by_ids(database, _NO_TEXT, ids)


def load_lengths(database: Database) -> dict[str, int]:
    """Return a dict from document id to the length of its text in code points, for every document of the corpus."""
    return dict(database.rows(f"SELECT id, characters FROM document WHERE {IN_CORPUS}"))


def list_uncounted(database: Database, limit: int) -> list[Document]:
    """Return at most `limit` documents whose tokens were never estimated, because an earlier program version added them."""
    sql = f"SELECT {_COLUMNS} FROM document WHERE tokens IS NULL AND {IN_CORPUS} ORDER BY number LIMIT ?"
    return [_document_from_row(row) for row in database.rows(sql, [limit])]


def set_tokens(database: Database, tokens: Mapping[str, int]) -> None:
    """Store the estimated tokens of documents, from a dict of document id to number of tokens."""
    sql = """
        UPDATE document SET tokens = counted.tokens
        FROM (SELECT unnest(?::VARCHAR[]) AS id, unnest(?::INTEGER[]) AS tokens) AS counted
        WHERE document.id = counted.id
        """
    database.execute(sql, [list(tokens), list(tokens.values())])


def filter_known_ids(database: Database, ids: Iterable[str]) -> set[str]:
    """Return those of the given ids that belong to stored documents."""
    return _fetch_known_ids(database.rows, ids)


def load_sizes(database: Database, ids: Iterable[str]) -> dict[str, int]:
    """Return a dict from document id to the number of characters of the document's text; ids of documents that are not stored
    are left out."""
    rows = fetch_in_batches(database.rows, f"SELECT id, length(text) FROM document {_WITH_IDS}", dict.fromkeys(ids))
    return dict(rows)


def count_documents_with(database: Database, names: Sequence[str]) -> dict[str, int]:
    """Return a dict from each name to the number of documents whose text contains the name (case-sensitive)."""
    counts: dict[str, int] = {}
    for batch in split_in_batches(dict.fromkeys(names)):
        columns = ", ".join(["count(*) FILTER (WHERE contains(text, ?))"] * len(batch))
        [row] = database.rows(f"SELECT {columns} FROM document WHERE {IN_CORPUS}", batch)
        counts |= dict(zip(batch, row, strict=True))
    return counts


def count_documents(database: Database) -> list[DocumentCount]:
    """Return the number of documents, and of their characters, for each pair of domain and language in the corpus."""
    sql = (
        f"SELECT domain, language, count(*), sum(characters)::BIGINT FROM document WHERE {IN_CORPUS} GROUP BY ALL ORDER BY ALL"
    )
    return [DocumentCount(*row) for row in database.rows(sql)]


def _fetch_known_ids(fetch: Fetch, ids: Iterable[str]) -> set[str]:
    return {row[0] for row in fetch_in_batches(fetch, f"SELECT id FROM document {_WITH_IDS}", ids)}


def _load_by_ids(database: Database, columns: str, ids: Iterable[str]) -> list[Document]:
    wanted = list(ids)
    rows = fetch_in_batches(database.rows, f"SELECT {columns} FROM document {_WITH_IDS}", dict.fromkeys(wanted))
    documents = {row[0]: _document_from_row(row) for row in rows}
    return [documents[id] for id in wanted if id in documents]


def _load_where(database: Database, columns: str, domain: str | None, language: str | None) -> list[Document]:
    conditions, values = build_conditions({"domain": domain, "language": language})
    where = " AND ".join([IN_CORPUS, *conditions])
    return database.build_rows(_document_from_row, f"SELECT {columns} FROM document WHERE {where} ORDER BY number", values)


def _document_from_row(row: Sequence[Any]) -> Document:
    return Document(*decode_json(row, 8))
