"""Store questions about web pages that people are writing and have not finished. The values of the form's fields are stored
exactly as typed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from store.engine.columns import Timestamp, current_time, decode_json, to_json
from store.engine.database import Database

_COLUMNS = "id, person, content, saved_at"


@dataclass(frozen=True, slots=True)
class WebDraft:
    """A question about web pages that its author has not submitted yet."""

    id: str
    person: str
    content: Mapping[str, Any]
    """Dict from form field to its typed value; `pages` is the list of web pages, sorted by rank."""
    saved_at: Timestamp = ""


def put(database: Database, draft: WebDraft) -> None:
    """Store the unfinished question about web pages, replacing the stored draft with the same id."""
    sql = f"""
        INSERT INTO web_draft ({_COLUMNS}) VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET content = excluded.content, saved_at = excluded.saved_at
        """
    database.execute(sql, [draft.id, draft.person, to_json(draft.content), draft.saved_at or current_time()])


def list_drafts_of(database: Database, person: str) -> list[WebDraft]:
    """Return the person's unfinished questions about web pages, newest first."""
    sql = f"SELECT {_COLUMNS} FROM web_draft WHERE person = ? ORDER BY saved_at DESC, id"
    return [WebDraft(*decode_json(row, 2)) for row in database.rows(sql, [person])]


def get(database: Database, id_: str) -> WebDraft | None:
    """Return the unfinished question about web pages with the given id, or None if there is none."""
    rows = database.rows(f"SELECT {_COLUMNS} FROM web_draft WHERE id = ?", [id_])
    return WebDraft(*decode_json(rows[0], 2)) if rows else None


def drop(database: Database, id_: str) -> None:
    """Delete the unfinished question about web pages with the given id."""
    database.execute("DELETE FROM web_draft WHERE id = ?", [id_])
