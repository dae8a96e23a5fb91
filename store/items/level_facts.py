"""Summarise the level audit, which measures each item's difficulty level, over all drafted and accepted items."""

from typing import NamedTuple

from core.quality.level_audit import AuditCell
from store.corpus.document_use import STATES_FINGERPRINT
from store.engine.database import Database
from store.items.current_verdicts import CURRENT_VERDICTS

_AUDITED = f"""current AS (
        SELECT item, revision, gate, outcome, why, details
        FROM verdict
        WHERE gate IN ('level', 'necessity')
        {CURRENT_VERDICTS}
    ), audited AS (
        SELECT s.level::INTEGER AS declared, l.why, l.details, coalesce(n.outcome = 'flag', false) AS is_spare
        FROM state s
        LEFT JOIN current l ON l.item = s.item AND l.revision = s.revision AND l.gate = 'level'
        LEFT JOIN current n ON n.item = s.item AND n.revision = s.revision AND n.gate = 'necessity'
        WHERE s.status IN ('drafted', 'accepted') AND s.level IN ('1', '2', '3', '4')
    )"""
MEASURES = ("evidence", "sentences", "sections", "documents", "distance", "rank", "rank_shift")
"""Names of the level audit's measures in the details of a verdict, in the order in which a table shows them."""


class MeasureMean(NamedTuple):
    """Mean of one measure of the level audit, over the items of one declared difficulty level."""

    declared: int
    measure: str
    mean: float | None
    n: int
    """Number of items that have a value of the measure."""


def load_audit_cells(database: Database) -> list[AuditCell]:
    """Return the number of items for each pair of declared and measured difficulty level."""
    rows = database.rows(
        f"""
        WITH {_AUDITED}, measured AS (
            SELECT
                declared, json_extract_string(details, '$.measured')::INTEGER AS measured, coalesce(why, '') AS why, is_spare,
                json_extract_string(details, '$.undefined') AS undefined
            FROM audited
        )
        SELECT declared, measured, CASE WHEN measured IS NULL AND undefined IS NULL THEN why ELSE '' END, is_spare,
            count(*), undefined
        FROM measured
        GROUP BY ALL
        ORDER BY ALL
        """
    )
    return [AuditCell(*row) for row in rows]


def load_means(database: Database) -> list[MeasureMean]:
    """Return the mean of every measure of the level audit for each declared difficulty level."""
    cells = ", ".join(f"json_extract_string(details, '$.{name}')::DOUBLE AS {name}" for name in MEASURES)
    parts = ", ".join(f"avg({name}), count({name})" for name in MEASURES)
    measured = f"measured AS (SELECT declared, {cells} FROM audited)"
    rows = database.rows(
        f"WITH {_AUDITED}, {measured} SELECT declared, {parts} FROM measured GROUP BY declared ORDER BY declared"
    )
    return [MeasureMean(row[0], name, row[1 + 2 * n], row[2 + 2 * n]) for row in rows for n, name in enumerate(MEASURES)]


def fingerprint(database: Database) -> tuple[object, ...]:
    """Return a value that changes whenever an item, a status or a verdict changes."""
    return (*database.rows(STATES_FINGERPRINT)[0], *database.rows("SELECT max(number) FROM verdict")[0])
