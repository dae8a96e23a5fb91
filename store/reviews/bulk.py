"""Many items at once: what each one is before it is changed, the change itself, and what became of it. All of it is read and
written in sets within a transaction of the caller's, so that a few hundred items hold nobody's press up."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.nouns import Item, Review, Status
from store.engine.columns import Fetch, fetch_from, from_json, insert_rows, pair_key, split_in_batches
from store.engine.database import Cursor, Database
from store.items import frames, items
from store.queue import leases
from store.queue.effective_reviews import select_effective
from store.queue.queue import PHASED_TASKS, WAITING_STATUS
from store.reviews import opinions
from store.reviews.review_rows import COLUMNS, insert, review_of
from store.reviews.reviews import STATUS, filter_decided_in_phases


class BulkItem(NamedTuple):
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
    """A decision on it stands; not so of one that came in accepted. False where that was not looked up."""
    is_decided_in_phases: bool = False
    """The decision of two phases stands on it."""
    frame: str = ""
    """The words of the frame that it began as; "" = it began as none."""

    @property
    def is_in_phases(self) -> bool:
        """It waits for what people say of it in two phases."""
        return self.item.status == WAITING_STATUS and self.item.task in PHASED_TASKS

    @property
    def is_for_several(self) -> bool:
        """The next decision on it is one of several opinions."""
        return self.item.status == WAITING_STATUS and (self.wanted > 1 or self.given > 0)


class BulkOutcome(NamedTuple):
    """What became of one item."""

    item: str
    why: str
    """Why it was left out; "" = it was changed."""
    before: tuple[str, ...] = ()
    """Whom it had been given to, where that was taken back."""


def load_bulk_items(fetch: Fetch, wanted: Sequence[str], person: str, at: str, is_undoing: bool = False) -> list[BulkItem]:
    """Those items in that order; unknown ones are left out. Only with `is_undoing` it is looked up whether they are decided."""
    found: list[BulkItem] = []
    for piece in split_in_batches(wanted):
        among = "IN (SELECT unnest(?::VARCHAR[]))"
        states = {row[0]: row[1:] for row in fetch(f"SELECT item, wanted, given FROM state WHERE item {among}", [piece])}
        held = leases.find_blockers(fetch, piece, person, at)
        own: dict[str, str] = dict(
            fetch(
                f"SELECT o.item, r.decision FROM opinion o JOIN review r ON r.id = o.review WHERE o.person = ? AND "
                f"o.item {among}",
                [person, piece],
            )
        )
        given_to: dict[str, list[str]] = {}
        for item, name in fetch(f"SELECT item, person FROM assignment WHERE item {among} ORDER BY person", [piece]):
            given_to.setdefault(item, []).append(name)
        sql = f"SELECT {COLUMNS} FROM review WHERE item {among} ORDER BY number"
        made = select_effective([review_of(row) for row in fetch(sql, [piece])]) if is_undoing else []
        decided = {review.item for review in made if review.role != "opinion"}
        now = items.fetch_items(fetch, piece)
        phased = filter_decided_in_phases(fetch, [one.id for one in now if one.task in PHASED_TASKS])
        begun = frames.fetch_frames(fetch, piece)
        found += [
            BulkItem(
                one,
                states[one.id][0],
                states[one.id][1],
                held.get(one.id, ""),
                own.get(one.id, ""),
                tuple(given_to.get(one.id, ())),
                one.id in decided,
                one.id in phased,
                begun[one.id].answer if one.id in begun else "",
            )
            for one in now
        ]
    return found


def decide(cursor: Cursor, reviews: Sequence[Review], found: Mapping[str, BulkItem]) -> None:
    """Store a decision on each of those items: an opinion where several people are wanted. What the person has typed on one and
    not submitted stays."""
    plain = [review for review in reviews if not found[review.item].is_for_several]
    _give(cursor, [review for review in reviews if found[review.item].is_for_several], found)
    insert(cursor, plain)
    ids = [review.item for review in plain]
    for person in {review.person for review in plain}:
        leases.end_many_claims(cursor, person, [review.item for review in plain if review.person == person])
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
    _follow(cursor, list(dict.fromkeys(undo.item for undo in undos)))


def _give(cursor: Cursor, reviews: Sequence[Review], found: Mapping[str, BulkItem]) -> None:
    """As opinions.give, of many items: only those are settled one by one whose opinions are all in now."""
    if not reviews:
        return
    ids = [review.item for review in reviews]
    insert(cursor, [replace(review, role="opinion") for review in reviews])
    rows = [(pair_key(review.person, review.item), review.item, review.person, review.id) for review in reviews]
    insert_rows(cursor, "opinion", opinions.COLUMNS_OF_ONE, rows, "(key) DO UPDATE SET review = excluded.review")
    given = cursor.execute(
        """
        UPDATE state SET given = n.given
        FROM (SELECT item, count(*) AS given FROM opinion WHERE item IN (SELECT unnest(?::VARCHAR[])) GROUP BY item) n
        WHERE state.item = n.item
        RETURNING state.item, state.given
        """,
        [ids],
    ).fetchall()
    full = {item for item, n in given if n >= found[item].wanted}
    for person in {review.person for review in reviews}:
        leases.end_many_claims(cursor, person, [review.item for review in reviews if review.person == person])
    for review in reviews:
        if review.item in full:
            opinions.settle_items(cursor, [review.item], review.person, review.at, "unanimous")


def list_touched_items(fetch: Fetch, made: Mapping[str, str]) -> set[str]:
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


def filter_known_ids(fetch: Fetch, ids: Sequence[str]) -> set[str]:
    """Those of the review ids that there are."""
    return {row[0] for row in fetch("SELECT id FROM review WHERE id IN (SELECT unnest(?::VARCHAR[]))", [list(ids)])}


def load_outcomes(database: Database, job: str) -> list[BulkOutcome]:
    """What became of each item so far, in order."""
    rows = database.rows("SELECT key, result FROM job_item WHERE job = ? AND state = 'done' ORDER BY number", [job])
    return [_piece(key, from_json(result)) for key, result in rows]


def count_outcomes(database: Database, jobs: Sequence[str]) -> dict[str, dict[str, int]]:
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


def outcome_result(piece: BulkOutcome) -> dict[str, Any]:
    """As the job keeps it."""
    return {"why": piece.why, "before": list(piece.before)}


def _piece(key: str, result: Mapping[str, Any]) -> BulkOutcome:
    return BulkOutcome(key, result["why"], tuple(result["before"]))


def _follow(cursor: Cursor, wanted: Sequence[str]) -> None:
    """The kept rows of those items, made anew from their reviews."""
    fetch = fetch_from(cursor)
    made: dict[str, list[Review]] = {item: [] for item in wanted}
    for row in fetch(f"SELECT {COLUMNS} FROM review WHERE item IN (SELECT unnest(?::VARCHAR[])) ORDER BY number", [wanted]):
        made[row[1]].append(review_of(row))
    revisions: dict[str, dict[int, int | None]] = {item: {} for item in wanted}
    sql = "SELECT item, revision, base FROM revision WHERE item IN (SELECT unnest(?::VARCHAR[]))"
    for item, revision, base in fetch(sql, [wanted]):
        revisions[item][revision] = base
    going: list[tuple[str, int, Status | None]] = []
    for item in wanted:
        stand = select_effective(made[item])
        revision = opinions.find_base(revisions[item], stand)
        deciding = [r for r in stand if r.role != "opinion" and r.revision == revision]
        going.append((item, revision, STATUS[deciding[-1].decision] if deciding else None))
    status = items.restore_revisions(cursor, going)
    over = [item for item in wanted if status[item] != WAITING_STATUS]
    for table in ("opinion", "assignment"):
        cursor.execute(f"DELETE FROM {table} WHERE item IN (SELECT unnest(?::VARCHAR[]))", [over])
    cursor.execute("UPDATE state SET given = 0 WHERE given > 0 AND item IN (SELECT unnest(?::VARCHAR[]))", [over])
    for item in wanted:
        if status[item] == WAITING_STATUS and any(review.role == "opinion" for review in made[item]):
            opinions.recount(cursor, item)
