"""Convert Python values to database columns and back, and read and insert rows in batches."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeVar, cast
from urllib.parse import quote

import duckdb

from core.nouns import Level, Span

T = TypeVar("T")
Timestamp = str
"""Text of a time in UTC, in ISO format."""
Fetch = Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]
"""Type of a function that runs a SQL query with its parameters and returns all rows, such as `Database.rows`."""

MAX_ROWS = 2000
"""Maximum number of rows or parameters that one SQL statement gets."""
MAX_IDS = 16_000
"""Maximum number of ids that one query gets as a list."""
MAX_CHARACTERS = 16_000_000
"""Approximate maximum number of characters in the rows that one SQL statement inserts; DuckDB holds several copies of them in
memory."""
_SURROGATES = re.compile("[\ud800-\udfff]")


def fetch_from(cursor: duckdb.DuckDBPyConnection) -> Fetch:
    """Return a function that runs queries on the transaction's cursor, so that the queries see the uncommitted changes of the
    transaction."""
    return lambda sql, params: cursor.execute(sql, list(params)).fetchall()


def current_time() -> Timestamp:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def replace_surrogates(text: str) -> str:
    """Return the text with each lone surrogate (half of a UTF-16 character pair) replaced, because UTF-8 cannot encode
    surrogates. The positions of all other characters stay the same."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def clean_parameters(parameters: Iterable[Any]) -> list[Any]:
    """Return the parameters of a SQL statement with lone surrogates replaced, in texts and in lists of texts."""
    return [[_clean(element) for element in value] if isinstance(value, list) else _clean(value) for value in parameters]


def _clean(value: Any) -> Any:
    return replace_surrogates(value) if isinstance(value, str) else value


def pair_key(person: str, item: str) -> str:
    """Return a string key for a pair of a person and an item. Slashes in the person's name are escaped, so that different pairs
    never share a key."""
    return f"{quote(replace_surrogates(person), safe='')}/{replace_surrogates(item)}"


def to_json(value: Any) -> str:
    """Return the value as JSON text; a Span becomes [document, start, end]."""
    return replace_surrogates(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_to_plain))


def _to_plain(value: object) -> object:
    if isinstance(value, Span):
        return value.triple
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a value of type {type(value).__name__} cannot be stored as JSON")


def from_json(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def decode_json(row: Sequence[Any], *places: int) -> list[Any]:
    """Return the row with the values at the positions `places` decoded from JSON."""
    return [from_json(value) if place in places else value for place, value in enumerate(row)]


def spans_from_json(text: str) -> tuple[Span, ...]:
    return tuple(Span(*triple) for triple in json.loads(text))


def level_to_text(level: Level) -> str | None:
    """Return the level as the text that the database stores, or None if there is no level. The levels 1 and "1" are stored as
    the same text, because a command line cannot distinguish a number from its text."""
    return None if level is None else str(level)


def level_from_text(text: str | None) -> Level:
    return int(text) if text is not None and text.isdigit() else text


def last_number(fetch: Fetch, table: str) -> int:
    """Return the highest value of the column `number` in the table, or 0 if the table is empty."""
    return int(fetch(f"SELECT coalesce(max(number), 0) FROM {table}", [])[0][0])


def insert_rows(
    cursor: duckdb.DuckDBPyConnection,
    table: str,
    columns: str,
    rows: Iterable[Sequence[Any]],
    conflict: str | None = "DO NOTHING",
    *,
    is_numbered: bool = False,
) -> None:
    """Insert rows in batches, which is 20 times faster than one by one. `columns` lists the column names in SQL, in the order
    of the rows' values. `conflict` is the SQL after ON CONFLICT. None means that no key of the rows is stored yet; inserting a
    few rows is then three times faster. Mappings, lists and tuples are stored as JSON. With `is_numbered`, each row also gets
    the next free value in the table's column `number`."""
    if is_numbered:
        columns, last = f"{columns}, number", last_number(fetch_from(cursor), table)
        rows = ((*row, number) for number, row in enumerate(rows, last + 1))
    for batch in _split_by_size(map(_encode_row, rows)):
        values = ", ".join(["unnest(?)"] * len(batch[0]))
        sql = f"INSERT INTO {table} ({columns}) SELECT {values}"
        cursor.execute(
            f"{sql} ON CONFLICT {conflict}" if conflict else sql, [list(column) for column in zip(*batch, strict=True)]
        )


def insert_row(
    cursor: duckdb.DuckDBPyConnection, table: str, columns: str, row: Sequence[Any], *, is_numbered: bool = False
) -> None:
    """Insert one row with a key that is not stored yet. Inserting one row with this function takes a third of the time that
    `insert_rows` takes. With `is_numbered`, the row also gets the next free value in the table's column `number`, and `cursor`
    must be the writer's cursor."""
    values = _encode_row(row)
    if is_numbered:
        columns = f"{columns}, number"
        values.append(cast(Any, cursor).take_number(table))
    cursor.execute(f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(values))})", values)


def _encode_row(row: Sequence[Any]) -> list[Any]:
    return [to_json(value) if isinstance(value, Mapping | list | tuple) else _clean(value) for value in row]


def _split_by_size(rows: Iterable[list[Any]]) -> Iterator[list[list[Any]]]:
    batch: list[list[Any]] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(value) for value in row if isinstance(value, str))
        if len(batch) == MAX_ROWS or size > MAX_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def build_conditions(values: Mapping[str, Any]) -> tuple[list[str], list[Any]]:
    """Return (SQL conditions, their parameters) for a query of the rows in which each column equals its value in the dict
    `values`. A value of None adds no condition."""
    wanted = {column: value for column, value in values.items() if value is not None}
    return [f"{column} = ?" for column in wanted], list(wanted.values())


def build_in_condition(column: str, values: Sequence[str]) -> tuple[str, list[Any]]:
    """Return (SQL condition, its parameters) for a query of the rows in which the column equals one of the values. For a single
    value the condition is an equality test, which is three times faster."""
    return (f"{column} = ?", [values[0]]) if len(values) == 1 else (f"{column} IN (SELECT unnest(?::VARCHAR[]))", [values])


def split_in_batches(values: Iterable[T], size: int = MAX_ROWS) -> Iterator[list[T]]:
    """Yield the values in lists of at most `size` values."""
    rest = iter(values)
    while batch := list(islice(rest, size)):
        yield batch


def split_ids(ids: Iterable[T]) -> Iterator[list[T]]:
    """Yield ids in lists for one query each. The first list has MAX_ROWS ids, and each further one twice as many as the list
    before, up to MAX_IDS: every query reads its whole table, which takes quadratic time with short lists."""
    rest, size = iter(ids), MAX_ROWS
    while batch := list(islice(rest, size)):
        yield batch
        size = min(2 * size, MAX_IDS)


def fetch_in_batches(fetch: Fetch, sql: str, values: Iterable[str], *params: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query that has a list of ids as its last parameter. The query runs once for each batch of ids."""
    for batch in split_ids(values):
        yield from fetch(sql, [*params, batch])
