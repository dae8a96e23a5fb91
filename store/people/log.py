"""The log: what was done in the workspace and what was refused, by whom and when. Rows are added, never changed."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from store.engine.columns import current_time, from_json, replace_surrogates, to_json
from store.engine.database import Cursor, Database

ONCE_A = timedelta(minutes=1)
"""The same refusal of the same person is one line in this time: a page asks again each time that it is drawn."""
_ALL_COLUMNS = "number, made_at, person, act, what, details, is_refused"


class LogLine(NamedTuple):
    """One thing that was done or refused."""

    number: int
    at: str
    """UTC, ISO format."""
    person: str | None
    """None = the terminal."""
    act: str
    what: str
    details: Mapping[str, Any]
    is_refused: bool


class LogFilter(NamedTuple):
    """Which lines; nothing given = all."""

    people: tuple[str | None, ...] = ()
    """None = the terminal."""
    acts: tuple[str, ...] = ()
    day: date | None = None
    """UTC."""


def add(
    database: Database,
    person: str | None,
    act: str,
    what: str,
    details: Mapping[str, Any] | None = None,
    is_refused: bool = False,
) -> None:
    """Put it on record. The same refusal again within ONCE_A adds nothing."""
    at = current_time()
    row = [
        at,
        None if person is None else replace_surrogates(person),
        act,
        replace_surrogates(what),
        to_json(dict(details or {})),
        is_refused,
    ]
    since = (datetime.fromisoformat(at) - ONCE_A).isoformat(timespec="milliseconds")

    def write(cursor: Cursor) -> None:
        cursor.execute(
            """
            INSERT INTO log (number, made_at, person, act, what, details, is_refused)
            SELECT (SELECT coalesce(max(number), 0) + 1 FROM log), $1, $2, $3, $4, $5, $6
            WHERE NOT $6 OR NOT EXISTS (
                SELECT 1 FROM log
                WHERE is_refused AND person IS NOT DISTINCT FROM $2 AND act = $3 AND what = $4 AND made_at > $7
            )
            """,
            [*row, since],
        )

    database.write(write)


def load_page(database: Database, wanted: LogFilter, limit: int, offset: int = 0) -> list[LogLine]:
    """So many lines, the newest first."""
    where, params = _build_filter(wanted)
    sql = f"SELECT {_ALL_COLUMNS} FROM log {where} ORDER BY number DESC LIMIT ? OFFSET ?"
    return [_line(row) for row in database.rows(sql, [*params, limit, offset])]


def count(database: Database, wanted: LogFilter) -> int:
    """How many such lines there are."""
    where, params = _build_filter(wanted)
    return int(database.rows(f"SELECT count(*) FROM log {where}", params)[0][0])


def stream_lines(database: Database, wanted: LogFilter, at_once: int = 5000) -> Iterator[LogLine]:
    """All such lines, the newest first, read in pieces."""
    where, params = _build_filter(wanted)
    last = 2**31 - 1
    sql = f"SELECT {_ALL_COLUMNS} FROM log {where} {'AND' if where else 'WHERE'} number < ? ORDER BY number DESC LIMIT ?"
    while rows := database.rows(sql, [*params, last, at_once]):
        yield from map(_line, rows)
        last = rows[-1][0]


def list_choices(database: Database) -> tuple[list[str | None], list[str]]:
    """(persons, None = the terminal; acts) that there are lines of."""
    people = database.rows("SELECT DISTINCT person FROM log ORDER BY lower(person) NULLS FIRST, person")
    acts = database.rows("SELECT DISTINCT act FROM log ORDER BY act")
    return [row[0] for row in people], [row[0] for row in acts]


def _build_filter(wanted: LogFilter) -> tuple[str, list[Any]]:
    parts: list[str] = []
    params: list[Any] = []
    if wanted.people:
        parts.append(f"({' OR '.join('person IS NOT DISTINCT FROM ?' for _ in wanted.people)})")
        params += wanted.people
    if wanted.acts:
        parts.append("act IN (SELECT unnest(?::VARCHAR[]))")
        params.append(list(wanted.acts))
    if wanted.day is not None:
        parts.append("made_at >= ? AND made_at < ?")
        params += [wanted.day.isoformat(), (wanted.day + timedelta(days=1)).isoformat()]
    return f"WHERE {' AND '.join(parts)}" if parts else "", params


def _line(row: tuple[Any, ...]) -> LogLine:
    number, at, person, act, what, details, is_refused = row
    return LogLine(number, at, person, act, what, from_json(details), is_refused)
