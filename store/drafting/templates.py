"""Templates of questions and seasons in and out. A version of a template and a season never change; the newest version of a
template is the one in use."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from store.engine.columns import current_time, from_json, to_json
from store.engine.database import Database


class StoredTemplate(NamedTuple):
    """One version of a template."""

    version: str
    id: str
    record: Mapping[str, Any]
    saved_at: str
    versions: int
    """How many are kept under its id."""
    saved_by: str | None = None
    about: Mapping[str, Any] | None = None
    """agent, prompt, seed and calls, where an agent gave the words; None = it did not."""


class StoredSeason(NamedTuple):
    """One frozen draw."""

    id: str
    record: Mapping[str, Any]
    items: tuple[str, ...]
    made_at: str


def put(
    database: Database,
    id: str,
    version: str,
    record: Mapping[str, Any],
    by: str | None = None,
    about: Mapping[str, Any] | None = None,
) -> None:
    """Keep that version, and use it from now on. One that is kept already stays as it is, whoever saves it again."""
    sql = """
        INSERT INTO template (version, id, number, record, saved_at, saved_by, about)
        SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM template
        ON CONFLICT DO UPDATE SET number = excluded.number
        """
    row = [version, id, to_json(dict(record)), current_time(), by, None if about is None else to_json(dict(about))]
    database.write(lambda cursor: cursor.execute(sql, row).fetchall())


def list_templates(database: Database) -> list[StoredTemplate]:
    """Those in use, by id."""
    return _fetch_templates(database, "QUALIFY row_number() OVER (PARTITION BY id ORDER BY number DESC) = 1 ORDER BY id", [])


def list_versions(database: Database, id: str) -> list[StoredTemplate]:
    """All that are kept under that id, the one in use first."""
    return _fetch_templates(database, "WHERE id = ? ORDER BY number DESC", [id])


def load_versions(database: Database, versions: Sequence[str]) -> list[StoredTemplate]:
    """Those versions, in that order. Raises BenchError on one that is not here."""
    found = {
        one.version: one
        for one in _fetch_templates(database, "WHERE version IN (SELECT unnest(?::VARCHAR[]))", [list(versions)])
    }
    missing = [version for version in versions if version not in found]
    if missing:
        raise BenchError(f"No version {missing[0]} of a template is in this workspace: save the template again.")
    return [found[version] for version in versions]


def get(database: Database, id: str) -> StoredTemplate:
    """The one in use under that id. Raises BenchError when there is none."""
    found = list_templates(database)
    for one in found:
        if one.id == id:
            return one
    raise BenchError(f"No template {id}: there are {', '.join(one.id for one in found) or 'none'}.")


def retire(database: Database, id: str) -> None:
    """Every version of it is out of use; items keep theirs."""
    database.write(lambda cursor: cursor.execute("DELETE FROM template WHERE id = ?", [id]).fetchall())


def _fetch_templates(database: Database, which: str, values: Sequence[Any]) -> list[StoredTemplate]:
    sql = f"""
        SELECT version, id, record, saved_at, count(*) OVER (PARTITION BY id), saved_by, about
        FROM template
        {which}
        """
    return [
        StoredTemplate(version, id, from_json(record), at, versions, by, from_json(about))
        for version, id, record, at, versions, by, about in database.rows(sql, values)
    ]


def put_season(database: Database, id: str, record: Mapping[str, Any], items: Sequence[str]) -> None:
    """Keep a season; one that is there stays as it is."""
    sql = "INSERT INTO season VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
    database.write(lambda cursor: cursor.execute(sql, [id, to_json(dict(record)), to_json(list(items)), current_time()]))


def list_seasons(database: Database) -> list[StoredSeason]:
    """All of them, newest first."""
    rows = database.rows("SELECT id, record, items, made_at FROM season ORDER BY made_at DESC, id")
    return [StoredSeason(row[0], from_json(row[1]), tuple(from_json(row[2])), row[3]) for row in rows]


def get_season(database: Database, id: str) -> StoredSeason:
    """Raises BenchError when it is not here."""
    for one in list_seasons(database):
        if one.id == id:
            return one
    raise BenchError(f"No season {id} in this workspace: look at the list of seasons.")
