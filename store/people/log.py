"""Store the log: every action in the workspace, and every action that was refused, with person and time. Rows are never changed
or deleted."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from store.engine.columns import Timestamp, current_time, decode_json, to_json
from store.engine.database import Database

REFUSAL_INTERVAL = timedelta(minutes=1)
"""Time within which repeated refusals of the same person give only one log line, because a page tries again each time it is
drawn."""
_COLUMNS = "number, made_at, person, act, what, details, is_refused"


class LogLine(NamedTuple):
    """One line of the log: an action that a person performed or was not allowed to perform."""

    number: int
    at: Timestamp
    person: str | None
    """Name of the person, or None for the terminal."""
    act: str
    what: str
    details: Mapping[str, Any]
    is_refused: bool


class LogFilter(NamedTuple):
    """Conditions that log lines must fulfil to be listed; the default values select every line."""

    people: tuple[str | None, ...] = ()
    """Names of people, None for the terminal; an empty tuple selects everyone."""
    acts: tuple[str, ...] = ()
    day: date | None = None
    """Day in UTC, or None for any day."""


def add(
    database: Database,
    person: str | None,
    act: str,
    what: str,
    details: Mapping[str, Any] | None = None,
    is_refused: bool = False,
) -> None:
    """Add a line to the log. A refusal is not added if an equal refusal was added within the last REFUSAL_INTERVAL."""
    at = current_time()
    since = (datetime.fromisoformat(at) - REFUSAL_INTERVAL).isoformat(timespec="milliseconds")
    sql = f"""
        INSERT INTO log ({_COLUMNS})
        SELECT (SELECT coalesce(max(number), 0) + 1 FROM log), $1, $2, $3, $4, $5, $6
        WHERE NOT $6 OR NOT EXISTS (
            SELECT 1 FROM log
            WHERE is_refused AND person IS NOT DISTINCT FROM $2 AND act = $3 AND what = $4 AND made_at > $7
        )
        """
    database.execute(sql, [at, person, act, what, to_json(details or {}), is_refused, since])


def load_page(database: Database, wanted: LogFilter, limit: int, offset: int = 0) -> list[LogLine]:
    """Return at most `limit` log lines that match the filter, newest first."""
    where, params = _build_filter(wanted)
    sql = f"SELECT {_COLUMNS} FROM log {where} ORDER BY number DESC LIMIT ? OFFSET ?"
    return [_line_from_row(row) for row in database.rows(sql, [*params, limit, offset])]


def count(database: Database, wanted: LogFilter) -> int:
    """Return the number of log lines that match the filter."""
    where, params = _build_filter(wanted)
    return int(database.rows(f"SELECT count(*) FROM log {where}", params)[0][0])


def stream_lines(database: Database, wanted: LogFilter, batch_size: int = 5000) -> Iterator[LogLine]:
    """Yield all log lines that match the filter, newest first; the lines are read in batches."""
    where, params = _build_filter(wanted)
    last = 2**31 - 1
    sql = f"SELECT {_COLUMNS} FROM log {where} {'AND' if where else 'WHERE'} number < ? ORDER BY number DESC LIMIT ?"
    while rows := database.rows(sql, [*params, last, batch_size]):
        yield from map(_line_from_row, rows)
        last = rows[-1][0]


def list_choices(database: Database) -> tuple[list[str | None], list[str]]:
    """Return (all people, all actions) in the log, as options of the selection boxes. None in the list of people stands for
    actions at the terminal."""
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


def _line_from_row(row: tuple[Any, ...]) -> LogLine:
    return LogLine(*decode_json(row, 5))
