"""Find items whose questions may be near duplicates of a given item's question. The search runs in SQL, so that not all items
must be loaded."""

from collections.abc import Sequence

from core.nouns import Item
from store.engine.database import Database
from store.items.items import fetch_revisions

MAX_CANDIDATES = 500


def find_similar_items(database: Database, item: str, language: str, pieces: Sequence[str], least: int) -> list[Item]:
    """Return other items in the language, except refused ones, whose current question contains at least `least` of the short
    texts in `pieces`. At most MAX_CANDIDATES items are returned, those that contain most of these texts first."""
    if not pieces:
        return []
    held = " + ".join(["contains(low, ?)::INTEGER"] * len(pieces))
    rows = database.rows(
        f"""
        WITH current AS (
            SELECT s.item, s.revision, s.status, s.number, lower(r.question) AS low
            FROM state s
            JOIN revision r ON r.item = s.item AND r.revision = s.revision
            WHERE s.language = ? AND s.status <> 'refused' AND s.item <> ?
        ), counted AS (
            SELECT *, {held} AS held
            FROM current
        )
        SELECT item, revision, status
        FROM counted
        WHERE held >= ?
        ORDER BY held DESC, number
        LIMIT ?
        """,
        [language, item, *pieces, max(1, least), MAX_CANDIDATES],
    )
    return fetch_revisions(database.rows, rows)
