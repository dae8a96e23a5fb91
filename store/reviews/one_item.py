"""All rows of one item, for the page that shows one: by equality and by keys, several times as fast as the queries that take a
list of items."""

from core.nouns import Review, Verdict
from store.engine.database import Database
from store.items.current_verdicts import select_current_verdicts as standing_verdicts
from store.items.verdicts import fetch_numbered_verdicts
from store.queue.effective_reviews import select_effective
from store.reviews.review_rows import COLUMNS, review_of


def load_verdicts(database: Database, item: str) -> list[Verdict]:
    """What stands of what the gates found on every revision of it, the oldest revision first."""
    return standing_verdicts(fetch_numbered_verdicts(database.rows, item))


def load_decisions(database: Database, item: str) -> list[Review]:
    """The decisions and opinions on it that stand, in the order they were made."""
    rows = database.rows(f"SELECT {COLUMNS} FROM review WHERE item = ? ORDER BY number", [item])
    return select_effective([review_of(row) for row in rows])
