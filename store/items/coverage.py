"""For each level and domain, count the items that several people must review, and the items that several people have
reviewed."""

from typing import NamedTuple

from core.nouns import Level
from store.engine.columns import level_from_text
from store.engine.database import Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, IS_BULK


class Coverage(NamedTuple):
    """Numbers of items of one level and domain: how many people must review the items, and how many people have reviewed
    them."""

    level: Level
    domain: str
    items: int
    """Number of items of this level and domain, without items that a gate (automatic check) refused."""
    several: int
    """Number of items that several people must review. Items that one person decided on when one person was enough do not
    count."""
    whole: int
    """Number of items that several people must review and that have all needed opinions, or a decision."""
    begun: int
    """Number of items that several people must review and that have at least one opinion, but not all needed opinions."""
    beyond: int
    """Number of items that need only one person and were reviewed by two or more."""


_BY_SEVERAL = "s.wanted > 1 AND (s.status = 'drafted' OR l.people > 1)"


def load_coverage(database: Database) -> list[Coverage]:
    """Return, for each level and domain, how many items several people must review and have reviewed. A decision that was made
    in bulk does not count as a person's review."""
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
