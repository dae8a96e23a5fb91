"""Store and load comments on items. Rows are never changed or deleted: a withdrawn comment stays stored and is marked as
withdrawn."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from core.nouns import Comment
from store.engine.columns import Fetch, current_time, fetch_from, fetch_in_batches, insert_rows, replace_surrogates
from store.engine.database import Cursor, Database
from store.queue import leases
from store.queue.queue import WAITING_STATUS
from store.queue.state_row import fetch_state_row
from store.reviews import names, unsent_edits
from store.reviews.unsent_edits import UnsentEdit

EDIT_KIND = "comment"
"""Kind under which a comment that is not sent yet is stored among the unsent edits."""
_COMMENTS = """
    SELECT c.id, c.item, c.person, c.text, c.made_at, coalesce(b.made_at, '')
    FROM comment c LEFT JOIN comment b ON b.takes_back = c.id {and_of_mark}
    WHERE c.takes_back IS NULL
    """
"""SQL query for comments, each with the time when it was withdrawn, or "" if it was not."""
_ALL_COMMENTS = _COMMENTS.format(and_of_mark="")
NO_END = 2**31 - 1
"""A number larger than that of any comment, for queries without an upper limit."""


class ImportedComments(NamedTuple):
    """Result of importing comments: which comments were stored now, which were already stored, and which were refused."""

    added: list[str]
    already: list[str]
    """Ids of the imported comments that were stored before."""
    refused: list[tuple[str, str]]
    """Refused comments as (id, reason); the reason completes a sentence that begins with the comment."""


def add(database: Database, comment: Comment, tab: str = "") -> Comment | None:
    """Store the comment, and delete the unsent comment of the browser tab `tab`. Storing a comment with the same id again
    changes nothing. Return the comment stored under this id, or None if the item does not exist."""
    text, person = replace_surrogates(comment.text), replace_surrogates(comment.person)
    new = replace(comment, person=person, text=text, at=comment.at or current_time())

    def write(cursor: Cursor) -> Comment | None:
        fetch = fetch_from(cursor)
        subject = "SELECT 1 FROM state WHERE item = ? UNION ALL SELECT 1 FROM plant WHERE id = ?"
        if not fetch(subject, [new.item, new.item]):
            return None
        if not (stored := _fetch_comment(fetch, new.id)):
            _insert(cursor, [new])
        unsent_edits.forget_sent(cursor, UnsentEdit(new.person, new.item, 0, new.text, "", on=EDIT_KIND, tab=tab))
        return stored or new

    return database.write(write)


def take_back(database: Database, id_: str) -> Comment | None:
    """Mark the comment as withdrawn; marking the comment again changes nothing. Return the comment, or None if no comment has
    the given id."""
    at = current_time()

    def write(cursor: Cursor) -> Comment | None:
        comment = _fetch_comment(fetch_from(cursor), id_)
        if comment is None or comment.taken_back_at:
            return comment
        marked = replace(comment, taken_back_at=at)
        _mark(cursor, [marked])
        return marked

    return database.write(write)


def get(database: Database, id_: str) -> Comment | None:
    """Return the comment with the given id, or None if there is none."""
    return _fetch_comment(database.rows, id_)


def load_comments(database: Database, items: Iterable[str], up_to: int | None = None) -> list[Comment]:
    """Return all comments on the given items in the order in which they were written, including withdrawn ones. With `up_to`,
    return the comments as they were when the comment with that number was written."""
    if not database.has_any("comment"):
        return []
    sql = (
        _COMMENTS.format(and_of_mark="AND b.number <= ?")
        + """
        AND c.number <= ? AND c.item IN (SELECT unnest(?::VARCHAR[]))
        ORDER BY c.number
        """
    )
    up_to = NO_END if up_to is None else up_to
    return [Comment(*row) for row in fetch_in_batches(database.rows, sql, items, up_to, up_to)]


def search_comments(database: Database, words: str) -> list[Comment]:
    """Return the comments that contain the text `words` (ignoring case), newest first; withdrawn comments are left out."""
    if not database.has_any("comment"):
        return []
    sql = f"{_ALL_COMMENTS} AND b.id IS NULL AND contains(lower(c.text), lower(?)) ORDER BY c.number DESC"
    return [Comment(*row) for row in database.rows(sql, [words])]


def is_blind(database: Database, item: str, person: str) -> bool:
    """Check whether other people's comments on the item must be hidden from this person. Comments are hidden while the item
    waits for several opinions, until the person has given an opinion."""
    row = fetch_state_row(database, item)
    is_shared = row is not None and row.status == WAITING_STATUS and row.wanted > 1
    return is_shared and not leases.has_opinion(database, item, person)


def import_comments(database: Database, comments: Sequence[Comment]) -> ImportedComments:
    """Store comments from another workspace on items that are stored here. Of a comment that is already stored, only a later
    withdrawal is imported."""
    in_order = sorted(comments, key=lambda c: (c.at, c.id))

    def write(cursor: Cursor) -> ImportedComments:
        spelled = names.spell_names(cursor, (comment.person for comment in in_order))
        return _import_comments(cursor, [replace(comment, person=spelled[comment.person]) for comment in in_order])

    return database.write(write)


def _import_comments(cursor: Cursor, comments: Sequence[Comment]) -> ImportedComments:
    fetch = fetch_from(cursor)
    sql = "SELECT item FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))"
    items = {row[0] for row in fetch_in_batches(fetch, sql, dict.fromkeys(c.item for c in comments))}
    sql = f"{_ALL_COMMENTS} AND c.id IN (SELECT unnest(?::VARCHAR[]))"
    stored = {row[0]: Comment(*row) for row in fetch_in_batches(fetch, sql, (c.id for c in comments))}
    outcome = ImportedComments([], [], [])
    for comment in comments:
        before = stored.get(comment.id)
        if before is not None and (before.item, before.person, before.text) != (comment.item, comment.person, comment.text):
            outcome.refused.append((comment.id, f"has the id {comment.id} of another comment here"))
        elif before is not None:
            outcome.already.append(comment.id)
        elif comment.item not in items:
            why = f"is on {comment.item}, which is not in this workspace: import the items first"
            outcome.refused.append((comment.id, why))
        else:
            outcome.added.append(comment.id)
    added, already = set(outcome.added), set(outcome.already)
    _insert(cursor, [c for c in comments if c.id in added])
    _mark(cursor, [c for c in comments if c.taken_back_at and c.id in already and not stored[c.id].taken_back_at])
    return outcome


def _insert(cursor: Cursor, comments: Sequence[Comment]) -> None:
    """Store the comments in the given order, and mark withdrawn comments."""
    rows = ((c.id, c.item, c.person, c.text, None, c.at) for c in comments)
    _insert_rows(cursor, rows)
    _mark(cursor, [c for c in comments if c.taken_back_at])


def _mark(cursor: Cursor, comments: Sequence[Comment]) -> None:
    """Record that each of the given comments was withdrawn."""
    _insert_rows(cursor, ((f"back:{c.id}", c.item, c.person, "", c.id, c.taken_back_at) for c in comments))


def _insert_rows(cursor: Cursor, rows: Iterable[tuple[str | None, ...]]) -> None:
    insert_rows(cursor, "comment", "id, item, person, text, takes_back, made_at", rows, is_numbered=True)


def _fetch_comment(fetch: Fetch, id_: str) -> Comment | None:
    rows = fetch(f"{_ALL_COMMENTS} AND c.id = ?", [id_])
    return Comment(*rows[0]) if rows else None
