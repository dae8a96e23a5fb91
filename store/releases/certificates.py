"""Store and load shortcut certificates, which record the questions of a release that a system can answer without understanding
them. A certificate never changes; if a release has several, the newest counts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.errors import BenchError
from core.installation import COMMAND
from core.nouns import Span
from store.engine.columns import Timestamp, current_time, from_json, insert_row, insert_rows
from store.engine.database import Cursor, Database

ANY = "any"
"""Name under which the results of all shortcuts together are stored."""
_CERTIFICATE = "id, release, release_hash, settings, seed, made_by, made_at"
_RESULT = "item, shortcut, agent, is_right, chance, answer, why, failed, document, start, stop"


@dataclass(frozen=True, slots=True)
class Certificate:
    """Shortcut certificate: the result of one search for shortcuts in a release, with its settings."""

    id: str
    release: str
    release_hash: str
    settings: Mapping[str, Any]
    """Settings of the search as JSON values: shortcuts, agents, offline (the agents without an LLM), threshold, passages,
    chunk_tokens and runs."""
    seed: int
    """Seed for the random choice of the other questions whose gold answers measure chance."""
    by: str
    at: Timestamp = ""


class StoredResult(NamedTuple):
    """Result of one shortcut on one question."""

    item: str
    shortcut: str
    agent: str
    """Name of the agent that the shortcut asked; "" if it asked none."""
    is_right: bool | None
    chance: float | None
    answer: str | None
    """The answer, if it was not taken from a document of the corpus."""
    why: str
    has_failed: bool
    span: Span | None = None
    """Span of the document that the answer was taken from."""


def add(database: Database, new: Certificate, results: Iterable[StoredResult]) -> None:
    """Store a certificate with its results."""
    rows = [
        (new.id, *result[:8], *((span.document, span.start, span.end) if (span := result.span) else (None, None, None)))
        for result in results
    ]

    def write(cursor: Cursor) -> None:
        row = (new.id, new.release, new.release_hash, new.settings, new.seed, new.by, current_time())
        insert_row(cursor, "certificate", _CERTIFICATE, row, is_numbered=True)
        insert_rows(cursor, "shortcut_result", f"certificate, {_RESULT}", rows, conflict=None)

    database.write(write)


def list_certificates(database: Database, release: str | None = None) -> list[Certificate]:
    """Return the certificates of a release, or of all releases, newest first."""
    sql = f"SELECT {_CERTIFICATE} FROM certificate WHERE ? IS NULL OR release = ? ORDER BY number DESC"
    return [_read_certificate(row) for row in database.rows(sql, [release, release])]


def find_newest(database: Database, release_hash: str) -> Certificate | None:
    """Return the newest certificate for the release content with this hash, or None if there is none."""
    if not database.has_any("certificate"):
        return None
    sql = f"SELECT {_CERTIFICATE} FROM certificate WHERE release_hash = ? ORDER BY number DESC LIMIT 1"
    return next(map(_read_certificate, database.rows(sql, [release_hash])), None)


def get(database: Database, id_: str) -> Certificate:
    """Return the certificate with this id. Raises BenchError if there is none."""
    rows = database.rows(f"SELECT {_CERTIFICATE} FROM certificate WHERE id = ?", [id_])
    if not rows:
        raise BenchError(f"No certificate has the id {id_}: `{COMMAND} certificate list` lists them.")
    return _read_certificate(rows[0])


def load_results(database: Database, id_: str, items: Sequence[str] | None = None) -> list[StoredResult]:
    """Return the results of a certificate for the given items, or for all items, sorted by item, shortcut and agent."""
    sql = f"""SELECT {_RESULT} FROM shortcut_result
    WHERE certificate = ? AND (?::VARCHAR[] IS NULL OR list_contains(?::VARCHAR[], item)) ORDER BY item, shortcut, agent"""
    wanted = None if items is None else list(items)
    return database.build_rows(_read_result, sql, [id_, wanted, wanted])


def list_flagged(database: Database, id_: str, shortcuts: Sequence[str] = (ANY,)) -> list[str]:
    """Return the sorted ids of the items that at least one of these shortcuts answered according to the certificate."""
    sql = """SELECT DISTINCT item FROM shortcut_result
    WHERE certificate = ? AND list_contains(?::VARCHAR[], shortcut) AND is_right ORDER BY item"""
    return [item for (item,) in database.rows(sql, [id_, list(shortcuts)])]


def count_answered(database: Database, id_: str) -> dict[str, int]:
    """Return a dict from shortcut to the number of items that it answered with at least one agent; shortcuts that answered no
    item are left out."""
    sql = "SELECT shortcut, count(DISTINCT item) FROM shortcut_result WHERE certificate = ? AND is_right GROUP BY 1 ORDER BY 1"
    return dict(database.rows(sql, [id_]))


def _read_certificate(row: tuple[Any, ...]) -> Certificate:
    id_, release, release_hash, settings, *rest = row
    return Certificate(id_, release, release_hash, from_json(settings), *rest)


def _read_result(row: tuple[Any, ...]) -> StoredResult:
    item, shortcut, agent, is_right, chance, answer, why, has_failed, document, start, stop = row
    span = None if document is None else Span(document, start, stop)
    return StoredResult(item, shortcut, agent, is_right, chance, answer, why, has_failed, span)
