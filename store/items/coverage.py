"""How much of what several people are wanted on has been looked at by so many, by level and domain."""

from typing import NamedTuple

from core.nouns import Level
from store.engine.columns import level_from_text
from store.engine.database import Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, IS_BULK


class Coverage(NamedTuple):
    """Of one level and domain."""

    level: Level
    domain: str
    items: int
    """All that no gate refused."""
    several: int
    """Several people are wanted on them; one that a single person decided under an older rule is not wanted by others."""
    whole: int
    """Of those: so many people gave an opinion or decided."""
    begun: int
    """Of those: some did, and not enough."""
    beyond: int
    """Two people or more gave an opinion or decided, where one was wanted."""


_BY_SEVERAL = "s.wanted > 1 AND (s.status = 'drafted' OR l.people > 1)"


def load_coverage(database: Database) -> list[Coverage]:
    """By level and domain; what was done in bulk is nobody's look."""
    rows = database.rows(
        f"""
        WITH {EFFECTIVE_REVIEWS}, looked AS (
            SELECT item, count(DISTINCT person) AS people
            FROM stands
            WHERE role IN ('', 'opinion') AND NOT {IS_BULK}
            GROUP BY item
        )
        SELECT
            s.level, s.domain, count(*), count(*) FILTER ({_BY_SEVERAL}),
            count(*) FILTER ({_BY_SEVERAL} AND coalesce(l.people, 0) >= s.wanted),
            count(*) FILTER ({_BY_SEVERAL} AND l.people > 0 AND l.people < s.wanted),
            count(*) FILTER (s.wanted = 1 AND l.people > 1)
        FROM state s
        LEFT JOIN looked l ON l.item = s.item
        WHERE s.status <> 'refused'
        GROUP BY s.level, s.domain
        ORDER BY s.level NULLS LAST, s.domain
        """
    )
    return [Coverage(level_from_text(level), *rest) for level, *rest in rows]
