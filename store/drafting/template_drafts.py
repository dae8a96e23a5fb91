"""Templates on their way: what a person is writing, and what an agent proposed. Everything that the form holds is kept as it is
typed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from store.engine.columns import current_time, from_json, to_json
from store.engine.database import Database

_COLUMNS = "id, person, of, content, about, is_rejected, saved_at"


@dataclass(frozen=True, slots=True)
class TemplateDraft:
    """One that is no template yet."""

    id: str
    person: str
    """"" = proposed, and taken up by nobody."""
    content: Mapping[str, Any]
    """A template's record, as far as it is written."""
    of: str = ""
    """Id of the template that it changes; "" = a new one."""
    about: Mapping[str, Any] | None = None
    """agent, prompt, seed, calls and why, where an agent gave the words."""
    is_rejected: bool = False
    saved_at: str = ""
    """UTC, ISO format."""


def put(database: Database, draft: TemplateDraft) -> None:
    """Keep it; what was there of it is replaced."""
    sql = f"""
        INSERT INTO template_draft ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET person = excluded.person, content = excluded.content,
            is_rejected = excluded.is_rejected, saved_at = excluded.saved_at
        """
    database.write(lambda cursor: cursor.execute(sql, _row(draft)).fetchall())


def propose(database: Database, drafts: Iterable[TemplateDraft]) -> list[str]:
    """Keep those that were never proposed before; returns their ids."""
    sql = f"INSERT INTO template_draft ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id"
    rows = [_row(draft) for draft in drafts]
    return database.write(lambda cursor: [i for row in rows for (i,) in cursor.execute(sql, row).fetchall()])


def list_drafts_of(database: Database, person: str) -> list[TemplateDraft]:
    """Everything that the person is writing, the newest first; "" = what waits for somebody."""
    sql = f"SELECT {_COLUMNS} FROM template_draft WHERE person = ? AND NOT is_rejected ORDER BY saved_at DESC, id"
    return [_draft(row) for row in database.rows(sql, [person])]


def list_drafts(database: Database) -> list[TemplateDraft]:
    """All of them, those that were turned down too."""
    return [_draft(row) for row in database.rows(f"SELECT {_COLUMNS} FROM template_draft ORDER BY saved_at, id", [])]


def get(database: Database, id_: str) -> TemplateDraft | None:
    """The draft; None when there is none of that id."""
    return next((_draft(row) for row in database.rows(f"SELECT {_COLUMNS} FROM template_draft WHERE id = ?", [id_])), None)


def drop(database: Database, id_: str) -> None:
    """It is no more."""
    database.write(lambda cursor: cursor.execute("DELETE FROM template_draft WHERE id = ?", [id_]).fetchall())


def _row(draft: TemplateDraft) -> list[Any]:
    about = None if draft.about is None else to_json(dict(draft.about))
    return [
        draft.id,
        draft.person,
        draft.of,
        to_json(dict(draft.content)),
        about,
        draft.is_rejected,
        draft.saved_at or current_time(),
    ]


def _draft(row: tuple[Any, ...]) -> TemplateDraft:
    id_, person, of, content, about, is_rejected, at = row
    return TemplateDraft(id_, person, from_json(content), of, from_json(about), is_rejected, at)
