"""Load the items of a bulk action and change them, within the caller's transaction."""

from collections.abc import Sequence
from typing import Any

from builders.task import tasks
from core.ids import derived_id
from core.nouns import Decision, Review
from store.engine.columns import Fetch, fetch_from
from store.engine.database import Cursor
from store.queue import leases
from store.queue.effective_reviews import BULK, SINGLE_REVIEW_KEY
from store.queue.queue import WAITING_STATUS
from store.reviews import bulk
from store.reviews.bulk import BulkItem
from workbench.annotate.finding.bulk_rules import DECIDING_ACTIONS, REVIEWING_ACTIONS, BulkPlan, explain_left_out


def load_rows(fetch: Fetch, plan: BulkPlan, ids: Sequence[str], at: str) -> tuple[list[BulkItem], dict[str, str]]:
    """Return (current items, dict from item id to the reason why the action skips the item). The reason "" means that the item
    is changed."""
    request = plan.request
    rows = bulk.load_bulk_items(fetch, ids, plan.person, at, request.action == "take_back")
    touched: set[str] = set()
    if request.action == "undo" and plan.target.action in REVIEWING_ACTIONS:
        touched = bulk.list_touched_items(fetch, {id_: review_id(request.of, id_) for id_ in ids})
    waiting = [row.item.id for row in rows if row.item.status == WAITING_STATUS] if request.action == "accept" else []
    hidden = plan.find_hidden(waiting)
    why = {
        row.item.id: explain_left_out(plan, row, tasks(), is_touched=row.item.id in touched, is_hidden=row.item.id in hidden)
        for row in rows
    }
    return rows, why


def change_items(cursor: Cursor, job: str, plan: BulkPlan, rows: Sequence[BulkItem], at: str) -> dict[str, tuple[str, ...]]:
    """Apply the bulk action to the items. Return a dict from item id to the names of the people who lost their assignment to
    the item."""
    request, target = plan.request, plan.target
    ids = [row.item.id for row in rows]

    def review(row: BulkItem, decision: Decision, **details: Any) -> Review:
        return Review(
            review_id(job, row.item.id),
            row.item.id,
            row.item.revision,
            request.person,
            decision,
            request.reason.strip(),
            at=at,
            details={BULK: job, **details},
        )

    if request.action == "take_from":
        for person in sorted({name for row in rows for name in row.given_to}):
            leases.remove_assignments(cursor, [row.item.id for row in rows if person in row.given_to], person)
        return {row.item.id: row.given_to for row in rows}
    if request.action == "give":
        leases.insert_assignments(cursor, ids, request.to, by=request.person, at=at)
    elif request.action in DECIDING_ACTIONS:
        decision: Decision = "accept" if request.action == "accept" else "discard"
        bulk.decide(cursor, [review(row, decision) for row in rows], {row.item.id: row for row in rows})
    elif request.action == "take_back":
        bulk.take_back(cursor, [review(row, "undo") for row in rows])
    elif target.action in REVIEWING_ACTIONS:
        undos = [review(row, "undo", **{SINGLE_REVIEW_KEY: review_id(request.of, row.item.id)}) for row in rows]
        bulk.take_back(cursor, [*undos, *_undo_settled(cursor, undos)])
    elif target.action == "give":
        leases.remove_assignments(cursor, ids, target.to)
    else:
        before = {id_: plan.changed[id_].before for id_ in ids}
        for person in sorted({name for names in before.values() for name in names}):
            theirs = [id_ for id_ in ids if person in before[id_]]
            leases.insert_assignments(cursor, theirs, person, by=request.person, at=at)
    return {}


def review_id(job: str, item: str) -> str:
    """Return the id of the review that a bulk action stores for an item. The id is always the same, so that a job that was
    killed and runs again stores no second review."""
    return derived_id(BULK, job, item)


def _undo_settled(cursor: Cursor, undos: Sequence[Review]) -> list[Review]:
    """Return reviews that undo automatic decisions. An automatic decision is undone if it was made because an opinion that is
    now undone was the last that the item needed."""
    settled = {undo.id: f"{undo.details[SINGLE_REVIEW_KEY]}:settled" for undo in undos}
    stored = bulk.filter_known_ids(fetch_from(cursor), list(settled.values()))
    return [
        Review(
            f"{undo.id}:settled",
            undo.item,
            undo.revision,
            undo.person,
            "undo",
            at=undo.at,
            details={**undo.details, SINGLE_REVIEW_KEY: settled[undo.id]},
        )
        for undo in undos
        if settled[undo.id] in stored
    ]
