"""Which systems solved which items, from stored traces and scores. Of each system and agent the newest run counts that answered
the item as its words are now; a failed answer and one without a score say nothing."""

from collections.abc import Sequence
from typing import NamedTuple

from core.quality.difficulty import EASY, MEDIUM, MIN_SYSTEMS, DifficultyRule, SolvedItems
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
"""Items that have a difficulty, of one band or, for NULL, of any, as core/difficulty tells bands apart. Its parameters: those
of `params`, then the band."""


class SystemOutcome(NamedTuple):
    """How one system fared with one item."""

    item: str
    system: str
    agent: str
    """"" = it asks none."""
    is_solved: bool


def load_tried(database: Database, rule: DifficultyRule) -> list[SolvedItems]:
    """Items that are not refused or discarded, by level and how they fared; those that no system answered have 0 systems."""
    rows = database.rows(
        f"""
        WITH {_SOLVED}, fared AS (
            SELECT item, count(*) FILTER (is_solved) AS solved, count(*) AS systems
            FROM newest
            GROUP BY item
        )
        SELECT s.level, coalesce(f.solved, 0), coalesce(f.systems, 0), count(*)
        FROM state s
        LEFT JOIN fared f ON f.item = s.item
        WHERE s.status IN ('drafted', 'accepted')
        GROUP BY ALL
        ORDER BY ALL
        """,
        rule_parameters(rule),
    )
    return [SolvedItems(level_from_text(level), *rest) for level, *rest in rows]


def load_outcomes(database: Database, rule: DifficultyRule, items: Sequence[str] | None = None) -> list[SystemOutcome]:
    """Every system's newest answer to those items (None = all)."""
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
    """Another one as soon as an item, a status, a trace or a score came."""
    [states] = database.rows("SELECT count(*), sum(revision)::BIGINT, bit_xor(hash(item, status)) FROM state")
    [runs] = database.rows(
        "SELECT (SELECT count(*) FROM trace), count(*), bit_xor(hash(run, item, variant, metric, version, value)) FROM score"
    )
    return (*states, *runs)


def rule_parameters(rule: DifficultyRule) -> list[object]:
    """Of the queries for that rule."""
    return [rule.least, rule.metric, list(rule.systems), list(rule.systems)]
