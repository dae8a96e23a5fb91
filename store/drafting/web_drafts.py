"""Questions on web pages that a person is writing: everything that the form holds, kept as it is typed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from store.engine.columns import current_time, from_json, to_json
from store.engine.database import Database


@dataclass(frozen=True, slots=True)
class WebDraft:
    """One that was not handed in yet."""

    id: str
    person: str
    content: Mapping[str, Any]
    """By the form's fields; `pages` = its pages by rank."""
    saved_at: str = ""
    """UTC, ISO format."""


def put(database: Database, draft: WebDraft) -> None:
    """Keep it; what was there of it is replaced."""
    sql = """
        INSERT INTO web_draft VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET content = excluded.content, saved_at = excluded.saved_at
        """
    row = [draft.id, draft.person, to_json(dict(draft.content)), draft.saved_at or current_time()]
    database.write(lambda cursor: cursor.execute(sql, row).fetchall())


def list_drafts_of(database: Database, person: str) -> list[WebDraft]:
    """Everything that the person is writing, the newest first."""
    sql = "SELECT id, person, content, saved_at FROM web_draft WHERE person = ? ORDER BY saved_at DESC, id"
    return [WebDraft(id_, name, from_json(content), at) for id_, name, content, at in database.rows(sql, [person])]


def get(database: Database, id_: str) -> WebDraft | None:
    """The draft; None when there is none of that id."""
    sql = "SELECT id, person, content, saved_at FROM web_draft WHERE id = ?"
    return next((WebDraft(i, name, from_json(content), at) for i, name, content, at in database.rows(sql, [id_])), None)


def drop(database: Database, id_: str) -> None:
    """It is no more."""
    database.write(lambda cursor: cursor.execute("DELETE FROM web_draft WHERE id = ?", [id_]).fetchall())
