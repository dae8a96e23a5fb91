"""Load what became of one person's opinions: the decisions on the same items."""

from typing import NamedTuple

from store.engine.columns import Timestamp, fetch_in_batches
from store.engine.database import Database
from store.items import items
from store.queue.effective_reviews import EFFECTIVE_REVIEWS
from store.queue.queue import WAITING_STATUS
from store.reviews.opinions import Opinion
from store.reviews.review_rows import COLUMNS, review_from_row


class OpinionOutcome(NamedTuple):
    """One opinion of a person, and the decision on its item."""

    mine: Opinion
    became: Opinion


def load_outcomes(database: Database, person: str, since: Timestamp) -> list[OpinionOutcome]:
    """Return the person's opinions on items that were decided since the time `since`, each with that decision, newest decision
    first."""
    pairs = database.rows(
        f"""
        WITH {EFFECTIVE_REVIEWS}, named AS (
            SELECT id, number, unnest(from_json(json_extract(details, '$.of'), '["VARCHAR"]')) AS opinion
            FROM effective
            WHERE role IN ('settled', 'adjudicated') AND made_at >= ?
        )
        SELECT n.opinion, n.id
        FROM named n JOIN review r ON r.id = n.opinion
        WHERE r.person = ?
        ORDER BY n.number DESC
        """,
        [since, person],
    )
    sql = f"SELECT {COLUMNS} FROM review WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    rows = fetch_in_batches(database.rows, sql, dict.fromkeys(id_ for pair in pairs for id_ in pair))
    reviews = {row[0]: review_from_row(row) for row in rows}
    revisions = [(review.item, review.revision, WAITING_STATUS) for review in reviews.values()]
    words = {(item.id, item.revision): item for item in items.fetch_revisions(database.rows, revisions)}
    opinions = {id_: Opinion(review, words[review.item, review.revision]) for id_, review in reviews.items()}
    return [OpinionOutcome(opinions[opinion], opinions[decision]) for opinion, decision in pairs]
