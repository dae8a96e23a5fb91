"""Long work in tables: what was asked, how far it is, what each piece came to. The runner may be killed at any moment; what is
here is enough to go on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.errors import BenchError
from core.ids import canonical_json, new_id
from store.engine.columns import current_time, from_json, insert_rows, to_json
from store.engine.database import Cursor, Database

JobState = Literal["queued", "running", "paused", "done", "failed", "cancelled", "budget", "endpoint"]
UNFINISHED_STATES = ("queued", "running", "paused", "failed", "budget", "endpoint")
"""The states from which a job can go on. budget: stopped at its cap; endpoint: the agent's endpoint failed."""

APP = "app"
"""The owner, or how the owner begins, of a job that the app began."""

_ITEM = {
    "job": "VARCHAR",
    "key": "VARCHAR",
    "number": "INTEGER",
    "state": "VARCHAR",
    "attempts": "INTEGER",
    "result": "VARCHAR",
    "error": "VARCHAR",
    "made_at": "VARCHAR",
}
COLUMNS = "id, kind, params, budget, state, total, cancel, owner, heartbeat, error, result, made_at, seconds"

_WORKED = """
    seconds = CASE WHEN state = 'running'
        THEN coalesce(seconds, 0) + epoch(?::TIMESTAMPTZ) - epoch(heartbeat::TIMESTAMPTZ) ELSE seconds END
    """
"""What a start comes to: from its heartbeat, set when it began, to the time given."""


@dataclass(frozen=True, slots=True)
class Job:
    """One long piece of work."""

    id: str
    kind: str
    """draft, run, ..."""
    params: dict[str, Any]
    """What was asked; JSON values."""
    budget: float | None
    """US dollars; None = no cap."""
    state: str
    total: int | None
    """How many are wanted; None when nobody knows beforehand."""
    cancel: bool
    """Somebody wants it stopped; it never goes on."""
    owner: str | None
    heartbeat: str | None
    """UTC, ISO format: when it last began, ended or was left for later."""
    error: str | None
    result: Any
    """The verb's JSON, once it ended."""
    created: str
    seconds: float | None = None
    """At work, all its starts together; None before it first ended."""


@dataclass(frozen=True, slots=True)
class JobItem:
    """One piece of a job."""

    key: str
    state: str
    """todo, running, done, failed."""
    attempts: int
    result: Any
    error: str | None


Piece = tuple[str, str, Any]
"""Key, state, result (JSON values) of a piece of a job."""


def create(
    database: Database,
    kind: str,
    params: Mapping[str, Any],
    budget: float | None = None,
    total: int | None = None,
    pieces: Sequence[str] = (),
) -> str:
    """A new queued job, with the pieces that are to do where these are known; returns its id."""
    job = new_id()

    def write(cursor: Cursor) -> str:
        _create(cursor, job, kind, params, budget, total)
        add_items(cursor, job, pieces)
        return job

    return database.write(write)


def find_or_create(
    database: Database, kind: str, params: Mapping[str, Any], budget: float | None = None, total: int | None = None
) -> str:
    """The unfinished job of the same kind and params, with the budget given now, or a new one; returns its id."""
    return _find_or_create(database, kind, params, budget, total, UNFINISHED_STATES)


def create_once(database: Database, kind: str, params: Mapping[str, Any], total: int | None = None) -> str:
    """The newest job of the same kind and params however it ended, or a new one; returns its id."""
    return _find_or_create(database, kind, params, None, total, None)


def _find_or_create(
    database: Database,
    kind: str,
    params: Mapping[str, Any],
    budget: float | None,
    total: int | None,
    states: Sequence[str] | None,
) -> str:
    fresh, text = new_id(), canonical_json(dict(params))

    def write(cursor: Cursor) -> str:
        rows = cursor.execute(
            """
            SELECT id
            FROM job
            WHERE kind = ? AND params = ? AND (? OR (state IN (SELECT unnest(?::VARCHAR[])) AND NOT cancel))
            ORDER BY number DESC
            LIMIT 1
            """,
            [kind, text, states is None, list(states or ())],
        ).fetchall()
        if not rows:
            return _create(cursor, fresh, kind, params, budget, total)
        cursor.execute("UPDATE job SET budget = ? WHERE id = ?", [budget, rows[0][0]])
        return str(rows[0][0])

    return database.write(write)


