"""Compute one person's progress in the review queue: numbers of items that wait, items that other people have reserved,
disputed items, and decisions of the person."""

from typing import NamedTuple

from store.engine.columns import Timestamp
from store.engine.database import Database
from store.queue import leases
from store.queue.kind import ANY_KIND, ItemKind, build_kind_check
from store.queue.state_row import StateMirror
from store.reviews.own_decisions import load_own_decisions


class QueueProgress(NamedTuple):
    """A person's progress in the review queue, as numbers of items."""

    left: int
    """Number of waiting items of the chosen kind that the person can take: nobody else has reserved them, and the person has
    given no opinion on them."""
    held: int
    """Number of waiting items of the chosen kind that other people have reserved."""
    disputed: int
    """Number of items of the chosen kind on which all needed opinions are given and differ."""
    today: int
    """Number of items that the person decided on since `since`; bulk actions and undone decisions do not count."""
    of_document: int
    """Number of items of any kind that belong to the open document and that the person can take, not counting the open item."""


def load_progress(
    database: Database,
    kind: ItemKind,
    person: str,
    *,
    at: Timestamp,
    since: Timestamp,
    document: str | None = None,
    item: str | None = None,
) -> QueueProgress:
    """Return the numbers of items of the kind at the time `at`, and the number of items of any kind that the person has decided
    on since `since` (UTC, ISO format). `document` and `item` are the ones that the person has open."""
    state, is_of_kind = database.follow(StateMirror), build_kind_check(kind)
    claims, own = leases.count_claims(database, person, at), leases.list_own_opinions(database, person)
    near = state.select_open(ANY_KIND, {*claims, *own, *([item] if item else [])})  # any other open item is free
    held = [row for row in near if claims[row.item] >= row.missing_opinions]
    taken = {row.item for row in held} | own
    apart = taken | {item}
    return QueueProgress(
        max(0, state.count_open(kind) - sum(row.item in taken and is_of_kind(row) for row in near)),
        sum(map(is_of_kind, held)),
        state.count_disputed(kind),
        len(load_own_decisions(database, person, since).items),
        max(0, state.count_on_document(document) - sum(row.document == document and row.item in apart for row in near)),
    )
