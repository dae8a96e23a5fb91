"""Store and load control items: copies of accepted items with one injected error, or with none, which show how carefully people
review. Code that lists, counts, searches or releases items never reads the tables of control items. In these tables, control
items have the older name `plant`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.nouns import Item, Level, Span
from store.engine.columns import Timestamp, decode_json, insert_rows, level_from_text
from store.engine.database import Database
from store.items import items

_COLUMNS = "id, source, revision, flaw, words, truth, seed, made_by, made_at"


@dataclass(frozen=True, slots=True)
class ControlItem:
    """One stored control item. The id looks like that of an ordinary item, so that reviewers cannot tell the two apart."""

    id: str
    source: str
    """Id of the item that the control item copies."""
    revision: int
    """Revision of the source item that was copied."""
    injected_error: str
    """Name of the kind of error that was injected, for example a changed number."""
    question: str
    answers: tuple[str, ...]
    evidence: tuple[Span, ...]
    gone: str
    """Text of the source item that the injected error replaced."""
    put: str
    """Text with the injected error, which took the place of `gone`."""
    why: str
    """Sentence that tells the reviewer what the injected error is."""
    seed: int
    by: str
    """Name of the person who started the creation of the control item."""
    at: Timestamp


class AvailableControl(NamedTuple):
    """A control item with the fields from which the queue chooses control items for a person."""

    id: str
    source: str
    injected_error: str
    task: str
    level: Level
    domain: str
    language: str
    document: str | None
    """Id of the first document that the source item was drafted from, or None if there is none."""
    agent: str | None
    """Name of the agent that drafted the source item, or None if no agent drafted it."""


def add(database: Database, controls: Sequence[ControlItem]) -> None:
    """Store the control items, except those with an id that is already stored."""

    rows = [
        (
            *(c.id, c.source, c.revision, c.injected_error),
            {"question": c.question, "answers": c.answers, "evidence": c.evidence},
            {"gone": c.gone, "put": c.put, "why": c.why},
            *(c.seed, c.by, c.at),
        )
        for c in controls
    ]
    database.write(lambda cursor: insert_rows(cursor, "plant", _COLUMNS, rows, is_numbered=True))


def get(database: Database, control: str) -> ControlItem | None:
    """Return the control item with the given id, or None if there is none."""
    if not is_control_item(database, control):
        return None
    [row] = database.rows(f"SELECT {_COLUMNS} FROM plant WHERE id = ?", [control])
    id_, source, revision, kind, words, truth, seed, by, at = decode_json(row, 4, 5)
    answers, evidence = tuple(words["answers"]), tuple(Span(*span) for span in words["evidence"])
    error = (truth["gone"], truth["put"], truth["why"])
    return ControlItem(id_, source, revision, kind, words["question"], answers, evidence, *error, seed, by, at)


def is_control_item(database: Database, id_: str) -> bool:
    """Check whether the id belongs to a control item."""
    return id_ in database.read_cached("plants", ["plant"], lambda: {row[0] for row in database.rows("SELECT id FROM plant")})


def load_source(database: Database, control: ControlItem) -> Item:
    """Return the accepted item that the control item copies, with its text at the time of the copy."""
    return items.fetch_revisions(database.rows, [(control.source, control.revision, "accepted")])[0]


def count_wanted_people(database: Database, control: ControlItem) -> int:
    """Return how many people had to review the item that the control item copies."""
    rows = database.rows("SELECT wanted FROM state WHERE item = ?", [control.source])
    return int(rows[0][0]) if rows else 1


def build_item(control: ControlItem, source: Item) -> Item:
    """Return the control item in the form of a drafted item; it looks like its source item but has the injected error in its
    text."""
    return replace(
        source,
        id=control.id,
        revision=1,
        status="drafted",
        question=control.question,
        answers=control.answers,
        evidence=control.evidence,
    )


def list_available(database: Database) -> list[AvailableControl]:
    """Return the control items whose source item is still accepted and has not changed since the copy, oldest first."""
    rows = database.rows(
        """
        SELECT p.id, p.source, p.flaw, r.task, r.level, r.domain, r.language,
            s.document, CASE r.provenance ->> '$.origin' WHEN 'drafted' THEN r.provenance ->> '$.agent' END
        FROM plant p
        JOIN state s ON s.item = p.source AND s.revision = p.revision AND s.status = 'accepted'
        JOIN revision r ON r.key = p.source || '@' || p.revision
        ORDER BY p.number
        """
    )
    return [AvailableControl(*(*row[:4], level_from_text(row[4]), *row[5:])) for row in rows]


def list_uncopied_items(database: Database, seed: int, limit: int) -> list[Item]:
    """Return at most `limit` accepted items that have no control item yet, in a random order that the seed determines."""
    rows = database.rows(
        """
        SELECT item, revision, status
        FROM state
        WHERE status = 'accepted' AND item NOT IN (SELECT source FROM plant)
        ORDER BY md5(item || ?), item
        LIMIT ?
        """,
        [str(seed), limit],
    )
    return items.fetch_revisions(database.rows, rows)


def load_questions(database: Database, ids: Sequence[str]) -> dict[str, str]:
    """Return a dict from control item id to its question. Ids are left out if they belong to no control item."""
    rows = database.rows("SELECT id, words ->> '$.question' FROM plant WHERE id IN (SELECT unnest(?::VARCHAR[]))", [list(ids)])
    return dict(rows)


def list_decided_items(database: Database, person: str) -> set[str]:
    """Return the ids of the items that the person decided on. Control items made from these items are unsuitable for this
    person, who knows the correct text."""
    return {row[0] for row in database.rows("SELECT DISTINCT item FROM review WHERE person = ?", [person])}
