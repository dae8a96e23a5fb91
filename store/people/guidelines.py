"""Guidelines: what annotators are told beside an item, a text for each task and one for all. Every saved text is kept; the
newest of its task counts. One count of versions runs over all texts, so that one number tells what a decision was made
under."""

from dataclasses import dataclass
from typing import NamedTuple

from store.engine.columns import current_time, replace_surrogates
from store.engine.database import Cursor, Database
from store.queue.effective_reviews import IS_KEPT

EVERY_TASK = ""
"""In the place of a task: the text that stands beside the items of all."""
_ALL_COLUMNS = "version, task, text, note, made_by, made_at"
_STANDING = f"""
    SELECT s.item, s.number, s.task, coalesce(arg_max(try_cast(r.details ->> '$.guideline' AS INTEGER), r.number), 0) AS version
    FROM state s JOIN review r ON r.item = s.item AND r.revision = s.revision
    WHERE s.status IN ('accepted', 'discarded') AND r.role <> 'opinion' AND {IS_KEPT}
    GROUP BY s.item, s.number, s.task
    """
"""The decision that each decided item stands by, with the guideline version that it was made under; 0 = none."""


@dataclass(frozen=True, slots=True)
class GuidelineVersion:
    """One saved text. Identity: version."""

    version: int
    task: str
    """EVERY_TASK = of all."""
    text: str
    """"" = taken back: there is none."""
    note: str
    by: str
    at: str
    """UTC, ISO format."""


class DecidedUnder(NamedTuple):
    """Standing decisions of one task that were made under one version."""

    task: str
    version: int
    """0 = before there was any."""
    items: int
    first: str
    """The first of the items, in the order that they came."""
    place: int
    """Its number in that order."""


def add(database: Database, task: str, text: str, note: str, by: str) -> GuidelineVersion:
    """Store this text as the next version; it counts from now on. The text that counts already is no new version."""
    words = replace_surrogates(text)

    def write(cursor: Cursor) -> None:
        cursor.execute(
            """
            INSERT INTO guideline (version, task, text, note, made_by, made_at)
            SELECT coalesce(max(version), 0) + 1, ?, ?, ?, ?, ?
            FROM guideline
            HAVING coalesce(arg_max(text, version) FILTER (WHERE task = ?), '') <> ?
            """,
            [task, words, replace_surrogates(note), replace_surrogates(by), current_time(), task, words],
        )

    database.write(write)
    found = load_versions(database, task)
    return found[-1] if found else GuidelineVersion(0, task, "", "", "", "")


def load_versions(database: Database, task: str) -> list[GuidelineVersion]:
    """Every text of that task, oldest first."""
    rows = database.rows(f"SELECT {_ALL_COLUMNS} FROM guideline WHERE task = ? ORDER BY version", [task])
    return [GuidelineVersion(*row) for row in rows]


def load_current(database: Database) -> dict[str, GuidelineVersion]:
    """Task -> the text that counts, of every task that ever had one."""
    sql = f"SELECT {_ALL_COLUMNS} FROM guideline WHERE version IN (SELECT max(version) FROM guideline GROUP BY task) "
    sql += "ORDER BY version"
    rows = database.read_cached("guidelines", ["guideline"], lambda: database.rows(sql))
    return {row[1]: GuidelineVersion(*row) for row in rows}


def load_decisions_by_version(database: Database) -> list[DecidedUnder]:
    """The standing decisions of each task under each version; 0.09 s for 100,000 of them."""
    rows = database.rows(
        f"SELECT task, version, count(*), arg_min(item, number), min(number) FROM ({_STANDING}) GROUP BY ALL ORDER BY ALL"
    )
    return [DecidedUnder(*row) for row in rows]
