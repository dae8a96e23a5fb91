"""Documents in and out. The first of two equal texts stays; a text is never changed (licence, domain and removal:
document_changes). What lists the corpus leaves removed documents out; what asks for ids finds them."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from core.errors import BenchError
from core.nouns import Document
from core.text.text import count_tokens
from store.corpus import originals
from store.engine.columns import Fetch, fetch_from, from_json, insert_rows, split_in_batches, to_json
from store.engine.database import Cursor, Database

_COLUMNS = {
    "id": "VARCHAR",
    "number": "INTEGER",
    "title": "VARCHAR",
    "domain": "VARCHAR",
    "language": "VARCHAR",
    "origin": "VARCHAR",
    "licence": "VARCHAR",
    "published": "VARCHAR",
    "meta": "VARCHAR",
    "characters": "INTEGER",
    "text": "VARCHAR",
    "tokens": "INTEGER",
}
_ALL_COLUMNS = "id, text, title, domain, language, origin, licence, published, meta"

_NO_TEXT = _ALL_COLUMNS.replace("text", "''")
IN_CORPUS = "removed_at IS NULL"
"""Holds for documents that were not removed."""


class AddedIds(NamedTuple):
    """What became of documents or items that were to be added, as ids in the order given."""

    added: list[str]
    already: list[str]


class DocumentCount(NamedTuple):
    """How many documents of one domain and language."""

    domain: str
    language: str
    documents: int
    characters: int


def add(database: Database, documents: Sequence[Document], files: Mapping[str, bytes] = MappingProxyType({})) -> AddedIds:
    """Store those whose text is new, and with them the files that they were read from, by id. Tokens are estimated here, on the
    caller's thread: it takes .2 s a million characters."""
    stored = filter_known_ids(database, [d.id for d in documents])
    tokens = {d.id: count_tokens(d.text, d.language) for d in documents if d.id not in stored}

    def write(cursor: Cursor) -> AddedIds:
        done = insert(cursor, documents, tokens)
        originals.insert(cursor, {id: files[id] for id in done.added if id in files})
        return done

    return database.write(write)


