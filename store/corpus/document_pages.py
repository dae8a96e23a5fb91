"""Load the data of the app's corpus pages: the document list, counts, token statistics, and parts of one text. SQL sorts,
searches and counts, so that a large corpus loads as fast as a small one."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from store.corpus.documents import IN_CORPUS
from store.engine.columns import Timestamp, build_conditions, decode_json
from store.engine.database import Database

SORTS: Mapping[str, str] = MappingProxyType(
    {
        "newest": "number DESC",
        "oldest": "number",
        "title": "lower(title), number",
        "longest": "characters DESC, number",
        "shortest": "characters, number",
    }
)
"""Sort orders of the document list: a dict from the order's name to its SQL."""
_SAME_TITLE = f"lower(title) IN (SELECT lower(title) FROM document WHERE {IN_CORPUS} GROUP BY lower(title) HAVING count(*) > 1)"


class DocumentRow(NamedTuple):
    """One row of the document list: a document without its text."""

    id: str
    title: str
    domain: str
    language: str
    licence: str | None
    origin: str
    published: str | None
    meta: dict[str, Any]
    characters: int
    tokens: int | None
    """Estimated number of tokens of the document, or None if not yet counted."""
    removed_at: Timestamp | None = None
    """Time of the document's removal from the corpus, or None if it was not removed."""


class DocumentFilter(NamedTuple):
    """Conditions that documents must fulfil to be listed; a field with its default value matches every document."""

    search: str = ""
    """Text that the document's title must contain; "" matches any title."""
    domain: str | None = None
    language: str | None = None
    licence: str | None = None
    """Licence that a document must have; "" selects the documents without a licence."""
    same_title: bool = False
    """Whether to list only documents that share their title with another document."""


class CorpusSize(NamedTuple):
    """Numbers of documents and estimated tokens of the corpus, or of its documents in one domain and language."""

    domain: str
    language: str
    documents: int
    tokens: int | None
    """Total of the estimated tokens of the counted documents, or None if no document is counted."""
    median: float | None
    p90: float | None
    longest: int | None
    uncounted: int
    unlicensed: int


_COLUMNS = "id, title, domain, language, licence, origin, published, meta, characters, tokens, removed_at"
_SIZE = """count(*), sum(tokens)::BIGINT, median(tokens), quantile_cont(tokens, .9), max(tokens), count(*) - count(tokens),
    count(*) FILTER (WHERE coalesce(licence, '') = '')"""


def load_page(
    database: Database, only: DocumentFilter, sort: str = "newest", limit: int = 50, offset: int = 0
) -> list[DocumentRow]:
    """Return at most `limit` rows of the document list after the first `offset`. `sort` is a name in SORTS."""
    where, values = _build_filter(only)
    sql = f"SELECT {_COLUMNS} FROM document WHERE {where} ORDER BY {SORTS[sort]} LIMIT ? OFFSET ?"
    return [_document_from_row(row) for row in database.rows(sql, [*values, limit, offset])]


def count(database: Database, only: DocumentFilter) -> int:
    """Return how many documents the filter selects."""
    where, values = _build_filter(only)
    return int(database.rows(f"SELECT count(*) FROM document WHERE {where}", values)[0][0])


def list_ids(database: Database, only: DocumentFilter | None = None) -> list[str]:
    """Return the ids of the documents that match the filter, in the order in which they were added."""
    where, values = _build_filter(only or DocumentFilter())
    return [id for (id,) in database.rows(f"SELECT id FROM document WHERE {where} ORDER BY number", values)]


def load_heading(database: Database, document: str) -> DocumentRow | None:
    """Return the document without its text, or None if no document has the given id."""
    rows = database.rows(f"SELECT {_COLUMNS} FROM document WHERE id = ?", [document])
    return _document_from_row(rows[0]) if rows else None


def load_stretch(database: Database, document: str, start: int, length: int) -> str:
    """Return `length` code points of the document's text from offset `start`; "" if the text is shorter than `start` or no
    document has the id."""
    sql = "SELECT substring(text, ?::BIGINT, ?::BIGINT) FROM document WHERE id = ?"
    rows = database.rows(sql, [start + 1, length, document])
    return str(rows[0][0]) if rows else ""


def load_sizes(database: Database) -> list[CorpusSize]:
    """Return the size of the corpus for each pair of domain and language."""
    sql = (
        f"SELECT domain, language, {_SIZE} FROM document WHERE {IN_CORPUS} GROUP BY domain, language ORDER BY domain, language"
    )
    return [CorpusSize(*row) for row in database.rows(sql)]


def load_size(database: Database) -> CorpusSize:
    """Return the size of the whole corpus, with "" as its domain and language."""
    return CorpusSize("", "", *database.rows(f"SELECT {_SIZE} FROM document WHERE {IN_CORPUS}")[0])


def fingerprint(database: Database) -> tuple[Any, ...]:
    """Return a value that changes whenever the number of documents or tokens in the corpus may have changed."""
    changes = "(SELECT max(number) FROM document_change)"
    return database.rows(f"SELECT count(*), count(tokens), max(number), {changes} FROM document WHERE {IN_CORPUS}")[0]


def count_same_titles(database: Database) -> int:
    """Return how many documents share their title with another document, ignoring letter case."""
    return int(database.rows(f"SELECT count(*) FROM document WHERE {IN_CORPUS} AND {_SAME_TITLE}")[0][0])


def list_licences(database: Database) -> list[str]:
    """Return the distinct licences of the documents in the corpus."""
    sql = f"SELECT DISTINCT licence FROM document WHERE licence <> '' AND {IN_CORPUS} ORDER BY licence"
    return [licence for (licence,) in database.rows(sql)]


def list_items_of(database: Database, document: str, limit: int = 50) -> list[tuple[str, str, str, str]]:
    """Return (id, question, task, status) of each item that has evidence in the document, newest item first."""
    sql = """
        SELECT state.item, revision.question, state.task, state.status
        FROM state JOIN revision ON revision.key = state.item || '@' || state.revision
        WHERE contains(revision.evidence, ?)
        ORDER BY state.number DESC
        LIMIT ?
        """
    return [(item, question, task, status) for item, question, task, status in database.rows(sql, [document, limit])]


def _build_filter(only: DocumentFilter) -> tuple[str, list[Any]]:
    equal = {"domain": only.domain, "language": only.language, "coalesce(licence, '')": only.licence}
    conditions, values = build_conditions(equal)
    if only.search:
        conditions.append("contains(lower(title), lower(?))")
        values.append(only.search)
    if only.same_title:
        conditions.append(_SAME_TITLE)
    return " AND ".join([IN_CORPUS, *conditions]), values


def _document_from_row(row: tuple[Any, ...]) -> DocumentRow:
    return DocumentRow(*decode_json(row, 7))
