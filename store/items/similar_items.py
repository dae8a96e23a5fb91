"""Find items whose question may be nearly the same as a given item's question. SQL does the search, so that not all items must
be loaded."""

from collections.abc import Sequence

from core.nouns import Item
from store.engine.database import Database
from store.items.items import fetch_revisions

MAX_CANDIDATES = 500


def find_similar_items(database: Database, item: str, language: str, pieces: Sequence[str], least: int) -> list[Item]:
    """Return other items in the language whose current question contains at least `least` of the short texts in `pieces`;
    refused items are left out. If more than MAX_CANDIDATES items are found, return only those that contain most of the short
    texts."""
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
