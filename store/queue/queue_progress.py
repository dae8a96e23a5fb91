"""A person's progress in the review queue: items that wait, that others hold and that are disputed, and own decisions."""

from typing import NamedTuple

from store.engine.columns import Timestamp
from store.engine.database import Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, IS_BULK
from store.queue.kind import ItemKind, build_kind_condition
from store.queue.leases import CLAIMS, live_parameters
from store.queue.queue import IS_QUEUED, WAITING_STATUS

_IS_OWN = f"person = ? AND made_at >= ? AND role <> 'settled' AND NOT {IS_BULK}"


class QueueProgress(NamedTuple):
    """A person's progress in the queue."""

    left: int
    """Number of items of the kind that are free for this person: not held by others, and without an opinion of this person."""
    held: int
    """Number of waiting items of the kind that other people hold."""
    disputed: int
    """Number of items of the kind whose opinions are complete and differ."""
    today: int
    """Number of items with an effective decision of this person since `since`, without bulk decisions."""
    of_document: int
    """Number of free items of any kind on the given document, without the given item."""


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
    """Count the items of the kind at the time `at`, and this person's decisions of any kind since `since` (UTC, ISO format).
    `document` and `item` are the document and item that the person has open."""
    of_kind, params = build_kind_condition(kind)
    is_free = "s.given < s.wanted AND coalesce(c.people, 0) < s.wanted - s.given AND o.item IS NULL"
    [(left, held, disputed, of_document)] = database.rows(
        f"""
        WITH {CLAIMS}, claimed AS (
            SELECT item, count(*) AS people FROM claim GROUP BY item
        )
        SELECT
            count(*) FILTER ({of_kind} AND {is_free}),
            count(*) FILTER ({of_kind} AND s.given < s.wanted AND c.people >= s.wanted - s.given),
            count(*) FILTER ({of_kind} AND s.given >= s.wanted),
            count(*) FILTER (s.document = ? AND s.item IS DISTINCT FROM ? AND {is_free})
        FROM state s
        LEFT JOIN claimed c ON c.item = s.item
        LEFT JOIN (SELECT item FROM opinion WHERE person = ?) o ON o.item = s.item
        WHERE s.status = '{WAITING_STATUS}' AND {IS_QUEUED}
        """,
        [person, *live_parameters(at), person, *params, *params, *params, document, item, person],
    )
    return QueueProgress(left, held, disputed, _count_decided_items(database, person, since), of_document)


def _count_decided_items(database: Database, person: str, since: Timestamp) -> int:
    sql = f"SELECT DISTINCT item FROM review WHERE decision <> 'undo' AND {_IS_OWN}"
    own = [item for (item,) in database.rows(sql, [person, since])]
    undone = "SELECT 1 FROM review WHERE decision = 'undo' AND item IN (SELECT unnest(?::VARCHAR[])) LIMIT 1"
    if not own or not database.rows(undone, [own]):
        return len(own)
    sql = f"WITH {EFFECTIVE_REVIEWS} SELECT count(DISTINCT item) FROM effective WHERE {_IS_OWN}"
    [(decided,)] = database.rows(sql, [person, since])
    return int(decided)
