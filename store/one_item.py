"""All rows of one item, for the page that shows one: by equality and by keys, several times as fast as the queries that take a
list of items."""

from core.nouns import Review, Verdict
from store.columns import from_json
from store.database import Database
from store.format import Revision
from store.items import verdict_of
from store.review_rows import COLUMNS, review_of
from store.standing import standing
from store.standing_verdicts import STANDING


def lineage(database: Database, item: str, latest: int) -> list[Revision]:
    """Every revision of the item up to the latest, oldest first."""
    sql = """
        SELECT item, revision, question, answers, made_by, made_at, base
        FROM revision
        WHERE key IN (SELECT unnest(?::VARCHAR[]))
        ORDER BY revision
        """
    rows = database.rows(sql, [[f"{item}@{revision}" for revision in range(1, latest + 1)]])
    return [Revision(i, r, question, tuple(from_json(a)), *made) for i, r, question, a, *made in rows]


def verdicts(database: Database, item: str) -> list[Verdict]:
    """What stands of what the gates found on every revision of it, the oldest revision first."""
    sql = f"""
        SELECT item, revision, gate, version, outcome, why, details, calls
        FROM verdict
        WHERE item = ?
        {STANDING}
        ORDER BY revision, gate
        """
    return [verdict_of(row) for row in database.rows(sql, [item])]


def decisions(database: Database, item: str) -> list[Review]:
    """The decisions and opinions on it that stand, in the order they were made."""
    rows = database.rows(f"SELECT {COLUMNS} FROM review WHERE item = ? ORDER BY number", [item])
    return standing([review_of(row) for row in rows])
