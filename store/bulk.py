"""Many items at once: what each one is before it is changed, the change itself, and what became of it. All of it is read and
written in sets within a transaction of the caller's, so that a few hundred items hold nobody's press up."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.nouns import Item, Review
from store import items, leases, opinions
from store.columns import Fetch, fetching, from_json, in_pieces
from store.database import Cursor, Database
from store.queue import WAITING
from store.review_rows import COLUMNS, insert, review_of
from store.reviews import STATUS
from store.standing import STANDS, standing


class Ground(NamedTuple):
    """One item, as far as a bulk action looks at it for one person."""

    item: Item
    """As it is now."""
    wanted: int
    given: int
    held_by: str
    """Somebody else who keeps the person from it; "" = nobody."""
    own: str
    """What the person's opinion on it says that stands while it waits; "" = none."""
    given_to: tuple[str, ...]
    """Whom it was given to by name."""
    is_decided: bool
    """A decision on it stands; not so of one that came in accepted."""

    @property
    def is_for_several(self) -> bool:
        """The next decision on it is one of several opinions."""
        return self.item.status == WAITING and (self.wanted > 1 or self.given > 0)


class Piece(NamedTuple):
    """What became of one item."""

    item: str
    why: str
    """Why it was left out; "" = it was changed."""
    before: tuple[str, ...] = ()
    """Whom it had been given to, where that was taken back."""


def grounds(fetch: Fetch, wanted: Sequence[str], person: str, at: str) -> list[Ground]:
    """Those items in that order; unknown ones are left out."""
    found: list[Ground] = []
    for piece in in_pieces(wanted):
        among = "IN (SELECT unnest(?::VARCHAR[]))"
        states = {row[0]: row[1:] for row in fetch(f"SELECT item, wanted, given FROM state WHERE item {among}", [piece])}
        held = leases.kept_from(fetch, piece, person, at)
        own: dict[str, str] = dict(fetch(
            f"SELECT o.item, r.decision FROM opinion o JOIN review r ON r.id = o.review WHERE o.person = ? AND o.item {among}",
            [person, piece],
        ))  # fmt: skip
        given_to: dict[str, list[str]] = {}
        for item, name in fetch(f"SELECT item, person FROM assignment WHERE item {among} ORDER BY person", [piece]):
            given_to.setdefault(item, []).append(name)
        sql = f"WITH {STANDS} SELECT DISTINCT item FROM stands WHERE role <> 'opinion' AND item {among}"
        decided = {row[0] for row in fetch(sql, [piece])}
        found += [
            Ground(one, states[one.id][0], states[one.id][1], held.get(one.id, ""), own.get(one.id, ""),
                   tuple(given_to.get(one.id, ())), one.id in decided)
            for one in items.current(fetch, piece)
        ]  # fmt: skip
    return found


def decide(cursor: Cursor, reviews: Sequence[Review], found: Mapping[str, Ground]) -> None:
    """Store a decision on each of those items: an opinion where several people are wanted. What the person has typed on one and
    not submitted stays."""
    plain = [review for review in reviews if not found[review.item].is_for_several]
    for review in reviews:
        if found[review.item].is_for_several:
            leases.done(cursor, review.person, review.item)
            opinions.give(cursor, review, found[review.item].item, None)
    insert(cursor, plain)
    ids = [review.item for review in plain]
    for person in {review.person for review in plain}:
        leases.done_with(cursor, person, [review.item for review in plain if review.person == person])
    for table in ("opinion", "assignment"):
        cursor.execute(f"DELETE FROM {table} WHERE item IN (SELECT unnest(?::VARCHAR[]))", [ids])
    cursor.execute(
        """
        UPDATE state SET status = n.status, given = 0
        FROM (SELECT unnest(?::VARCHAR[]) AS item, unnest(?::VARCHAR[]) AS status) n
        WHERE state.item = n.item
        """,
        [ids, [STATUS[review.decision] for review in plain]],
    )


def take_back(cursor: Cursor, undos: Sequence[Review]) -> None:
    """Store those undos; each item is again what its reviews that stand make of it."""
    insert(cursor, undos)
    for item in dict.fromkeys(undo.item for undo in undos):
        _follow(cursor, item)


def touched(fetch: Fetch, made: Mapping[str, str]) -> set[str]:
    """The items that were reviewed after that review (item -> its id), and what that one settled by itself."""
    rows = fetch(
        """
        WITH own AS (
            SELECT unnest(?::VARCHAR[]) AS item, unnest(?::VARCHAR[]) AS id
        )
        SELECT DISTINCT r.item
        FROM own o
        JOIN review m ON m.id = o.id
        JOIN review r ON r.item = o.item AND r.number > m.number AND r.id <> o.id || ':settled'
        """,
        [list(made), list(made.values())],
    )
    return {row[0] for row in rows}


def there(fetch: Fetch, ids: Sequence[str]) -> set[str]:
    """Those of the review ids that there are."""
    return {row[0] for row in fetch("SELECT id FROM review WHERE id IN (SELECT unnest(?::VARCHAR[]))", [list(ids)])}


def pieces(database: Database, job: str) -> list[Piece]:
    """What became of each item so far, in order."""
    rows = database.rows("SELECT key, result FROM job_item WHERE job = ? AND state = 'done' ORDER BY number", [job])
    return [_piece(key, from_json(result)) for key, result in rows]


def tally(database: Database, jobs: Sequence[str]) -> dict[str, dict[str, int]]:
    """Job -> why -> items; "" = changed."""
    rows = database.rows(
        """
        SELECT job, json_extract_string(result, '$.why') AS why, count(*)
        FROM job_item
        WHERE job IN (SELECT unnest(?::VARCHAR[])) AND state = 'done'
        GROUP BY job, why
        ORDER BY job, count(*) DESC, why
        """,
        [list(jobs)],
    )
    found: dict[str, dict[str, int]] = {job: {} for job in jobs}
    for job, why, n in rows:
        found[job][why] = n
    return found


def result_of(piece: Piece) -> dict[str, Any]:
    """As the job keeps it."""
    return {"why": piece.why, "before": list(piece.before)}


def _piece(key: str, result: Mapping[str, Any]) -> Piece:
    return Piece(key, result["why"], tuple(result["before"]))


def _follow(cursor: Cursor, item: str) -> None:
    fetch = fetching(cursor)
    revision = opinions.base_revision(fetch, item)
    made = [review_of(row) for row in fetch(f"SELECT {COLUMNS} FROM review WHERE item = ? ORDER BY number", [item])]
    deciding = [r for r in standing(made) if r.role != "opinion" and r.revision == revision]
    status = items.go_back(cursor, item, revision, STATUS[deciding[-1].decision] if deciding else None)
    if status == WAITING:
        opinions.recount(cursor, item)
    else:
        opinions.decided(cursor, item, status)
