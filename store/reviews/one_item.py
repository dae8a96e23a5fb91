"""All rows of one item, for the page that shows it: read by keys, several times as fast as queries for a list of items."""

from core.nouns import Review, Verdict
from store.engine.database import Database
from store.items.current_verdicts import select_current_verdicts
from store.items.verdicts import fetch_numbered_verdicts
from store.queue.effective_reviews import select_effective
from store.reviews.review_rows import fetch_reviews


def load_verdicts(database: Database, item: str) -> list[Verdict]:
    """Return the current verdicts on every revision of the item, oldest revision first."""
    return select_current_verdicts(fetch_numbered_verdicts(database.rows, item))


def load_decisions(database: Database, item: str) -> list[Review]:
    """Return the effective decisions and opinions on the item, in the order in which they were made."""
    return select_effective(fetch_reviews(database.rows, item))
