"""Load the numbers of documents, items, releases and runs for the app's first screen, each with one query."""

from typing import NamedTuple

from core.nouns import Level
from store.corpus.documents import IN_CORPUS
from store.engine.columns import Timestamp, level_from_text
from store.engine.database import Database


class RunHeading(NamedTuple):
    """A run in the list on the first screen, with its numbers of answers but without its traces."""

    id: str
    system: str
    release: str
    agent: str | None
    is_offline: bool
    """Whether the offline agent drafted, answered or judged for this run."""
    asked: int
    answered: int
    failed: int
    created: Timestamp


class ReleaseHeading(NamedTuple):
    """A release in the list on the first screen: its name and the time when it was frozen, without its content."""

    name: str
    created: Timestamp


def is_empty(database: Database) -> bool:
    """Check whether the workspace has neither documents nor items."""
    return not database.rows("SELECT 1 FROM document LIMIT 1") and not database.rows("SELECT 1 FROM state LIMIT 1")


def list_domains(database: Database) -> list[str]:
    """Return the names of the domains of all documents in the corpus."""
    return [name for (name,) in database.rows(f"SELECT DISTINCT domain FROM document WHERE {IN_CORPUS} ORDER BY domain")]


def count_items(database: Database) -> list[tuple[str, Level, str, str, int]]:
    """Return (task, level, domain, status, number of items) for each combination that occurs."""
    sql = "SELECT task, level, domain, status, count(*) FROM state GROUP BY task, level, domain, status"
    return [(task, level_from_text(level), *rest) for task, level, *rest in database.rows(sql)]


def load_releases(database: Database, limit: int) -> list[ReleaseHeading]:
    """Return the newest releases without their manifests, because reading a large manifest takes a second."""
    sql = "SELECT name, max(made_at) FROM release GROUP BY name ORDER BY max(number) DESC LIMIT ?"
    return [ReleaseHeading(*row) for row in database.rows(sql, [limit])]


def load_runs(database: Database, limit: int) -> list[RunHeading]:
    """Return the newest runs, each with its number of questions asked, answered and failed."""
    rows = database.rows(
        """
        WITH newest AS (SELECT * FROM run ORDER BY number DESC LIMIT ?), counted AS (
            SELECT run, count(answer) AS answered, count(*) - count(answer) AS failed
            FROM trace
            WHERE run IN (SELECT id FROM newest)
            GROUP BY run
        )
        SELECT
            id, system, release, agent, json_array_length(offline) > 0, json_array_length(asked), coalesce(answered, 0),
            coalesce(failed, 0), made_at
        FROM newest LEFT JOIN counted ON counted.run = newest.id
        ORDER BY number DESC
        """,
        [limit],
    )
    return [RunHeading(*row) for row in rows]
