"""Count the items that need several reviewers, and those that have had them, by level and domain."""

from typing import NamedTuple

from core.nouns import Level
from store.engine.columns import level_from_text
from store.engine.database import Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, IS_BULK


class Coverage(NamedTuple):
    """The counts of one pair of level and domain."""

    level: Level
    domain: str
    items: int
    """Number of items that no gate refused."""
    several: int
    """Number of items that need several people, except items that one person decided under an older rule."""
    whole: int
    """Number of items in `several` with enough opinions or a decision."""
    begun: int
    """Number of items in `several` with some opinions, but not enough."""
    beyond: int
    """Number of items that need one person and have opinions or decisions of two or more."""


_BY_SEVERAL = "s.wanted > 1 AND (s.status = 'drafted' OR l.people > 1)"


def load_coverage(database: Database) -> list[Coverage]:
    """Return the coverage by level and domain; decisions made in bulk are not counted for any person."""
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