def get(database: Database, job: str) -> Job:
    """The job of that id, or of an id that begins so (six digits or more); raises BenchError when it is not exactly one."""
    rows = database.rows(f"SELECT {COLUMNS} FROM job WHERE id = ?", [job])
    if not rows and len(job) >= 6:
        rows = database.rows(f"SELECT {COLUMNS} FROM job WHERE starts_with(id, ?)", [job])
    if len(rows) != 1:
        trouble = f"{len(rows)} jobs begin with {job}: give more digits" if rows else f"No job {job} in this workspace"
        raise BenchError(f"{trouble}; `cli.py jobs` lists them.")
    return job_from_row(rows[0])


def list_jobs(database: Database) -> list[Job]:
    """All jobs, oldest first."""
    return [job_from_row(row) for row in database.rows(f"SELECT {COLUMNS} FROM job ORDER BY number")]


def list_unfinished(database: Database, kinds: Sequence[str]) -> list[Job]:
    """Jobs of those kinds that run or can go on."""
    rows = database.rows(
        f"SELECT {COLUMNS} FROM job WHERE kind IN (SELECT unnest(?::VARCHAR[])) AND state IN (SELECT unnest(?::VARCHAR[]))",
        [list(kinds), list(UNFINISHED_STATES)],
    )
    return [job_from_row(row) for row in rows]


def begin(database: Database, job: str, owner: str) -> None:
    """The job runs now, in that process; what a killed one had in hand is to do again. Raises BenchError when somebody
    cancelled it."""

    def write(cursor: Cursor) -> bool:
        reset_running(cursor, job)
        sql = """
            UPDATE job
            SET state = 'running', owner = ?, heartbeat = ?, error = NULL, result = NULL
            WHERE id = ? AND NOT cancel
            RETURNING id
            """
        return bool(cursor.execute(sql, [owner, current_time(), job]).fetchall())

    if not database.write(write):
        raise BenchError(f"The job {job} was cancelled and never goes on: give its command again for a new one.")


def is_cancelled(database: Database, job: str) -> bool:
    """Whether somebody wants it stopped."""
    return database.rows("SELECT cancel FROM job WHERE id = ?", [job]) == [(True,)]


def cancel(database: Database, job: str) -> None:
    """Mark it: a running one stops at its next look, any other that is not done is cancelled at once. It never goes on."""
    sql = """
        UPDATE job
        SET cancel = true, state = CASE state WHEN 'running' THEN state ELSE 'cancelled' END
        WHERE id = ? AND state NOT IN ('done', 'cancelled')
        """
    database.write(lambda cursor: cursor.execute(sql, [job]).fetchall())


def set_budget(database: Database, job: str, budget: float) -> None:
    """Another cap, US dollars, from its next start on."""
    database.write(lambda cursor: cursor.execute("UPDATE job SET budget = ? WHERE id = ?", [budget, job]).fetchall())


def set_total(database: Database, job: str, total: int) -> None:
    """How many pieces it comes to, where that is known only at work."""
    database.write(lambda cursor: cursor.execute("UPDATE job SET total = ? WHERE id = ?", [total, job]).fetchall())


def end(database: Database, job: str, state: JobState, result: Any = None, error: str | None = None) -> None:
    """It came to this; its owner let go of it."""
    sql = f"UPDATE job SET {_WORKED}, state = ?, result = ?, error = ?, owner = NULL, heartbeat = ? WHERE id = ?"
    text, at = None if result is None else to_json(result), current_time()
    database.write(lambda cursor: cursor.execute(sql, [at, state, text, error, at, job]).fetchall())


def requeue_interrupted(database: Database) -> list[Job]:
    """Jobs that were running when their process ended, set back to queued: for the start of the one process that holds the
    workspace. Those of the app keep its name as their owner."""

    def write(cursor: Cursor) -> list[tuple[Any, ...]]:
        cursor.execute("UPDATE job SET state = 'cancelled', owner = NULL WHERE state = 'running' AND cancel")
        reset_running(cursor)
        sql = f"""
            UPDATE job
            SET state = 'queued', owner = CASE WHEN starts_with(owner, '{APP}:') THEN '{APP}' END
            WHERE state = 'running'
            RETURNING {COLUMNS}
            """
        return cursor.execute(sql).fetchall()

    return sorted((job_from_row(row) for row in database.write(write)), key=lambda job: job.created)


def leave_for_restart(database: Database, job: str) -> None:
    """The app ends and leaves the job for its next start."""
    sql = "UPDATE job SET state = 'queued', owner = ?, heartbeat = ? WHERE id = ? AND NOT cancel"
    database.write(lambda cursor: cursor.execute(sql, [APP, current_time(), job]).fetchall())


