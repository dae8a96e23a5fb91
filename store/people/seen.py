"""Record which news on the first page each person has seen, so that a person sees each piece of news only once."""

from store.engine.columns import current_time, pair_key
from store.engine.database import Database


def mark_seen(database: Database, person: str, thing: str) -> None:
    """Record that the person has seen the piece of news named `thing`; doing this again changes nothing."""
    row = [pair_key(person, thing), person, thing, current_time()]
    database.execute("INSERT INTO seen VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", row)


def load_seen(database: Database, person: str) -> frozenset[str]:
    """Return the names of all pieces of news that the person has seen."""
    return frozenset(row[0] for row in database.rows("SELECT thing FROM seen WHERE person = ?", [person]))
