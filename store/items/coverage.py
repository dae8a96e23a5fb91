"""Count, by level and domain, the items that several people must review and those that several people have reviewed."""

from typing import NamedTuple

from core.nouns import Level
from store.engine.columns import level_from_text
from store.engine.database import Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, IS_BULK


class Coverage(NamedTuple):
    """Numbers of items of one level and domain, by the number of people who must review an item and the number who have
    reviewed it."""

    level: Level
    domain: str
    items: int
    """Number of the items of this level and domain that no gate refused."""
    several: int
    """Number of items that several people must review, except items that one person decided when one was enough."""
    whole: int
    """Number of items in `several` with as many opinions as they need, or a decision."""
    begun: int
    """Number of items in `several` with at least one opinion, but fewer than they need."""
    beyond: int
    """Number of items that need only one person and were reviewed by two or more."""


_BY_SEVERAL = "s.wanted > 1 AND (s.status = 'drafted' OR l.people > 1)"


def load_coverage(database: Database) -> list[Coverage]:
    """Return the review coverage of each level and domain. Bulk decisions do not count as a review by a person."""
    rows = database.rows(
        f"""
        WITH {EFFECTIVE_REVIEWS}, reviewed AS (
            SELECT item, count(DISTINCT person) AS people
            FROM effective
            WHERE role IN ('', 'opinion') AND NOT {IS_BULK}
            GROUP BY item
        )
        SELECT
            s.level, s.domain, count(*), count(*) FILTER ({_BY_SEVERAL}),
            count(*) FILTER ({_BY_SEVERAL} AND coalesce(l.people, 0) >= s.wanted),
            count(*) FILTER ({_BY_SEVERAL} AND l.people > 0 AND l.people < s.wanted),
            count(*) FILTER (s.wanted = 1 AND l.people > 1)
        FROM state s
        LEFT JOIN reviewed l ON l.item = s.item
        WHERE s.status <> 'refused'
        GROUP BY s.level, s.domain
        ORDER BY s.level NULLS LAST, s.domain
        """
    )
    return [Coverage(level_from_text(level), *rest) for level, *rest in rows]
