"""What each person has looked at of what their first page told them, so that it is told once."""

from store.engine.columns import current_time, pair_key, replace_surrogates
from store.engine.database import Database


def mark_seen(database: Database, person: str, thing: str) -> None:
    """Record that this person has looked at it; again changes nothing."""
    row = [pair_key(person, thing), replace_surrogates(person), thing, current_time()]
    database.write(lambda cursor: cursor.execute("INSERT INTO seen VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", row))


def load_seen(database: Database, person: str) -> frozenset[str]:
    """Everything that this person has looked at."""
    return frozenset(row[0] for row in database.rows("SELECT thing FROM seen WHERE person = ?", [replace_surrogates(person)]))
