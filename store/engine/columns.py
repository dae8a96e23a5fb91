"""How values stand in columns: JSON as text, spans as JSON, levels as words; and how many rows go in with one statement."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from urllib.parse import quote

import duckdb

from core.nouns import Level, Span

ROWS = 2000
"""Rows in one statement, at most."""
CHARACTERS = 16_000_000
"""Characters of text in one statement, about: what is in one is held several times in memory."""
_SURROGATES = re.compile("[\ud800-\udfff]")

Fetch = Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]
"""A query and its parameters -> all rows: Database.rows, or a transaction's cursor by way of `fetching`."""


def fetch_from(cursor: duckdb.DuckDBPyConnection) -> Fetch:
    """Queries within a transaction: they see what it has written."""
    return lambda sql, params: cursor.execute(sql, list(params)).fetchall()


def current_time() -> str:
    """UTC, ISO format."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def replace_surrogates(text: str) -> str:
    """The text with each lone surrogate replaced: UTF-8, and so the store, cannot hold one. Keeps every offset."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def pair_key(person: str, item: str) -> str:
    """One column's key for a person and an item: a slash within a name is escaped, so that no two pairs are one."""
    return f"{quote(replace_surrogates(person), safe='')}/{replace_surrogates(item)}"


def to_json(value: Any) -> str:
    return replace_surrogates(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def from_json(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def spans_to_json(spans: Sequence[Span]) -> str:
    return to_json([[s.document, s.start, s.end] for s in spans])


def spans_from_json(text: str) -> tuple[Span, ...]:
    return tuple(Span(*triple) for triple in json.loads(text))


def level_to_text(level: Level) -> str | None:
    """1 and "1" both stand as 1, so that a command line need not tell them apart."""
    return None if level is None else str(level)


def level_from_text(text: str | None) -> Level:
    return int(text) if text is not None and text.isdigit() else text


def insert_rows(
    cursor: duckdb.DuckDBPyConnection,
    table: str,
    columns: Mapping[str, str],
    rows: Iterable[Sequence[Any]],
    conflict: str = "DO NOTHING",
) -> None:
    """Insert rows as sets: one statement for up to ROWS of them, 20 times faster than one by one. `columns` maps names to
    types in the rows' order; `conflict` is what ON CONFLICT does."""
    names, types = ", ".join(columns), ", ".join(f"unnest(?::{kind}[])" for kind in columns.values())
    for batch in _batches(rows):
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT {types} ON CONFLICT {conflict}",
            [[replace_surrogates(v) if isinstance(v, str) else v for v in column] for column in zip(*batch, strict=True)],
        )


def insert_row(cursor: duckdb.DuckDBPyConnection, table: str, columns: Iterable[str], row: Sequence[Any]) -> None:
    """Insert one row whose key is known to be new: a third of what a set of one with ON CONFLICT costs."""
    names = list(columns)
    cursor.execute(
        f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
        [replace_surrogates(v) if isinstance(v, str) else v for v in row],
    )


def _batches(rows: Iterable[Sequence[Any]]) -> Iterable[list[Sequence[Any]]]:
    batch: list[Sequence[Any]] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(value) for value in row if isinstance(value, str))
        if len(batch) == ROWS or size > CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def build_in_condition(column: str, values: Sequence[str]) -> tuple[str, list[Any]]:
    """The condition that a column holds one of the values, and its parameters: one value is asked for by equality, which takes
    a third of the time."""
    return (f"{column} = ?", [values[0]]) if len(values) == 1 else (f"{column} IN (SELECT unnest(?::VARCHAR[]))", [values])


def split_in_batches(values: Iterable[str], size: int = ROWS) -> Iterable[list[str]]:
    """The values, at most `size` at a time: for queries with a list of ids."""
    rest = iter(values)
    while piece := list(islice(rest, size)):
        yield piece
