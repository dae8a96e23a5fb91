"""Store the original files of documents, for file formats whose pages the app can show. Releases do not contain these files."""

from collections.abc import Iterable, Iterator, Mapping

from store.engine.database import Cursor, Database

BYTES_PER_ROW = 2**20
_ROWS_PER_STATEMENT = 8


def insert(cursor: Cursor, files: Mapping[str, bytes]) -> None:
    """Store original files within the caller's transaction; the parameter is a dict from document id to bytes. A file that is
    already stored is not replaced."""
    for document, file in files.items():
        pieces = -(-len(file) // BYTES_PER_ROW)
        sql = "INSERT INTO original VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING document"
        if not cursor.execute(sql, [document, len(file), pieces]).fetchall():
            continue
        for first in range(0, pieces, _ROWS_PER_STATEMENT):
            numbers = range(first, min(first + _ROWS_PER_STATEMENT, pieces))
            cursor.execute(
                "INSERT INTO original_piece SELECT unnest(?::VARCHAR[]), unnest(?::BLOB[])",
                [[_key(document, n) for n in numbers], [file[n * BYTES_PER_ROW : (n + 1) * BYTES_PER_ROW] for n in numbers]],
            )


def add(database: Database, files: Mapping[str, bytes]) -> None:
    """Store the original files of documents that are already stored, in a separate transaction. Files that are already stored
    are not replaced."""
    database.write(lambda cursor: insert(cursor, files))


def filter_stored(database: Database, documents: Iterable[str]) -> set[str]:
    """Return the ids of the given documents that have a stored original file."""
    sql = "SELECT document FROM original"
    stored = database.read_cached("originals", ["original"], lambda: {row[0] for row in database.rows(sql)})
    return stored.intersection(documents)


def read(database: Database, document: str) -> Iterator[bytes]:
    """Yield the content of the document's original file in chunks of bytes, or nothing if no file is stored."""
    for (pieces,) in database.rows("SELECT pieces FROM original WHERE document = ?", [document]):
        for number in range(pieces):
            ((piece,),) = database.rows("SELECT bytes FROM original_piece WHERE key = ?", [_key(document, number)])
            yield piece


def _key(document: str, number: int) -> str:
    return f"{document}/{number}"
