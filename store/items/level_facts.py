"""What the level audit found on all items that are not refused or discarded, grouped in SQL."""

from typing import NamedTuple

from core.quality.level_audit import AuditCell
from store.engine.database import Database
from store.items.current_verdicts import CURRENT_VERDICTS

_STAND = f"""stand AS (
        SELECT item, revision, gate, outcome, why, details
        FROM verdict
        WHERE gate IN ('level', 'necessity')
        {CURRENT_VERDICTS}
    ), found AS (
        SELECT s.level::INTEGER AS declared, l.why, l.details, coalesce(n.outcome = 'flag', false) AS is_spare
        FROM state s
        LEFT JOIN stand l ON l.item = s.item AND l.revision = s.revision AND l.gate = 'level'
        LEFT JOIN stand n ON n.item = s.item AND n.revision = s.revision AND n.gate = 'necessity'
        WHERE s.status IN ('drafted', 'accepted') AND s.level IN ('1', '2', '3', '4')
    )"""
MEASURES = ("evidence", "sentences", "sections", "documents", "distance", "rank", "rank_shift")
"""Names in a verdict's details, in the order of a table."""


class MeasureMean(NamedTuple):
    """Of one measure and level."""

    declared: int
    measure: str
    mean: float | None
    n: int
    """Items that have it."""


def load_audit_cells(database: Database) -> list[AuditCell]:
    """Items by declared and measured level."""
    rows = database.rows(
        f"""
        WITH {_STAND}, told AS (
            SELECT declared, json_extract_string(details, '$.measured')::INTEGER AS measured, coalesce(why, '') AS why, is_spare
            FROM found
        )
        SELECT declared, measured, CASE WHEN measured IS NULL THEN why ELSE '' END, is_spare, count(*)
        FROM told
        GROUP BY ALL
        ORDER BY ALL
        """
    )
    return [AuditCell(*row) for row in rows]


def load_means(database: Database) -> list[MeasureMean]:
    """Every measure by declared level."""
    cells = ", ".join(f"json_extract_string(details, '$.{name}')::DOUBLE AS {name}" for name in MEASURES)
    parts = ", ".join(f"avg({name}), count({name})" for name in MEASURES)
    rows = database.rows(
        f"""
        WITH {_STAND}, told AS (SELECT declared, {cells} FROM found)
        SELECT declared, {parts}
        FROM told
        GROUP BY declared
        ORDER BY declared
        """
    )
    return [MeasureMean(row[0], name, row[1 + 2 * n], row[2 + 2 * n]) for row in rows for n, name in enumerate(MEASURES)]


def fingerprint(database: Database) -> tuple[object, ...]:
    """Another one as soon as an item, a status or a verdict came."""
    [states] = database.rows("SELECT count(*), sum(revision)::BIGINT, bit_xor(hash(item, status)) FROM state")
    [verdicts] = database.rows("SELECT max(number) FROM verdict")
    return (*states, *verdicts)
