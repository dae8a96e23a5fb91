"""How a bulk action looks at items and changes them, in a transaction of the caller's."""

from collections.abc import Sequence
from typing import Any

from builders.task import tasks
from core.ids import derived_id
from core.nouns import Decision, Review
from store.engine.columns import Fetch, fetch_from
from store.engine.database import Cursor
from store.queue import leases
from store.queue.effective_reviews import BULK, SINGLE_REVIEW_KEY
from store.reviews import bulk
from store.reviews.bulk import BulkItem
from workbench.annotate.finding.bulk_rules import DECIDING, REVIEWING, BulkPlan, why_not


def looked_at(fetch: Fetch, plan: BulkPlan, ids: Sequence[str], at: str) -> tuple[list[BulkItem], dict[str, str]]:
    """(the items as they are now, why each of them is left out; "" = it is not)."""
    found = bulk.load_bulk_items(fetch, ids, plan.person, at, plan.asked.action == "take_back")
    is_review_undone = plan.asked.action == "undo" and plan.of.action in REVIEWING
    since = bulk.list_touched_items(fetch, {id_: review_id(plan.asked.of, id_) for id_ in ids}) if is_review_undone else set()
    return found, {g.item.id: why_not(plan, g, tasks(), g.item.id in since) for g in found}


def do(cursor: Cursor, job: str, plan: BulkPlan, changing: Sequence[BulkItem], at: str) -> dict[str, tuple[str, ...]]:
    """Change those items; returns whom they had been given to, where that was taken back."""
    asked, of = plan.asked, plan.of
    ids = [ground.item.id for ground in changing]

    def review(ground: BulkItem, decision: Decision, **details: Any) -> Review:
        return Review(
            review_id(job, ground.item.id),
            ground.item.id,
            ground.item.revision,
            asked.person,
            decision,
            asked.reason.strip(),
            at=at,
            details={BULK: job, **details},
        )

    if asked.action == "take_from":
        return _take_from(cursor, changing)
    if asked.action == "give":
        leases.insert_assignments(cursor, ids, asked.to, by=asked.person, at=at)
    elif asked.action in DECIDING:
        decision: Decision = "accept" if asked.action == "accept" else "discard"
        bulk.decide(cursor, [review(ground, decision) for ground in changing], {g.item.id: g for g in changing})
    elif asked.action == "take_back":
        bulk.take_back(cursor, [review(ground, "undo") for ground in changing])
    elif of.action in REVIEWING:
        undos = [review(ground, "undo", **{SINGLE_REVIEW_KEY: review_id(asked.of, ground.item.id)}) for ground in changing]
        bulk.take_back(cursor, [*undos, *_of_settled(cursor, undos)])
    elif of.action == "give":
        leases.remove_assignments(cursor, ids, of.to)
    else:
        before = {id_: plan.changed[id_].before for id_ in ids}
        for person in sorted({name for names in before.values() for name in names}):
            leases.insert_assignments(cursor, [id_ for id_ in ids if person in before[id_]], person, by=asked.person, at=at)
    return {}


def review_id(job: str, item: str) -> str:
    """Of the review that a bulk action makes of an item: the same when it is done again after a kill."""
    return derived_id(BULK, job, item)


def _take_from(cursor: Cursor, changing: Sequence[BulkItem]) -> dict[str, tuple[str, ...]]:
    for person in sorted({name for ground in changing for name in ground.given_to}):
        leases.remove_assignments(cursor, [ground.item.id for ground in changing if person in ground.given_to], person)
    return {ground.item.id: ground.given_to for ground in changing}


def _of_settled(cursor: Cursor, undos: Sequence[Review]) -> list[Review]:
    """The undos of what the opinions that are undone had settled."""
    settled = {undo.id: f"{undo.details[SINGLE_REVIEW_KEY]}:settled" for undo in undos}
    there = bulk.filter_known_ids(fetch_from(cursor), list(settled.values()))
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
        if settled[undo.id] in there
    ]
