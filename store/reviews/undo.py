"""Undo: a person's last decision on an item, or opinion of it, is taken back, by a review of its own. Nothing is deleted: after
the undo of an edit the new words stay the current revision, and wait for a decision. Where it decided between opinions, or was
the last of them, the opinions of the others stand again."""

from dataclasses import replace
from typing import NamedTuple

from core.errors import BenchError
from core.nouns import Review, ReviewKind
from store.engine.columns import Fetch, build_in_condition, current_time, fetch_from
from store.engine.database import Cursor, Database
from store.items import items
from store.queue.effective_reviews import IS_BULK, IS_OF_PHASES, drop_single_undos, select_effective
from store.queue.queue import WAITING_STATUS
from store.reviews import opinions
from store.reviews.review_rows import COLUMNS, insert, review_of
from store.reviews.reviews import fetch_review

MAX_DECISIONS_BACK = 200
"""Decisions of a person that are looked through for one that stands."""


class LastDecision(NamedTuple):
    """The decision that an undo would take back."""

    item: str
    number: int
    revision: int
    """The revision decided on."""
    current: int
    """The item's revision now."""
    role: ReviewKind
    review: str
    """Its id."""


def load_last_decision(database: Database, person: str) -> LastDecision | None:
    """That person's last decision on an item that stands; None when there is none. One of a bulk action is none: that is undone
    as a whole. Nor is what two phases came to: it is of several people."""
    return _find_last_decision(database.rows, person)


def undo(database: Database, person: str, key: str, item: str | None = None) -> str:
    """Take back that person's last decision; returns its item, which is again what it was when its revision landed. The same
    key again does nothing more. With `item` only a decision on that one is taken back. Raises BenchError when there is nothing
    to take back, or others built on it since."""
    at = current_time()
    outcome = database.write(lambda cursor: _undo(cursor, person, key, item, at))
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def _undo(cursor: Cursor, person: str, key: str, item: str | None, at: str) -> str | BenchError:
    """Errors are returned, not raised: nothing was written, and other writes of this transaction go on."""
    fetch = fetch_from(cursor)
    stored = fetch_review(fetch, key)
    if stored is not None:
        if (stored.person, stored.decision) != (person, "undo"):
            return BenchError(f"The key {key} belongs to another decision already: give each undo a key of its own.")
        return stored.item
    found = _find_last_decision(fetch, person)
    if found is None:
        return BenchError(f"{person} has no decision that could be undone.")
    if item is not None and item != found.item:
        return BenchError("Your last decision is another one by now, made elsewhere: look at it before you undo it.")
    trouble = _describe_changes_since(fetch, person, found)
    if trouble:
        return BenchError(trouble)
    undo = Review(key, found.item, found.current, person, "undo", at=at)
    if found.role == "opinion":
        insert(cursor, [replace(undo, role="opinion")])
        if not fetch("SELECT 1 FROM state WHERE item = ? AND status <> ?", [found.item, WAITING_STATUS]):
            opinions.recount(cursor, found.item)
            return found.item
        undo = replace(undo, id=f"{key}:settled")  # it was the one that settled the item
    insert(cursor, [undo])
    items.restore_revisions(cursor, [(found.item, opinions.fetch_base(fetch, found.item), None)])
    opinions.recount(cursor, found.item)
    return found.item


def _describe_changes_since(fetch: Fetch, person: str, found: LastDecision) -> str:
    """Who did what to the item after that decision, as the sentence that refuses; "" when nobody did. Other people's opinions
    are no matter to one's own."""
    made = [review_of(row) for row in fetch(f"SELECT {COLUMNS} FROM review WHERE item = ? ORDER BY number", [found.item])]
    mine = next(place for place, review in enumerate(made) if review.id == found.review)
    others = [
        r.person for r in select_effective(made[mine + 1 :]) if r.person != person and (r.role != "opinion" or not found.role)
    ]
    if others:
        return f"{others[-1]} decided on {found.item} after you: it cannot be undone any more, open the item to decide again."
    if found.current == found.revision or found.role:
        return ""
    [(maker,)] = fetch("SELECT made_by FROM revision WHERE key = ?", [f"{found.item}@{found.current}"])
    if maker == person:
        return ""
    return f"{found.item} has a newer revision by {maker}: it cannot be undone any more, open the item to decide again."


def _find_last_decision(fetch: Fetch, person: str) -> LastDecision | None:
    """In small queries: joined into one they take four times as long. The first of them nearly always stands."""
    mine = fetch(
        f"""
        SELECT item, number, revision, role, id
        FROM review
        WHERE person = ? AND decision <> 'undo' AND role <> 'settled' AND NOT {IS_BULK} AND NOT {IS_OF_PHASES}
        ORDER BY number DESC
        LIMIT ?
        """,
        [person, MAX_DECISIONS_BACK],
    )
    for some in (mine[:1], mine[1:]):
        undone = _find_last_undos(fetch, person, [row[0] for row in some]) if some else {}
        for item, number, revision, role, review in some:
            if number > undone.get((item, role == "opinion"), 0):
                current = fetch("SELECT revision FROM state WHERE item = ?", [item])
                if current:  # a variant has no such row, and is decided elsewhere
                    return LastDecision(item, number, revision, current[0][0], role, review)
    return None


def _find_last_undos(fetch: Fetch, person: str, wanted: list[str]) -> dict[tuple[str, bool], int]:
    """The last undo on each of those items that takes back decisions, and that takes back opinions (True) of this person: its
    number."""
    where, params = build_in_condition("item", wanted)
    rows = fetch(f"SELECT number, {COLUMNS} FROM review WHERE {where} AND decision = 'undo' ORDER BY number", params)
    number = {row[1]: row[0] for row in rows}
    undos = drop_single_undos([review_of(row[1:]) for row in rows])
    return {(r.item, r.role == "opinion"): number[r.id] for r in undos if r.role != "opinion" or r.person == person}
