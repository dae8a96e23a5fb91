"""Load each person's last decisions, and the items that the person decided on today. The data of a person are loaded once, stay
in memory, and are updated with each new review."""

from dataclasses import dataclass
from typing import NamedTuple

from core.nouns import ReviewKind
from store.engine.columns import Fetch, Timestamp, build_in_condition, current_time, from_json
from store.engine.database import Database
from store.engine.followers import KeptReads, Rows
from store.queue import leases
from store.queue.effective_reviews import BULK, EFFECTIVE_REVIEWS, IS_BULK, IS_OF_PHASES, PHASES, drop_single_undos
from store.queue.kind import ANY_KIND, ItemKind, build_kind_check
from store.queue.state_row import StateMirror
from store.reviews.review_rows import COLUMNS, review_from_row

MAX_DECISIONS_BACK = 200
"""Maximum number of a person's last decisions that are searched for decisions still in effect."""


class RecentDecision(NamedTuple):
    """One of a person's last decisions or opinions."""

    item: str
    number: int
    revision: int
    role: ReviewKind
    review: str
    """Id of the review that stores the decision."""


@dataclass
class PersonDecisions:
    """One person's last decisions that are in effect, and the items that the person decided on since a given time."""

    last: list[RecentDecision]
    """The person's last decisions, newest first, without bulk actions and without decisions in two phases."""
    since: Timestamp
    items: set[str]
    """Ids of the items and variants that the person decided on since `since`, without bulk actions."""


class OwnDecisions(KeptReads[PersonDecisions]):
    """In-memory cache of people's last decisions; a person's decisions are added when they are first requested. New decisions
    are added to the cache; after an undo, the person's decisions are loaded again."""

    table = "review"
    columns = ("person", "id", "number", "item", "revision", "decision", "role", "made_at", "details")

    def note(self, verb: str, rows: Rows) -> None:
        super().note(verb, rows)
        self._drops_all |= verb == "DELETE" or any(row[5] == "undo" for row in rows)

    def take(self, rows: Rows) -> None:
        for person, id_, number, item, revision, _, role, made_at, text in rows:
            own = self._values.get(person)
            details = from_json(text) or {}
            if own is None or role == "settled" or BULK in details:
                continue
            if PHASES not in details:
                own.last = [RecentDecision(item, number, revision, role, id_), *own.last[: MAX_DECISIONS_BACK - 1]]
            if made_at >= own.since:
                own.items.add(item)


def load_own_decisions(database: Database, person: str, since: Timestamp | None = None) -> PersonDecisions:
    """Return the person's last decisions that are in effect. `since` is the start of the person's day in UTC, in ISO format;
    None means the start time that the cached decisions have."""
    follower = database.follow(OwnDecisions)
    n_commits, found = follower.n_commits, follower.get(person)
    if found is None or since not in (None, found.since):
        since = since or current_time()
        found = PersonDecisions(list_last_decisions(database.rows, person), since, _list_since(database.rows, person, since))
        follower.put({person: found}, n_commits)
    return found


def list_last_decisions(fetch: Fetch, person: str) -> list[RecentDecision]:
    """Return those of the person's last decisions that nobody has undone, newest first. Bulk actions are left out, because they
    can be undone only as a whole. Reviews in two phases are left out, because several people made them."""
    own = fetch(
        f"""
        SELECT item, number, revision, role, id
        FROM review
        WHERE person = ? AND decision <> 'undo' AND role <> 'settled' AND NOT {IS_BULK} AND NOT {IS_OF_PHASES}
        ORDER BY number DESC
        LIMIT ?
        """,
        [person, MAX_DECISIONS_BACK],
    )
    if not own:
        return []
    where, params = build_in_condition("item", list({row[0] for row in own}))
    rows = fetch(f"SELECT number, {COLUMNS} FROM review WHERE {where} AND decision = 'undo' ORDER BY number", params)
    numbers = {row[1]: row[0] for row in rows}
    undos = drop_single_undos([review_from_row(row[1:]) for row in rows])
    undone = {(r.item, r.role == "opinion"): numbers[r.id] for r in undos if r.role != "opinion" or r.person == person}
    decisions = map(RecentDecision._make, own)
    return [one for one in decisions if one.number > undone.get((one.item, one.role == "opinion"), 0)]


def _list_since(fetch: Fetch, person: str, since: Timestamp) -> set[str]:
    sql = f"""
        WITH {EFFECTIVE_REVIEWS}
        SELECT DISTINCT item FROM effective WHERE person = ? AND made_at >= ? AND role <> 'settled' AND NOT {IS_BULK}
        """
    return {row[0] for row in fetch(sql, [person, since])}


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
