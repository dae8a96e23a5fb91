"""Reviews that were made in another workspace come in: append-only like all, in the order in which they were made. They count
from now on, as if those people had decided here just now: of an item's current revision the last one decides its status, and
what came in last is last."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.nouns import Review, Status
from store import opinions
from store.columns import Fetch, fetching, in_pieces
from store.database import Cursor, Database
from store.queue import WAITING
from store.review_rows import insert
from store.reviews import STATUS


class CameIn(NamedTuple):
    """What became of reviews from elsewhere."""

    added: list[str]
    already: list[str]
    """Ids that were there."""
    refused: list[tuple[str, str]]
    """(id, the end of a sentence that says why)."""


def bring_in(database: Database, found: Sequence[Review]) -> CameIn:
    """Store those of items and variants that are here, with the state that follows; the same ids again change nothing."""
    return database.write(lambda cursor: _bring_in(cursor, sorted(found, key=lambda r: (r.at, r.id))))


def _bring_in(cursor: Cursor, found: Sequence[Review]) -> CameIn:
    fetch = fetching(cursor)
    items = _revisions(fetch, "SELECT item, revision FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))", found)
    variants = _revisions(fetch, "SELECT id, revision FROM variant WHERE id IN (SELECT unnest(?::VARCHAR[]))", found)
    sql = "SELECT id, item, person, decision FROM review WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    stored = {row[0]: row[1:] for piece in in_pieces(r.id for r in found) for row in fetch(sql, [piece])}
    came = CameIn([], [], [])
    taken: list[Review] = []
    for review in found:
        known = items.get(review.item, variants.get(review.item))
        if review.id in stored:
            if stored[review.id] == (review.item, review.person, review.decision):
                came.already.append(review.id)
            else:
                came.refused.append((review.id, f"has the id {review.id} of another decision here"))
        elif known is None:
            came.refused.append((review.id, f"is on {review.item}, which is not in this workspace: import the items first"))
        elif review.revision > known:
            why = f"is on revision {review.revision} of {review.item}, which is at revision {known} here"
            came.refused.append((review.id, why))
        else:
            came.added.append(review.id)
            taken.append(review)
    insert(cursor, taken)
    deciding = [r for r in taken if r.role != "opinion"]
    _follow(cursor, "state", "item", {r.item: STATUS[r.decision] for r in deciding if r.revision == items.get(r.item)})
    _follow(cursor, "variant", "id", {r.item: STATUS[r.decision] for r in taken if r.item in variants})
    for (item,) in fetch("SELECT item FROM state WHERE status = ? AND item IN (SELECT unnest(?::VARCHAR[]))",
                         [WAITING, list({r.item for r in taken} - {r.item for r in deciding})]):  # fmt: skip
        opinions.recount(cursor, item)
    return came


def _follow(cursor: Cursor, table: str, key: str, last: Mapping[str, Status]) -> None:
    """The rows of that table take the status of the last decision on them."""
    cursor.execute(
        f"""
        UPDATE {table} SET status = came.status
        FROM (SELECT unnest(?::VARCHAR[]) AS one, unnest(?::VARCHAR[]) AS status) came
        WHERE {table}.{key} = came.one
        """,
        [list(last), list(last.values())],
    )


def _revisions(fetch: Fetch, sql: str, found: Sequence[Review]) -> Mapping[str, int]:
    """Item or variant -> its revision, of those that there are."""
    return {row[0]: row[1] for piece in in_pieces({r.item: None for r in found}) for row in fetch(sql, [piece])}
