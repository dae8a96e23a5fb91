"""All rows of one item, for the page that shows one: by equality and by keys, several times as fast as the queries that take a
list of items."""

from core.nouns import Review, Verdict
from store.columns import from_json
from store.database import Database
from store.format import Revision
from store.reviews import review_of


def lineage(database: Database, item: str, latest: int) -> list[Revision]:
    """Every revision of the item up to the latest, oldest first."""
    sql = """
        SELECT item, revision, question, answers, made_by, made_at
        FROM revision
        WHERE key IN (SELECT unnest(?::VARCHAR[]))
        ORDER BY revision
        """
    rows = database.rows(sql, [[f"{item}@{revision}" for revision in range(1, latest + 1)]])
    return [Revision(i, r, question, tuple(from_json(answers)), by, at) for i, r, question, answers, by, at in rows]


def verdicts(database: Database, item: str) -> list[Verdict]:
    """What the gates found on every revision of it, the oldest revision first."""
    sql = """
        SELECT item, revision, gate, version, outcome, why, details, calls
        FROM verdict
        WHERE item = ?
        ORDER BY revision, gate, version
        """
    return [Verdict(*(*row[:6], from_json(row[6]), tuple(from_json(row[7])))) for row in database.rows(sql, [item])]


def decisions(database: Database, item: str) -> list[Review]:
    """The decisions on it that stand, in the order they were made."""
    sql = """
        SELECT id, item, revision, person, decision, reason, comment, seconds, made_at, details
        FROM review
        WHERE item = ?
        ORDER BY number
        """
    found = [review_of(row) for row in database.rows(sql, [item])]
    undone = max((place for place, review in enumerate(found) if review.decision == "undo"), default=-1)
    return found[undone + 1 :]
