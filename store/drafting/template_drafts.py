"""Store question templates that are not finished: those that a person is writing and those that an agent proposed. The values
of the form's fields are stored exactly as typed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from store.engine.columns import Timestamp, current_time, decode_json, to_json
from store.engine.database import Database

_COLUMNS = "id, person, content, of, about, is_rejected, saved_at"
_INSERT = f"INSERT INTO template_draft ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class TemplateDraft:
    """A question template that is not finished, so that it is not saved as a version yet."""

    id: str
    person: str
    """Name of the person who is writing the template; "" if an agent proposed it and nobody has adopted it yet."""
    content: Mapping[str, Any]
    """The template as the fields of its form, as typed so far."""
    of: str = ""
    """Id of the existing template that the draft changes; "" if the draft is a new template."""
    about: Mapping[str, Any] | None = None
    """How an agent made the template: {agent, prompt, seed, calls, why}; None if a person made it."""
    is_rejected: bool = False
    saved_at: Timestamp = ""


def put(database: Database, draft: TemplateDraft) -> None:
    """Store the template draft, replacing the stored draft with the same id."""
    sql = f"""{_INSERT}
        ON CONFLICT (id) DO UPDATE SET person = excluded.person, content = excluded.content,
            is_rejected = excluded.is_rejected, saved_at = excluded.saved_at
        """
    database.execute(sql, _encode_draft(draft))


def propose(database: Database, drafts: Iterable[TemplateDraft]) -> list[str]:
    """Store those of an agent's template proposals that are new; return the ids of the newly stored drafts."""
    sql = f"{_INSERT} ON CONFLICT DO NOTHING RETURNING id"
    rows = [_encode_draft(draft) for draft in drafts]
    return database.write(lambda cursor: [i for row in rows for (i,) in cursor.execute(sql, row).fetchall()])


def list_drafts_of(database: Database, person: str) -> list[TemplateDraft]:
    """Return the template drafts of the person, newest first. If `person` is "", return the agents' proposals that nobody has
    adopted."""
    return _fetch_drafts(database, "WHERE person = ? AND NOT is_rejected ORDER BY saved_at DESC, id", person)


def list_drafts(database: Database) -> list[TemplateDraft]:
    """Return all template drafts, including those that a person rejected."""
    return _fetch_drafts(database, "ORDER BY saved_at, id")


def get(database: Database, id_: str) -> TemplateDraft | None:
    """Return the template draft with the given id, or None if there is none."""
    return next(iter(_fetch_drafts(database, "WHERE id = ?", id_)), None)


def drop(database: Database, id_: str) -> None:
    """Delete the template draft with the given id."""
    database.execute("DELETE FROM template_draft WHERE id = ?", [id_])


def _encode_draft(draft: TemplateDraft) -> list[Any]:
    about = None if draft.about is None else to_json(draft.about)
    at = draft.saved_at or current_time()
    return [draft.id, draft.person, to_json(draft.content), draft.of, about, draft.is_rejected, at]


def _fetch_drafts(database: Database, where: str, *params: str) -> list[TemplateDraft]:
    rows = database.rows(f"SELECT {_COLUMNS} FROM template_draft {where}", params)
    return [TemplateDraft(*decode_json(row, 2, 4)) for row in rows]
