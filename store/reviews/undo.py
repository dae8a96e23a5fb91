"""Store undos, which are reviews that cancel a person's last decision or opinion on an item. An undo deletes nothing: an edit
that was part of the undone decision stays the current text of the item, which waits for a new decision. If the undone review
was a decision between opinions, or the opinion that completed them, the other people's opinions are in effect again."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from core.errors import BenchError
from core.nouns import Review, ReviewKind
from store.engine.columns import Fetch, current_time, fetch_from
from store.engine.database import Cursor, Database, Source
from store.items import items
from store.queue.effective_reviews import select_effective
from store.queue.queue import WAITING_STATUS
from store.queue.state_row import fetch_state_row
from store.reviews import opinions
from store.reviews.own_decisions import RecentDecision, list_last_decisions, load_own_decisions
from store.reviews.review_rows import fetch_reviews, insert
from store.reviews.reviews import explain_decided_in_phases, explain_not_last, fetch_review, filter_decided_in_phases


class LastDecision(NamedTuple):
    """The decision that an undo would cancel."""

    item: str
    number: int
    revision: int
    """Number of the revision that the person decided on."""
    current: int
    """Number of the item's current revision."""
    role: ReviewKind
    review: str
    """Id of the review that stores the decision."""


def load_last_decision(database: Database, person: str) -> LastDecision | None:
    """Return the person's last decision on an item that is still in effect, or None if there is none."""
    return _find_last_decision(database, load_own_decisions(database, person).last)


def undo(database: Database, person: str, key: str, item: str | None = None) -> str:
    """Undo the person's last decision; return the id of its item. The item gets the status with which its current revision was
    stored. Calling `undo` again with the same `key` changes nothing. If `item` is given, the decision is undone only if it is
    on that item. Raises BenchError if there is nothing to undo, or if other people have decided on the item in the meantime."""
    at = current_time()
    return database.write_or_raise(lambda cursor: _undo(cursor, person, key, item, at))


def _undo(cursor: Cursor, person: str, key: str, item: str | None, at: str) -> str | BenchError:
    """Store an undo. If the undo cannot be stored, write nothing and return the error. Raising the error would stop other
    writes in the same transaction."""
    fetch = fetch_from(cursor)
    stored = fetch_review(fetch, key)
    if stored is not None:
        if (stored.person, stored.decision) != (person, "undo"):
            return BenchError(f"The key {key} already belongs to another decision: give each undo a new key.")
        return stored.item
    if item is not None and filter_decided_in_phases(fetch, [item]):
        return BenchError(explain_decided_in_phases(item))
    last = _find_last_decision(cursor, list_last_decisions(fetch, person))
    if last is None:
        return BenchError(f"{person} has no decision that could be undone.")
    if item is not None and item != last.item:
        return BenchError(explain_not_last(item))
    if refusal := _describe_changes_since(fetch, person, last):
        return BenchError(refusal)
    undo = Review(key, last.item, last.current, person, "undo", at=at)
    if last.role == "opinion":
        insert(cursor, [replace(undo, role="opinion")])
        if not fetch("SELECT 1 FROM state WHERE item = ? AND status <> ?", [last.item, WAITING_STATUS]):
            opinions.recount(cursor, last.item)
            return last.item
        undo = replace(undo, id=f"{key}:settled")  # this opinion had decided the item
    insert(cursor, [undo])
    items.restore_revisions(cursor, [(last.item, opinions.fetch_base(fetch, last.item), None)])
    opinions.recount(cursor, last.item)
    return last.item


def _describe_changes_since(fetch: Fetch, person: str, last: LastDecision) -> str:
    """Return an error message if another person has decided on the item or edited it since the decision that is to be undone;
    otherwise return "". If an opinion is to be undone, other people's opinions do not count."""
    reviews = fetch_reviews(fetch, last.item)
    place = next(place for place, review in enumerate(reviews) if review.id == last.review)
    later = [r for r in select_effective(reviews[place + 1 :]) if r.person != person]
    others = [r.person for r in later if r.role != "opinion" or not last.role]
    if others:
        return (
            f"{others[-1]} decided on {last.item} after you: your decision cannot be undone any more; open the item to decide "
            "again."
        )
    if last.current == last.revision or last.role:
        return ""
    [(maker,)] = fetch("SELECT made_by FROM revision WHERE key = ?", [f"{last.item}@{last.current}"])
    if maker == person:
        return ""
    return (
        f"{last.item} has a newer revision by {maker}: your decision cannot be undone any more; open the item to decide again."
    )


def _find_last_decision(source: Source, decisions: Iterable[RecentDecision]) -> LastDecision | None:
    """Return the first decision in the list that is on an item and not on a variant, or None if there is none."""
    for one in decisions:
        if row := fetch_state_row(source, one.item):
            return LastDecision(one.item, one.number, one.revision, row.revision, one.role, one.review)
    return None
