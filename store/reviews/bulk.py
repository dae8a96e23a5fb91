"""Carry out bulk actions: check the state of each item, store the change, and report what happened to the item. Each query
handles many items within the caller's transaction, so that an action on a few hundred items does not delay other people's
work."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.nouns import Item, Review, Status
from store.engine.columns import Fetch, fetch_from, from_json, insert_rows, pair_key, split_ids
from store.engine.database import Cursor, Database
from store.items import frames, items
from store.queue import leases
from store.queue.effective_reviews import select_effective
from store.queue.queue import PHASED_TASKS, WAITING_STATUS
from store.reviews import opinions
from store.reviews.review_rows import COLUMNS, insert, review_from_row
from store.reviews.reviews import STATUS, filter_decided_in_phases


class BulkItem(NamedTuple):
    """State of one item, which is checked before one person's bulk action changes the item."""

    item: Item
    """The item to be changed, with its current text and status."""
    wanted: int
    given: int
    held_by: str
    """Name of another person who has the item open, so that this person may not change it; "" if nobody has."""
    own: str
    """The person's own decision in an opinion on an item that waits for further opinions; "" if the person has given none."""
    given_to: tuple[str, ...]
    """Names of people to whom the item is assigned."""
    is_decided: bool
    """Whether the item has a decision that is in effect. False if the item was imported as accepted, or if decisions were not
    looked up."""
    is_decided_in_phases: bool = False
    """Whether the item's decision was made in a review with two phases."""
    frame: str = ""
    """The drafted answer, if it has blanks that a person must fill in; otherwise ""."""

    @property
    def is_in_phases(self) -> bool:
        """Check whether the item waits for a review in two phases."""
        return self.item.status == WAITING_STATUS and self.item.task in PHASED_TASKS

    @property
    def is_for_several(self) -> bool:
        """Check whether the next decision on the item counts as one of several people's opinions."""
        return self.item.status == WAITING_STATUS and (self.wanted > 1 or self.given > 0)


class BulkOutcome(NamedTuple):
    """The outcome of a bulk action for one item."""

    item: str
    why: str
    """Reason why the bulk action skipped the item; "" if the action changed the item."""
    before: tuple[str, ...] = ()
    """Names of the people who lost their assignment to the item through the bulk action."""


def load_bulk_items(fetch: Fetch, wanted: Sequence[str], person: str, at: str, is_undoing: bool = False) -> list[BulkItem]:
    """Return the current state of each given item for the checks of a bulk action, in the order of the items. Unknown items are
    left out. `is_decided` is looked up only if `is_undoing` is true."""
    bulk_items: list[BulkItem] = []
    for piece in split_ids(wanted):
        among = "IN (SELECT unnest(?::VARCHAR[]))"
        states = {row[0]: row[1:] for row in fetch(f"SELECT item, wanted, given FROM state WHERE item {among}", [piece])}
        held = leases.find_blockers(fetch, piece, person, at)
        sql = f"SELECT o.item, r.decision FROM opinion o JOIN review r ON r.id = o.review WHERE o.person = ? AND o.item {among}"
        own: dict[str, str] = dict(fetch(sql, [person, piece]))
        given_to: dict[str, list[str]] = {}
        for item, name in fetch(f"SELECT item, person FROM assignment WHERE item {among} ORDER BY person", [piece]):
            given_to.setdefault(item, []).append(name)
        sql = f"SELECT {COLUMNS} FROM review WHERE item {among} ORDER BY number"
        effective = select_effective([review_from_row(row) for row in fetch(sql, [piece])]) if is_undoing else []
        decided = {review.item for review in effective if review.role != "opinion"}
        current = items.fetch_items(fetch, piece)
        phased = filter_decided_in_phases(fetch, [item.id for item in current if item.task in PHASED_TASKS])
        begun_as = frames.fetch_frames(fetch, piece)
        bulk_items += [
            BulkItem(
                item,
                wanted=states[item.id][0],
                given=states[item.id][1],
                held_by=held.get(item.id, ""),
                own=own.get(item.id, ""),
                given_to=tuple(given_to.get(item.id, ())),
                is_decided=item.id in decided,
                is_decided_in_phases=item.id in phased,
                frame=begun_as[item.id].answer if item.id in begun_as else "",
            )
            for item in current
        ]
    return bulk_items


def decide(cursor: Cursor, reviews: Sequence[Review], bulk_items: Mapping[str, BulkItem]) -> None:
    """Store each review as the decision on its item, or as an opinion if several people must review that item. Unsent edits are
    not deleted."""
    plain = [review for review in reviews if not bulk_items[review.item].is_for_several]
    _add_opinions(cursor, [review for review in reviews if bulk_items[review.item].is_for_several], bulk_items)
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
    """Store the undos, and compute each item's state again from the reviews that remain in effect."""
    insert(cursor, undos)
    _rebuild_items(cursor, list(dict.fromkeys(undo.item for undo in undos)))


