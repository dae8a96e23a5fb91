"""All rows of one item, for the page that shows one: by equality and by keys, several times as fast as the queries that take a
list of items."""

from core.nouns import Review, Verdict
from store.database import Database
from store.review_rows import COLUMNS, review_of
from store.standing import standing
from store.standing_verdicts import standing as standing_verdicts
from store.verdicts import numbered_verdicts


def verdicts(database: Database, item: str) -> list[Verdict]:
    """What stands of what the gates found on every revision of it, the oldest revision first."""
    return standing_verdicts(numbered_verdicts(database.rows, item))


def decisions(database: Database, item: str) -> list[Review]:
    """The decisions and opinions on it that stand, in the order they were made."""
    rows = database.rows(f"SELECT {COLUMNS} FROM review WHERE item = ? ORDER BY number", [item])
    return standing([review_of(row) for row in rows])
