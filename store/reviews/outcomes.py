"""What became of one person's opinions: the decisions that came of them and stand."""

from typing import NamedTuple

from core.nouns import Review
from store.engine.columns import split_in_batches
from store.engine.database import Database
from store.items import items
from store.queue.effective_reviews import EFFECTIVE_REVIEWS
from store.queue.queue import WAITING_STATUS
from store.reviews.opinions import Opinion
from store.reviews.review_rows import COLUMNS, review_of


class OpinionOutcome(NamedTuple):
    """One opinion, and what the item was decided to be."""

    mine: Opinion
    became: Opinion


def load_outcomes(database: Database, person: str, since: str) -> list[OpinionOutcome]:
    """Of the opinions of that person, those on items that were decided since that time (UTC, ISO format), the last decision
    first."""
    pairs = database.rows(
        f"""
        WITH {EFFECTIVE_REVIEWS}, named AS (
            SELECT id, number, unnest(from_json(json_extract(details, '$.of'), '["VARCHAR"]')) AS opinion
            FROM stands
            WHERE role IN ('settled', 'adjudicated') AND made_at >= ?
        )
        SELECT n.opinion, n.id
        FROM named n
        JOIN review r ON r.id = n.opinion
        WHERE r.person = ?
        ORDER BY n.number DESC
        """,
        [since, person],
    )
    sql = f"SELECT {COLUMNS} FROM review WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    ids = {id_: None for pair in pairs for id_ in pair}
    found: dict[str, Review] = {
        row[0]: review_of(row) for piece in split_in_batches(ids) for row in database.rows(sql, [piece])
    }
    wanted = [(review.item, review.revision, WAITING_STATUS) for review in found.values()]
    words = {(one.id, one.revision): one for one in items.fetch_revisions(database.rows, wanted)}
    told = {id_: Opinion(review, words[review.item, review.revision]) for id_, review in found.items()}
    return [OpinionOutcome(told[opinion], told[decision]) for opinion, decision in pairs]
