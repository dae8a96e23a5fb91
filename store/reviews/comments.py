"""Comments in and out: what people say about an item, append-only. One that was taken back is marked so, and stays."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from core.nouns import Comment
from store.engine.columns import Fetch, current_time, fetch_from, insert_rows, pair_key, replace_surrogates, split_in_batches
from store.engine.database import Cursor, Database
from store.queue.queue import WAITING_STATUS
from store.reviews import names, unsent_edits
from store.reviews.unsent_edits import UnsentEdit

SCRATCH_KIND = "comment"
"""What a comment's scratch is on."""
_COLUMNS = {
    "id": "VARCHAR",
    "number": "INTEGER",
    "item": "VARCHAR",
    "person": "VARCHAR",
    "text": "VARCHAR",
    "takes_back": "VARCHAR",
    "made_at": "VARCHAR",
}
NO_END = 2**31 - 1
_SAID = """
    SELECT c.id, c.item, c.person, c.text, c.made_at, coalesce(b.made_at, '')
    FROM comment c
    LEFT JOIN comment b ON b.takes_back = c.id
    WHERE c.takes_back IS NULL
    """


class ImportedComments(NamedTuple):
    """What comments from elsewhere came to."""

    added: list[str]
    already: list[str]
    """Ids that were there."""
    refused: list[tuple[str, str]]
    """(id, the end of a sentence that says why)."""


def add(database: Database, comment: Comment, tab: str = "") -> Comment | None:
    """Store it, and forget what that tab of its person's kept of it; the same id again stores nothing. Returns what is stored
    under that id, None when there is no such item."""
    made = replace(
        comment,
        person=replace_surrogates(comment.person),
        text=replace_surrogates(comment.text),
        at=comment.at or current_time(),
    )

    def write(cursor: Cursor) -> Comment | None:
        fetch = fetch_from(cursor)
        known = "SELECT 1 FROM state WHERE item = ? UNION ALL SELECT 1 FROM plant WHERE id = ?"
        if not fetch(known, [made.item, made.item]):
            return None
        if not (stored := _of_id(fetch, made.id)):
            _insert(cursor, [made])
        unsent_edits.forget_sent(cursor, UnsentEdit(made.person, made.item, 0, made.text, "", on=SCRATCH_KIND, tab=tab))
        return stored or made

    return database.write(write)


def take_back(database: Database, id_: str) -> Comment | None:
    """Mark that comment; again changes nothing. Returns it, None when there is none."""
    at = current_time()

    def write(cursor: Cursor) -> Comment | None:
        found = _of_id(fetch_from(cursor), id_)
        if found is None or found.taken_back_at:
            return found
        marked = replace(found, taken_back_at=at)
        _mark(cursor, [marked])
        return marked

    return database.write(write)


def get(database: Database, id_: str) -> Comment | None:
    """The comment of that id; None when there is none."""
    return _of_id(database.rows, id_)


def load_comments(database: Database, items: Iterable[str], up_to: int | None = None) -> list[Comment]:
    """All on those items, in the order they were made, the taken back ones too. With `up_to` as it was when that number was the
    last."""
    if not database.has_any("comment"):
        return []
    up_to = NO_END if up_to is None else up_to
    sql = """
        SELECT c.id, c.item, c.person, c.text, c.made_at, coalesce(b.made_at, '')
        FROM comment c
        LEFT JOIN comment b ON b.takes_back = c.id AND b.number <= ?
        WHERE c.takes_back IS NULL AND c.number <= ? AND c.item IN (SELECT unnest(?::VARCHAR[]))
        ORDER BY c.number
        """
    return [Comment(*row) for piece in split_in_batches(items) for row in database.rows(sql, [up_to, up_to, piece])]


def search_comments(database: Database, words: str) -> list[Comment]:
    """Those that hold these words in any case, the newest first; not those that were taken back."""
    if not database.has_any("comment"):
        return []
    sql = f"{_SAID} AND b.id IS NULL AND contains(lower(c.text), lower(?)) ORDER BY c.number DESC"
    return [Comment(*row) for row in database.rows(sql, [replace_surrogates(words)])]


def is_blind(database: Database, item: str, person: str) -> bool:
    """Whether several people are wanted on that item, which waits, and this person has given no opinion yet."""
    sql = """
        SELECT 1
        FROM state
        WHERE item = ? AND status = ? AND wanted > 1 AND NOT EXISTS (SELECT 1 FROM opinion WHERE key = ?)
        """
    return bool(database.rows(sql, [item, WAITING_STATUS, pair_key(person, item)]))


def import_comments(database: Database, found: Sequence[Comment]) -> ImportedComments:
    """Store those of items that are here, as they were made elsewhere; the same ids again change nothing but what was taken
    back since."""
    in_order = sorted(found, key=lambda c: (c.at, c.id))

    def write(cursor: Cursor) -> ImportedComments:
        known = names.spell_names(cursor, (one.person for one in in_order))
        return _bring_in(cursor, [replace(one, person=known[one.person]) for one in in_order])

    return database.write(write)


def _bring_in(cursor: Cursor, found: Sequence[Comment]) -> ImportedComments:
    fetch = fetch_from(cursor)
    sql = "SELECT item FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))"
    items = {row[0] for piece in split_in_batches({c.item: None for c in found}) for row in fetch(sql, [piece])}
    sql = f"{_SAID} AND c.id IN (SELECT unnest(?::VARCHAR[]))"
    stored = {row[0]: Comment(*row) for piece in split_in_batches(c.id for c in found) for row in fetch(sql, [piece])}
    came = ImportedComments([], [], [])
    for comment in found:
        known = stored.get(comment.id)
        if known is not None and (known.item, known.person, known.text) != (comment.item, comment.person, comment.text):
            came.refused.append((comment.id, f"has the id {comment.id} of another comment here"))
        elif known is not None:
            came.already.append(comment.id)
        elif comment.item not in items:
            why = f"is on {comment.item}, which is not in this workspace: import the items first"
            came.refused.append((comment.id, why))
        else:
            came.added.append(comment.id)
    new = {*came.added}
    _insert(cursor, [c for c in found if c.id in new])
    again = {*came.already}
    _mark(cursor, [c for c in found if c.taken_back_at and c.id in again and not stored[c.id].taken_back_at])
    return came


def _insert(cursor: Cursor, comments: Sequence[Comment]) -> None:
    """Store them in this order, with their marks."""
    last = _last_number(cursor)
    insert_rows(
        cursor,
        "comment",
        _COLUMNS,
        ((c.id, number, c.item, c.person, c.text, None, c.at) for number, c in enumerate(comments, last + 1)),
    )
    _mark(cursor, [c for c in comments if c.taken_back_at])


def _mark(cursor: Cursor, comments: Sequence[Comment]) -> None:
    last = _last_number(cursor)
    insert_rows(
        cursor,
        "comment",
        _COLUMNS,
        ((f"back:{c.id}", number, c.item, c.person, "", c.id, c.taken_back_at) for number, c in enumerate(comments, last + 1)),
    )


def _last_number(cursor: Cursor) -> int:
    (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM comment").fetchall()[0]
    return int(last)


def _of_id(fetch: Fetch, id_: str) -> Comment | None:
    rows = fetch(f"{_SAID} AND c.id = ?", [id_])
    return Comment(*rows[0]) if rows else None
