"""Store and load question templates and seasons, which are random draws of template questions. Template versions and seasons
never change; the newest version of a template is the one in use."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.errors import BenchError
from store.engine.columns import Timestamp, current_time, decode_json, from_json, to_json
from store.engine.database import Database


class StoredTemplate(NamedTuple):
    """One stored version of a question template."""

    version: str
    id: str
    record: Mapping[str, Any]
    saved_at: Timestamp
    versions: int
    """Number of stored versions of the same template."""
    saved_by: str | None = None
    about: Mapping[str, Any] | None = None
    """How an agent made the template: {agent, prompt, seed, calls}; None if a person made it."""


class StoredSeason(NamedTuple):
    """One stored season: a random draw of questions from templates."""

    id: str
    record: Mapping[str, Any]
    items: tuple[str, ...]
    made_at: Timestamp


def put(
    database: Database,
    id: str,
    version: str,
    record: Mapping[str, Any],
    by: str | None = None,
    about: Mapping[str, Any] | None = None,
) -> None:
    """Store a version of the question template and make it the version in use. If the version is already stored, its record
    does not change."""
    sql = """
        INSERT INTO template (version, id, number, record, saved_at, saved_by, about)
        SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM template
        ON CONFLICT DO UPDATE SET number = excluded.number
        """
    about_text = None if about is None else to_json(about)
    database.execute(sql, [version, id, to_json(record), current_time(), by, about_text])


def list_templates(database: Database) -> list[StoredTemplate]:
    """Return the version in use of every question template, sorted by template id."""
    return _fetch_templates(database, "QUALIFY row_number() OVER (PARTITION BY id ORDER BY number DESC) = 1 ORDER BY id", [])


def list_versions(database: Database, id: str) -> list[StoredTemplate]:
    """Return all versions of the question template with the given id, the version in use first."""
    return _fetch_templates(database, "WHERE id = ? ORDER BY number DESC", [id])


def load_versions(database: Database, versions: Sequence[str]) -> list[StoredTemplate]:
    """Return the question template versions with the given version ids, in that order. Raises BenchError if a version is not
    stored."""
    stored = _fetch_templates(database, "WHERE version IN (SELECT unnest(?::VARCHAR[]))", [list(versions)])
    by_version = {template.version: template for template in stored}
    if missing := [version for version in versions if version not in by_version]:
        raise BenchError(f"No template version {missing[0]} in this workspace: save the template again.")
    return [by_version[version] for version in versions]


def get(database: Database, id: str) -> StoredTemplate:
    """Return the version in use of the question template. Raises BenchError if no template has the given id."""
    templates = {template.id: template for template in list_templates(database)}
    if id not in templates:
        raise BenchError(f"No template {id}; the stored templates are: {', '.join(templates) or 'none'}.")
    return templates[id]


def retire(database: Database, id: str) -> None:
    """Delete every version of the question template; the items that were made from it stay."""
    database.execute("DELETE FROM template WHERE id = ?", [id])


def _fetch_templates(database: Database, where: str, values: Sequence[Any]) -> list[StoredTemplate]:
    columns = "version, id, record, saved_at, count(*) OVER (PARTITION BY id), saved_by, about"
    return [StoredTemplate(*decode_json(row, 2, 6)) for row in database.rows(f"SELECT {columns} FROM template {where}", values)]


def put_season(database: Database, id: str, record: Mapping[str, Any], items: Sequence[str]) -> None:
    """Store a season (a random draw of template questions) with the ids of its items. A season that is already stored does not
    change."""
    sql = "INSERT INTO season VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
    database.execute(sql, [id, to_json(record), to_json(list(items)), current_time()])


def list_seasons(database: Database) -> list[StoredSeason]:
    """Return all seasons (random draws of template questions), newest first."""
    rows = database.rows("SELECT id, record, items, made_at FROM season ORDER BY made_at DESC, id")
    return [StoredSeason(id, from_json(record), tuple(from_json(items)), at) for id, record, items, at in rows]


def get_season(database: Database, id: str) -> StoredSeason:
    """Return the season (a random draw of template questions) with the given id. Raises BenchError if no season has the given
    id."""
    for season in list_seasons(database):
        if season.id == id:
            return season
    raise BenchError(f"No season {id} in this workspace: choose one from the list of seasons.")
