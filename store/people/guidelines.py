"""Store guidelines for annotators: one text for each task and one for all tasks. Every saved text is stored as a separate
version; the newest version of a task's text applies. The versions of all texts share one numbering, so that one number
identifies the guideline that applied when a decision was made."""

from dataclasses import dataclass
from typing import NamedTuple

from store.engine.columns import Timestamp, current_time
from store.engine.database import Database
from store.queue.effective_reviews import IS_BULK, IS_KEPT, IS_OF_PHASES

EVERY_TASK = ""
"""Value of `task` for the guideline text that applies to all tasks."""
_COLUMNS = "version, task, text, note, made_by, made_at"
_DECISIONS = f"""
    WITH decided AS (
        SELECT s.item, s.number, s.task, max(r.made_at) AS made_at,
            CASE
                WHEN arg_max(r.role <> 'settled' AND NOT {IS_BULK} AND NOT {IS_OF_PHASES}, r.number)
                THEN coalesce(arg_max(try_cast(r.details ->> '$.guideline' AS INTEGER), r.number), 0)
            END AS shown
        FROM state s JOIN review r ON r.item = s.item AND r.revision = s.revision
        WHERE s.status IN ('accepted', 'discarded') AND r.role <> 'opinion' AND {IS_KEPT}
        GROUP BY s.item, s.number, s.task
    ), applied AS (
        SELECT t.task, g.made_at, max(g.version) AS version
        FROM (SELECT DISTINCT task FROM state) t JOIN guideline g ON g.task IN ('{EVERY_TASK}', t.task)
        GROUP BY t.task, g.made_at
    )
    SELECT d.item, d.number, d.task, coalesce(d.shown, a.version, 0) AS version
    FROM decided d ASOF LEFT JOIN applied a ON a.task = d.task AND a.made_at <= d.made_at
    """
"""SQL query for each decided item with the guideline version that applied to the decision; 0 means that the decision was made
before the first version. Some decisions record no version: those in bulk, those in two phases, and those that follow from
opinions. For a decision without a recorded version, the version at the time of the decision counts."""


@dataclass(frozen=True, slots=True)
class GuidelineVersion:
    """One saved version of a guideline text; the number `version` identifies it."""

    version: int
    task: str
    """Name of the task, or EVERY_TASK for the text for all tasks."""
    text: str
    """Text of the guideline; "" if it was withdrawn."""
    note: str
    by: str
    at: Timestamp


class DecidedUnder(NamedTuple):
    """Number of decisions on items of one task that are in effect and were made while one guideline version applied."""

    task: str
    version: int
    """Number of the guideline version; 0 if the decisions were made before the first version."""
    items: int
    first: str
    """Id of the first of the decided items; items are in the order in which they were stored."""
    place: int
    """Number of that first item; items are numbered in the order in which they were stored."""


def add(database: Database, task: str, text: str, note: str, by: str) -> GuidelineVersion:
    """Store the text as the next guideline version of the task, which applies from now on; return this version. If the text is
    the current one, no new version is stored."""
    sql = f"""
        INSERT INTO guideline ({_COLUMNS})
        SELECT coalesce(max(version), 0) + 1, ?, ?, ?, ?, ?
        FROM guideline
        HAVING coalesce(arg_max(text, version) FILTER (WHERE task = ?), '') <> ?
        """
    database.execute(sql, [task, text, note, by, current_time(), task, text])
    versions = load_versions(database, task)
    return versions[-1] if versions else GuidelineVersion(0, task, "", "", "", "")


def load_versions(database: Database, task: str) -> list[GuidelineVersion]:
    """Return all versions of the task's guideline, oldest first."""
    sql = f"SELECT {_COLUMNS} FROM guideline WHERE task = ? ORDER BY version"
    return [GuidelineVersion(*row) for row in database.rows(sql, [task])]


def load_current(database: Database) -> dict[str, GuidelineVersion]:
    """Return a dict from task to its current guideline version, for every task that ever had a guideline."""
    newest = "SELECT max(version) FROM guideline GROUP BY task"
    sql = f"SELECT {_COLUMNS} FROM guideline WHERE version IN ({newest}) ORDER BY version"
    rows = database.read_cached("guidelines", ["guideline"], lambda: database.rows(sql))
    return {row[1]: GuidelineVersion(*row) for row in rows}


def load_decisions_by_version(database: Database) -> list[DecidedUnder]:
    """Return, for each pair of task and guideline version, the number of decisions that are in effect. The query takes 0.3 s
    for 100,000 decisions."""
    columns = "task, version, count(*), arg_min(item, number), min(number)"
    return [DecidedUnder(*row) for row in database.rows(f"SELECT {columns} FROM ({_DECISIONS}) GROUP BY ALL ORDER BY ALL")]
