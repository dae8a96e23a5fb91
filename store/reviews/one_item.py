"""Load all data of one item for the page that shows the item. Queries by key are several times faster than queries for a list
of items."""

from collections.abc import Sequence

from core.nouns import Review, Verdict
from store.engine.database import Database
from store.engine.followers import KeptReads
from store.items.current_verdicts import select_current_verdicts
from store.items.verdicts import fetch_numbered_verdicts
from store.queue.effective_reviews import select_effective
from store.reviews.review_rows import fetch_reviews


class VerdictReads(KeptReads[list[Verdict]]):
    """In-memory cache of the gates' current verdicts on items that people reviewed recently or will review next."""

    table, columns = "verdict", ("item",)


def load_verdicts(database: Database, item: str, ahead: Sequence[str] = ()) -> list[Verdict]:
    """Return the current verdicts on every revision of the item, oldest revision first. If the verdicts are not cached, the
    same query also loads the verdicts on the items in `ahead`, which people will review next."""
    kept = database.follow(VerdictReads)
    n_commits, found = kept.n_commits, kept.get(item)
    if found is None:
        stored: dict[str, list[tuple[int, Verdict]]] = {one: [] for one in (item, *ahead) if kept.get(one) is None}
        for number, verdict in fetch_numbered_verdicts(database.rows, list(stored)):
            stored[verdict.item].append((number, verdict))
        read = {one: select_current_verdicts(numbered) for one, numbered in stored.items()}
        kept.put(read, n_commits)
        found = read[item]
    return found


def load_decisions(database: Database, item: str) -> list[Review]:
    """Return the decisions and opinions on the item that are in effect, in the order in which they were made."""
    return select_effective(fetch_reviews(database.rows, item))
