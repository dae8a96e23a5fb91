"""Templates of questions and seasons in and out. A version of a template and a season never change; the newest version of a
template is the one in use."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from store.columns import from_json, now, to_json
from store.database import Database


class StoredTemplate(NamedTuple):
    """One version of a template."""

    version: str
    id: str
    record: Mapping[str, Any]
    saved_at: str
    versions: int
    """How many are kept under its id."""


class StoredSeason(NamedTuple):
    """One frozen draw."""

    id: str
    record: Mapping[str, Any]
    items: tuple[str, ...]
    made_at: str


def put(database: Database, id: str, version: str, record: Mapping[str, Any]) -> None:
    """Keep that version, and use it from now on."""
    sql = """
        INSERT INTO template SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ? FROM template
        ON CONFLICT DO UPDATE SET number = excluded.number
        """
    database.write(lambda cursor: cursor.execute(sql, [version, id, to_json(dict(record)), now()]))


def every(database: Database) -> list[StoredTemplate]:
    """Those in use, by id."""
    sql = """
        SELECT version, id, record, saved_at, count(*) OVER (PARTITION BY id) FROM template
        QUALIFY row_number() OVER (PARTITION BY id ORDER BY number DESC) = 1
        ORDER BY id
        """
    return [StoredTemplate(row[0], row[1], from_json(row[2]), *row[3:]) for row in database.rows(sql)]


def get(database: Database, id: str) -> StoredTemplate:
    """The one in use under that id. Raises BenchError when there is none."""
    found = every(database)
    for one in found:
        if one.id == id:
            return one
    raise BenchError(f"No template {id}: there are {', '.join(one.id for one in found) or 'none'}.")


def put_season(database: Database, id: str, record: Mapping[str, Any], items: Sequence[str]) -> None:
    """Keep a season; one that is there stays as it is."""
    sql = "INSERT INTO season VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
    database.write(lambda cursor: cursor.execute(sql, [id, to_json(dict(record)), to_json(list(items)), now()]))


def seasons(database: Database) -> list[StoredSeason]:
    """All of them, newest first."""
    rows = database.rows("SELECT id, record, items, made_at FROM season ORDER BY made_at DESC, id")
    return [StoredSeason(row[0], from_json(row[1]), tuple(from_json(row[2])), row[3]) for row in rows]


def season(database: Database, id: str) -> StoredSeason:
    """Raises BenchError when it is not here."""
    for one in seasons(database):
        if one.id == id:
            return one
    raise BenchError(f"No season {id} in this workspace: look at the list of seasons.")
