"""Record the pieces of text (windows) from which questions of a task were drafted, so that none is used twice."""

from collections.abc import Iterable

from store.engine.columns import insert_rows
from store.engine.database import Cursor, Database


def load_windows(database: Database, task: str) -> set[str]:
    """Return the keys of the pieces of documents (windows) from which questions of this task were already drafted."""
    return {row[0] for row in database.rows("SELECT place FROM tried WHERE task = ?", [task])}


def insert_windows(cursor: Cursor, task: str, windows: Iterable[str], job: str) -> None:
    """Record that the given job drafted questions of the task from the given pieces of documents (windows)."""
    insert_rows(cursor, "tried", "task, place, job", ((task, window, job) for window in windows))
