"""Find out which systems solved an item, from the stored answers and scores of runs. For each pair of RAG system and agent,
only the newest run that answered the item's current text counts. A failed answer, or an answer without a score, does not
count."""

from collections.abc import Sequence
from typing import NamedTuple

from core.quality.difficulty import EASY, MEDIUM, MIN_SYSTEMS, DifficultyRule, SolvedItems
from store.corpus.document_use import STATES_FINGERPRINT
from store.engine.columns import level_from_text
from store.engine.database import Database

_SOLVED = """frozen AS (
        SELECT hash, unnest(from_json(json_extract(manifest, '$.items'), '[{"id":"VARCHAR","revision":"INTEGER"}]')) AS entry
        FROM release
        WHERE hash IN (SELECT release_hash FROM run)
    ), newest AS (
        SELECT s.item, r.system, coalesce(r.agent, '') AS agent, c.value >= ? AS is_solved
        FROM run r
        JOIN frozen f ON f.hash = r.release_hash
        JOIN state s ON s.item = f.entry.id AND s.revision = f.entry.revision
        JOIN trace t ON t.run = r.id AND t.item = s.item AND t.variant = '' AND t.answer IS NOT NULL
        JOIN score c ON c.run = r.id AND c.item = s.item AND c.variant = '' AND c.metric = ? AND c.value IS NOT NULL
        WHERE len(?::VARCHAR[]) = 0 OR list_contains(?::VARCHAR[], r.system)
        QUALIFY row_number() OVER (
            PARTITION BY s.item, r.system, coalesce(r.agent, '') ORDER BY r.number DESC, c.version DESC) = 1
    )"""


DIFFICULT = f"""
    WITH {_SOLVED}
    SELECT item
    FROM newest
    GROUP BY item
    HAVING count(*) >= {MIN_SYSTEMS} AND coalesce(CASE
        WHEN count(*) FILTER (is_solved) / count(*) >= {EASY} THEN 'easy'
        WHEN count(*) FILTER (is_solved) / count(*) >= {MEDIUM} THEN 'medium'
        ELSE 'hard'
    END = ?, true)
    """
"""SQL query for the items in one difficulty band (core/quality/difficulty.py defines the bands), or in any band if the
parameter is NULL. The parameters of the query are the result of `rule_parameters`, followed by the band."""


class SystemOutcome(NamedTuple):
    """Whether one system, with one agent, solved one item."""

    item: str
    system: str
    agent: str
    """Name of the agent that the system asked; "" if the system asks no agent."""
    is_solved: bool


def load_tried(database: Database, rule: DifficultyRule) -> list[SolvedItems]:
    """Return the number of drafted and accepted items for each combination of level, number of systems that answered the item,
    and number of those that solved it."""
    rows = database.rows(
        f"""
        WITH {_SOLVED}, counted AS (
            SELECT item, count(*) FILTER (is_solved) AS solved, count(*) AS systems
            FROM newest
            GROUP BY item
        )
        SELECT s.level, coalesce(f.solved, 0), coalesce(f.systems, 0), count(*)
        FROM state s
        LEFT JOIN counted f ON f.item = s.item
        WHERE s.status IN ('drafted', 'accepted')
        GROUP BY ALL
        ORDER BY ALL
        """,
        rule_parameters(rule),
    )
    return [SolvedItems(level_from_text(level), *rest) for level, *rest in rows]


def load_outcomes(database: Database, rule: DifficultyRule, items: Sequence[str] | None = None) -> list[SystemOutcome]:
    """Return whether each system solved each of the given items with its newest answer. If `items` is None, return this for all
    items."""
    rows = database.rows(
        f"""
        WITH {_SOLVED}
        SELECT item, system, agent, is_solved
        FROM newest
        WHERE ?::VARCHAR[] IS NULL OR list_contains(?::VARCHAR[], item)
        ORDER BY item, system, agent
        """,
        [*rule_parameters(rule), items, items],
    )
    return [SystemOutcome(*row) for row in rows]


def fingerprint(database: Database) -> tuple[object, ...]:
    """Return a value that changes whenever an item, a status, a trace or a score changes."""
    scores = "count(*), bit_xor(hash(run, item, variant, metric, version, value)) FROM score"
    [runs] = database.rows(f"SELECT (SELECT count(*) FROM trace), {scores}")
    return (*database.rows(STATES_FINGERPRINT)[0], *runs)


def rule_parameters(rule: DifficultyRule) -> list[object]:
    """Return the parameters of this module's SQL queries, taken from the rule by which an item counts as solved."""
    return [rule.least, rule.metric, list(rule.systems), list(rule.systems)]
