"""Find items with a question that may be a near duplicate of another one. The search runs inside the database, so that
comparing one item does not load all items."""

from collections.abc import Sequence

from core.nouns import Item
from store.engine.database import Database
from store.items.items import fetch_revisions

MAX_CANDIDATES = 500


def find_similar_items(database: Database, item: str, language: str, pieces: Sequence[str], least: int) -> list[Item]:
    """Return other items of the language that are not refused and have at least `least` of the text pieces in their question,
    in their current state: at most MAX_CANDIDATES items, those with most matching pieces first."""
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
