"""How much of what several people are wanted on has been looked at by so many, by level and domain."""

from typing import NamedTuple

from core.nouns import Level
from store.columns import level_from_text
from store.database import Database
from store.standing import IS_BULK, STANDS


class Coverage(NamedTuple):
    """Of one level and domain."""

    level: Level
    domain: str
    items: int
    """All that no gate refused."""
    several: int
    """Several people are wanted on them."""
    whole: int
    """Of those: so many people gave an opinion or decided."""
    begun: int
    """Of those: some did, and not enough."""
    beyond: int
    """Two people or more gave an opinion or decided, where one was wanted."""


def coverage(database: Database) -> list[Coverage]:
    """By level and domain; what was done in bulk is nobody's look."""
    rows = database.rows(
        f"""
        WITH {STANDS}, looked AS (
            SELECT item, count(DISTINCT person) AS people
            FROM stands
            WHERE role IN ('', 'opinion') AND NOT {IS_BULK}
            GROUP BY item
        )
        SELECT
            s.level, s.domain, count(*), count(*) FILTER (s.wanted > 1),
            count(*) FILTER (s.wanted > 1 AND coalesce(l.people, 0) >= s.wanted),
            count(*) FILTER (s.wanted > 1 AND l.people > 0 AND l.people < s.wanted),
            count(*) FILTER (s.wanted = 1 AND l.people > 1)
        FROM state s
        LEFT JOIN looked l ON l.item = s.item
        WHERE s.status <> 'refused'
        GROUP BY s.level, s.domain
        ORDER BY s.level NULLS LAST, s.domain
        """
    )
    return [Coverage(level_from_text(level), *rest) for level, *rest in rows]