def list_left_over(database: Database) -> list[str]:
    """Ids of the jobs that the app was at when it ended, oldest first."""
    sql = "SELECT id FROM job WHERE state = 'queued' AND owner = ? AND NOT cancel ORDER BY number"
    return [str(id_) for (id_,) in database.rows(sql, [APP])]


def add_items(cursor: Cursor, job: str, keys: Iterable[str]) -> None:
    """Pieces to do, in that order; those there are stay as they are. Within a transaction of the caller's."""
    _insert(cursor, job, ((key, "todo", None) for key in keys), "DO NOTHING")


def claim(cursor: Cursor, job: str, count: int) -> list[str]:
    """Take up to `count` pieces that are to do, in order: they run now. Within a transaction of the caller's."""
    rows = cursor.execute(
        """
        UPDATE job_item
        SET state = 'running', attempts = attempts + 1, made_at = ?
        WHERE job = ? AND key IN (SELECT key FROM job_item WHERE job = ? AND state = 'todo' ORDER BY number LIMIT ?)
        RETURNING number, key
        """,
        [current_time(), job, job, count],
    ).fetchall()
    return [key for _, key in sorted(rows)]


def put_back(cursor: Cursor, job: str, keys: Sequence[str]) -> None:
    """Claimed pieces are to do again as if they had not been claimed. Within a transaction of the caller's."""
    cursor.execute(
        """
        UPDATE job_item
        SET state = 'todo', attempts = attempts - 1
        WHERE job = ? AND state = 'running' AND key IN (SELECT unnest(?::VARCHAR[]))
        """,
        [job, list(keys)],
    )


def insert_items(cursor: Cursor, job: str, pieces: Sequence[Piece], errors: Mapping[str, str] | None = None) -> None:
    """What pieces came to, new ones and claimed ones alike, in the transaction that stores what they produced. `errors`: a
    sentence for each key that failed."""
    _insert(
        cursor,
        job,
        pieces,
        "(job, key) DO UPDATE SET state = excluded.state, result = excluded.result, "
        "error = excluded.error, made_at = excluded.made_at",
        errors,
    )


def note_run(database: Database, job: str, run: str) -> None:
    """That run is the job's work: how far the job is shows in the run's traces while it goes."""
    database.write(lambda cursor: insert_items(cursor, job, [(run, "running", None)]))


def reset_running(cursor: Cursor, job: str | None = None) -> None:
    """Pieces in hand of a killed process are to do again: of that job, or of all."""
    cursor.execute("UPDATE job_item SET state = 'todo' WHERE state = 'running' AND (?::VARCHAR IS NULL OR job = ?)", [job, job])


def load_pieces(database: Database, job: str) -> list[JobItem]:
    """Every piece of the job, in order."""
    rows = database.rows("SELECT key, state, attempts, result, error FROM job_item WHERE job = ? ORDER BY number", [job])
    return [JobItem(key, state, attempts, from_json(result), error) for key, state, attempts, result, error in rows]


def load_results(database: Database, job: str) -> list[tuple[str, Any]]:
    """(key, result) of the pieces that have one, in order."""
    rows = database.rows("SELECT key, result FROM job_item WHERE job = ? AND result IS NOT NULL ORDER BY number", [job])
    return [(key, from_json(result)) for key, result in rows]


def count_states(database: Database, job: str) -> dict[str, int]:
    """State -> number of pieces."""
    return dict(database.rows("SELECT state, count(*) FROM job_item WHERE job = ? GROUP BY state ORDER BY state", [job]))


def _create(cursor: Cursor, job: str, kind: str, params: Mapping[str, Any], budget: float | None, total: int | None) -> str:
    cursor.execute(
        """
        INSERT INTO job (id, number, kind, params, budget, state, total, cancel, made_at)
        SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ?, 'queued', ?, false, ?
        FROM job
        """,
        [job, kind, canonical_json(dict(params)), budget, total, current_time()],
    )
    return job


def _insert(cursor: Cursor, job: str, pieces: Iterable[Piece], conflict: str, errors: Mapping[str, str] | None = None) -> None:
    (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM job_item WHERE job = ?", [job]).fetchall()[0]
    latest = {key: (state, result) for key, state, result in pieces}
    at, words = current_time(), errors or {}
    rows = (
        (job, key, number, state, int(state != "todo"), None if result is None else to_json(result), words.get(key), at)
        for number, (key, (state, result)) in enumerate(latest.items(), last + 1)
    )
    insert_rows(cursor, "job_item", _ITEM, rows, conflict)


def job_from_row(row: tuple[Any, ...]) -> Job:
    return Job(*(*row[:2], from_json(row[2]), *row[3:10], from_json(row[10]), *row[11:]))