def _add_opinions(cursor: Cursor, reviews: Sequence[Review], bulk_items: Mapping[str, BulkItem]) -> None:
    """Store opinions on many items like `opinions.add_opinion`. Afterwards, items that have all needed opinions are decided one
    by one."""
    if not reviews:
        return
    ids = [review.item for review in reviews]
    insert(cursor, [replace(review, role="opinion") for review in reviews])
    rows = [(pair_key(review.person, review.item), review.item, review.person, review.id) for review in reviews]
    insert_rows(cursor, "opinion", opinions.OPINION_COLUMNS, rows, "(key) DO UPDATE SET review = excluded.review")
    given = cursor.execute(
        """
        UPDATE state SET given = n.given
        FROM (SELECT item, count(*) AS given FROM opinion WHERE item IN (SELECT unnest(?::VARCHAR[])) GROUP BY item) n
        WHERE state.item = n.item
        RETURNING state.item, state.given
        """,
        [ids],
    ).fetchall()
    complete = {item for item, n in given if n >= bulk_items[item].wanted}
    for person in {review.person for review in reviews}:
        leases.end_many_claims(cursor, person, [review.item for review in reviews if review.person == person])
    for review in reviews:
        if review.item in complete:
            opinions.settle_items(cursor, [review.item], review.at, "unanimous")


def list_touched_items(fetch: Fetch, reviews: Mapping[str, str]) -> set[str]:
    """Return the ids of the items that were reviewed again after the given review; `reviews` is a dict from item to review id.
    Reviews that the program itself stored to decide an item do not count."""
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
        [list(reviews), list(reviews.values())],
    )
    return {row[0] for row in rows}


def filter_known_ids(fetch: Fetch, ids: Sequence[str]) -> set[str]:
    """Return those of the given ids that belong to stored reviews."""
    return {row[0] for row in fetch("SELECT id FROM review WHERE id IN (SELECT unnest(?::VARCHAR[]))", [list(ids)])}


def load_outcomes(database: Database, job: str) -> list[BulkOutcome]:
    """Return the outcomes that the bulk job has stored so far, in order."""
    rows = database.rows("SELECT key, result FROM job_item WHERE job = ? AND state = 'done' ORDER BY number", [job])
    outcomes = ((key, from_json(result)) for key, result in rows)
    return [BulkOutcome(key, outcome["why"], tuple(outcome["before"])) for key, outcome in outcomes]


def count_outcomes(database: Database, jobs: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return a dict from job to a dict from reason to number of items. The key "" stands for the items that were changed; every
    other key is a reason why items were skipped."""
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
    counts: dict[str, dict[str, int]] = {job: {} for job in jobs}
    for job, why, n in rows:
        counts[job][why] = n
    return counts


def outcome_result(piece: BulkOutcome) -> dict[str, Any]:
    """Return the outcome as the JSON value that the job stores for this item."""
    return {"why": piece.why, "before": list(piece.before)}


def _rebuild_items(cursor: Cursor, wanted: Sequence[str]) -> None:
    """Compute the state rows of the given items again, from the reviews that are still in effect."""
    fetch = fetch_from(cursor)
    reviews: dict[str, list[Review]] = {item: [] for item in wanted}
    for row in fetch(f"SELECT {COLUMNS} FROM review WHERE item IN (SELECT unnest(?::VARCHAR[])) ORDER BY number", [wanted]):
        reviews[row[1]].append(review_from_row(row))
    bases: dict[str, dict[int, int | None]] = {item: {} for item in wanted}
    sql = "SELECT item, revision, base FROM revision WHERE item IN (SELECT unnest(?::VARCHAR[]))"
    for item, revision, base in fetch(sql, [wanted]):
        bases[item][revision] = base
    current: list[tuple[str, int, Status | None]] = []
    for item in wanted:
        effective = select_effective(reviews[item])
        revision = opinions.find_base(bases[item], effective)
        deciding = [r for r in effective if r.role != "opinion" and r.revision == revision]
        current.append((item, revision, STATUS[deciding[-1].decision] if deciding else None))
    status = items.restore_revisions(cursor, current)
    decided = [item for item in wanted if status[item] != WAITING_STATUS]
    for table in ("opinion", "assignment"):
        cursor.execute(f"DELETE FROM {table} WHERE item IN (SELECT unnest(?::VARCHAR[]))", [decided])
    cursor.execute("UPDATE state SET given = 0 WHERE given > 0 AND item IN (SELECT unnest(?::VARCHAR[]))", [decided])
    for item in wanted:
        if status[item] == WAITING_STATUS and any(review.role == "opinion" for review in reviews[item]):
            opinions.recount(cursor, item)