def insert(cursor: Cursor, documents: Sequence[Document], tokens: Mapping[str, int] = MappingProxyType({})) -> AddedIds:
    """As add, within a transaction of the caller's; a document whose `tokens` are not given has none yet. One that was removed
    is in the corpus again and counts as added."""
    ids = [d.id for d in documents]
    stored = _fetch_known_ids(fetch_from(cursor), ids)
    back = {
        row[0]
        for piece in split_in_batches(ids)
        for row in cursor.execute(
            f"UPDATE document SET removed_at = NULL WHERE id IN (SELECT unnest(?::VARCHAR[])) AND NOT "
            f"({IN_CORPUS}) RETURNING id",
            [piece],
        ).fetchall()
    }
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
    (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM document").fetchall()[0]
    insert_rows(
        cursor,
        "document",
        _COLUMNS,
        (
            (
                d.id,
                number,
                d.title,
                d.domain,
                d.language,
                d.origin,
                d.licence,
                d.published,
                to_json(dict(d.meta)),
                len(d.text),
                d.text,
                tokens.get(d.id),
            )
            for number, d in enumerate(new.values(), last + 1)
        ),
    )
    return AddedIds([*new, *returned], already)


def get(database: Database, document: str) -> Document:
    """The document with its text; raises BenchError when there is none of that id."""
    rows = database.rows(f"SELECT {_ALL_COLUMNS} FROM document WHERE id = ?", [document])
    if not rows:
        raise BenchError(f"No document {document} in this workspace.")
    return _document(rows[0])


def load_documents(
    database: Database, ids: Iterable[str] | None = None, domain: str | None = None, language: str | None = None
) -> list[Document]:
    """Documents with their texts: those ids in their order (unknown ones left out), or all of a domain and language in the
    order they came in."""
    if ids is not None:
        return _of_ids(database, _ALL_COLUMNS, ids)
    return [_document(row) for row in database.rows(*_query(_ALL_COLUMNS, domain, language))]


def list_documents(database: Database, domain: str | None = None, language: str | None = None) -> list[Document]:
    """Documents without their texts (text is ""), in the order they came in; `lengths` tells how long they are."""
    return [_document(row) for row in database.rows(*_query(_NO_TEXT, domain, language))]


def load_headings(database: Database, ids: Iterable[str]) -> list[Document]:
    """Those documents without their texts (text is ""), in their order; unknown ones are left out."""
    return _of_ids(database, _NO_TEXT, ids)


def load_lengths(database: Database) -> dict[str, int]:
    """Id -> code points of its text, for every document of the corpus."""
    return dict(database.rows(f"SELECT id, characters FROM document WHERE {IN_CORPUS}"))


def list_uncounted(database: Database, limit: int) -> list[Document]:
    """Documents whose tokens are not estimated yet: those of workspaces that are older than the estimate."""
    sql = f"SELECT {_ALL_COLUMNS} FROM document WHERE tokens IS NULL AND {IN_CORPUS} ORDER BY number LIMIT ?"
    return [_document(row) for row in database.rows(sql, [limit])]


def set_tokens(database: Database, tokens: Mapping[str, int]) -> None:
    """Keep the estimates, by document id."""
    sql = """
        UPDATE document SET tokens = found.tokens
        FROM (SELECT unnest(?::VARCHAR[]) AS id, unnest(?::INTEGER[]) AS tokens) AS found
        WHERE document.id = found.id
        """
    database.write(lambda cursor: cursor.execute(sql, [list(tokens), list(tokens.values())]).fetchall())


def filter_known_ids(database: Database, ids: Iterable[str]) -> set[str]:
    """Those of the ids that are stored."""
    return _fetch_known_ids(database.rows, ids)


def count_documents_with(database: Database, names: Sequence[str]) -> dict[str, int]:
    """In how many documents each of the words stands as written."""
    found: dict[str, int] = {}
    for piece in split_in_batches(dict.fromkeys(names)):
        columns = ", ".join(["count(*) FILTER (WHERE contains(text, ?))"] * len(piece))
        [row] = database.rows(f"SELECT {columns} FROM document WHERE {IN_CORPUS}", list(piece))
        found |= dict(zip(piece, row, strict=True))
    return found


def count_documents(database: Database) -> list[DocumentCount]:
    """Documents and characters by domain and language."""
    rows = database.rows(
        f"""
        SELECT domain, language, count(*), sum(characters)::BIGINT
        FROM document
        WHERE {IN_CORPUS}
        GROUP BY domain, language
        ORDER BY domain, language
        """
    )
    return [DocumentCount(*row) for row in rows]


def _fetch_known_ids(fetch: Fetch, ids: Iterable[str]) -> set[str]:
    sql = "SELECT id FROM document WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    return {row[0] for piece in split_in_batches(ids) for row in fetch(sql, [piece])}


def _of_ids(database: Database, columns: str, ids: Iterable[str]) -> list[Document]:
    wanted = list(ids)
    sql = f"SELECT {columns} FROM document WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    found = {row[0]: _document(row) for piece in split_in_batches(dict.fromkeys(wanted)) for row in database.rows(sql, [piece])}
    return [found[one] for one in wanted if one in found]


def _query(columns: str, domain: str | None, language: str | None) -> tuple[str, list[str]]:
    given = [(name, value) for name, value in (("domain", domain), ("language", language)) if value is not None]
    where = " AND ".join([IN_CORPUS, *(f"{name} = ?" for name, _ in given)])
    return f"SELECT {columns} FROM document WHERE {where} ORDER BY number", [value for _, value in given]


def _document(row: tuple[Any, ...]) -> Document:
    return Document(*(*row[:8], from_json(row[8])))
