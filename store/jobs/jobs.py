"""Store and load jobs: long work, its progress, and the result of each piece. The runner may be killed at any moment and
continue from the stored state."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.errors import BenchError
from core.ids import canonical_json, new_id
from core.installation import COMMAND
from store.engine.columns import Timestamp, current_time, decode_json, from_json, insert_row, insert_rows, to_json
from store.engine.database import Cursor, Database

JobState = Literal["queued", "running", "paused", "done", "failed", "cancelled", "budget", "endpoint", "batch"]
UNFINISHED_STATES = ("queued", "running", "paused", "failed", "budget", "endpoint", "batch")
"""States from which a job can continue. budget: the job reached its budget; endpoint: the agent's endpoint failed; batch: the
job waits for its batch."""

APP = "app"
"""Owner, or prefix of the owner, of a job that the app started."""
COLUMNS = "id, kind, params, budget, state, total, cancel, owner, heartbeat, error, result, made_at, seconds, batch"


@dataclass(frozen=True, slots=True)
class Job:
    """One long-running task of the program, such as drafting or a run."""

    id: str
    kind: str
    """Kind of the job: draft, run, ..."""
    params: dict[str, Any]
    """Parameters of the job, as JSON values."""
    budget: float | None
    """Maximum cost in US dollars; None = unlimited."""
    state: str
    total: int | None
    """Number of requested pieces; None = unknown."""
    cancel: bool
    """Whether a person cancelled the job; cancelled jobs never continue."""
    owner: str | None
    heartbeat: Timestamp | None
    """Time when the job last started, ended or was left for later."""
    error: str | None
    result: Any
    """Result of the verb as JSON values; None before the end."""
    created: Timestamp
    seconds: float | None = None
    """Total working time of all starts in seconds; None before the first end."""
    batch: str | None = None
    """Folder in which the job collects its requests for a batch; None = the job asks at once."""


@dataclass(frozen=True, slots=True)
class JobItem:
    """One piece of a job."""

    key: str
    state: str
    """State of the piece: todo, running, done or failed."""
    attempts: int
    result: Any
    error: str | None


Piece = tuple[str, str, Any]
"""(key, state, result as JSON values) of a piece of a job."""


def create(
    database: Database,
    kind: str,
    params: Mapping[str, Any],
    budget: float | None = None,
    total: int | None = None,
    pieces: Sequence[str] = (),
) -> str:
    """Store a queued job, with its pieces if they are already known; returns its id."""
    job = new_id()

    def write(cursor: Cursor) -> str:
        _create(cursor, job, kind, params, budget, total)
        add_items(cursor, job, pieces)
        return job

    return database.write(write)


def find_or_create(
    database: Database,
    kind: str,
    params: Mapping[str, Any],
    budget: float | None = None,
    total: int | None = None,
    states: Sequence[str] = UNFINISHED_STATES,
) -> str:
    """Return the id of the newest job with the same kind and parameters in one of those states, after setting its budget, or of
    a new job."""
    return _find_or_create(database, kind, params, budget, total, states)


def create_once(database: Database, kind: str, params: Mapping[str, Any], total: int | None = None) -> str:
    """Return the id of the newest job with the same kind and parameters, finished or not, or of a new job."""
    return _find_or_create(database, kind, params, None, total, None)


def _find_or_create(
    database: Database,
    kind: str,
    params: Mapping[str, Any],
    budget: float | None,
    total: int | None,
    states: Sequence[str] | None,
) -> str:
    new, text = new_id(), canonical_json(dict(params))

    def write(cursor: Cursor) -> str:
        unfinished = "state IN (SELECT unnest(?::VARCHAR[])) AND NOT cancel"
        sql = f"SELECT id FROM job WHERE kind = ? AND params = ? AND (? OR ({unfinished})) ORDER BY number DESC LIMIT 1"
        rows = cursor.execute(sql, [kind, text, states is None, list(states or ())]).fetchall()
        if not rows:
            return _create(cursor, new, kind, params, budget, total)
        cursor.execute("UPDATE job SET budget = ? WHERE id = ?", [budget, rows[0][0]])
        return str(rows[0][0])

    return database.write(write)


def get(database: Database, job: str) -> Job:
    """Return the job with the given id, or whose id begins with these six or more digits. Raises BenchError unless exactly one
    job matches."""
    rows = database.rows(f"SELECT {COLUMNS} FROM job WHERE id = ?", [job])
    if not rows and len(job) >= 6:
        rows = database.rows(f"SELECT {COLUMNS} FROM job WHERE starts_with(id, ?)", [job])
    if len(rows) != 1:
        trouble = f"{len(rows)} jobs begin with {job}: give more digits" if rows else f"No job {job} in this workspace"
        raise BenchError(f"{trouble}; `{COMMAND} jobs` lists them.")
    return job_from_row(rows[0])


def list_jobs(database: Database) -> list[Job]:
    """Return all jobs, oldest first."""
    return [job_from_row(row) for row in database.rows(f"SELECT {COLUMNS} FROM job ORDER BY number")]


def list_unfinished(database: Database, kinds: Sequence[str]) -> list[Job]:
    """Return the jobs of the given kinds that are running or can be continued."""
    rows = database.rows(
        f"SELECT {COLUMNS} FROM job WHERE kind IN (SELECT unnest(?::VARCHAR[])) AND state IN (SELECT unnest(?::VARCHAR[]))",
        [list(kinds), list(UNFINISHED_STATES)],
    )
    return [job_from_row(row) for row in rows]


def begin(database: Database, job: str, owner: str) -> None:
    """Mark the job as running in the process `owner`; pieces on which a killed process was working are waiting again. Raises
    BenchError if the job was cancelled."""

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
        raise BenchError(f"The job {job} was cancelled and cannot be resumed: run its command again for a new job.")


def is_cancelled(database: Database, job: str) -> bool:
    """Check whether a person cancelled the job."""
    return database.rows("SELECT cancel FROM job WHERE id = ?", [job]) == [(True,)]


def cancel(database: Database, job: str) -> None:
    """Cancel the job permanently: a running job stops at its next check, any other unfinished job stops at once."""
    sql = """
        UPDATE job
        SET cancel = true, state = CASE state WHEN 'running' THEN state ELSE 'cancelled' END
        WHERE id = ? AND state NOT IN ('done', 'cancelled')
        """
    database.execute(sql, [job])


def set_budget(database: Database, job: str, budget: float) -> None:
    """Set the cost limit of the job in US dollars, which applies from its next start on."""
    database.execute("UPDATE job SET budget = ? WHERE id = ?", [budget, job])


def set_batch(database: Database, job: str, folder: str | None) -> None:
    """Set the folder in which the job collects its requests for a batch, from its next start on; None = the job asks at
    once."""
    database.execute("UPDATE job SET batch = ? WHERE id = ?", [folder, job])


def list_waiting_for_batch(database: Database, folder: str) -> list[str]:
    """Return the ids of the jobs that wait for a batch in the folder, oldest first."""
    sql = "SELECT id FROM job WHERE batch = ? AND state IN ('batch', 'budget') AND NOT cancel ORDER BY number"
    return [job for (job,) in database.rows(sql, [folder])]


def set_total(database: Database, job: str, total: int) -> None:
    """Set the number of pieces of the job, if it becomes known only while the job runs."""
    database.execute("UPDATE job SET total = ? WHERE id = ?", [total, job])


def end(database: Database, job: str, state: JobState, result: Any = None, error: str | None = None) -> None:
    """Store how the job ended, and add the time since its last heartbeat to its working time."""
    sql = """
        UPDATE job
        SET state = ?, result = ?, error = ?, owner = NULL, heartbeat = ?, seconds = CASE WHEN state = 'running'
            THEN coalesce(seconds, 0) + epoch(?::TIMESTAMPTZ) - epoch(heartbeat::TIMESTAMPTZ) ELSE seconds END
        WHERE id = ?
        """
    text, at = None if result is None else to_json(result), current_time()
    database.execute(sql, [state, text, error, at, at, job])


def requeue_interrupted(database: Database) -> list[Job]:
    """Queue the jobs that were running when their process ended, and return them. Called at the start of the process that holds
    the workspace. Jobs of the app keep the app as their owner."""
    is_running = "SELECT 1 FROM {} WHERE state = 'running'"
    if not database.rows(f"{is_running.format('job')} UNION ALL {is_running.format('job_item')} LIMIT 1"):
        return []

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
    """Queue the job so that the next start of the app continues it."""
    sql = "UPDATE job SET state = 'queued', owner = ?, heartbeat = ? WHERE id = ? AND NOT cancel"
    database.execute(sql, [APP, current_time(), job])


def list_left_over(database: Database) -> list[str]:
    """Return the ids of the jobs on which the app was working when it ended, oldest first."""
    sql = "SELECT id FROM job WHERE state = 'queued' AND owner = ? AND NOT cancel ORDER BY number"
    return [str(id_) for (id_,) in database.rows(sql, [APP])]


def add_items(cursor: Cursor, job: str, keys: Iterable[str]) -> None:
    """Store waiting pieces of the job in that order, within the caller's transaction; pieces that are already stored are
    kept."""
    _insert_pieces(cursor, job, ((key, "todo", None) for key in keys), "DO NOTHING")


def claim(cursor: Cursor, job: str, count: int) -> list[str]:
    """Mark the next waiting pieces, at most `count`, as running, within the caller's transaction; returns their keys in
    order."""
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
    """Mark claimed pieces as waiting again, as if they had not been claimed, within the caller's transaction."""
    cursor.execute(
        """
        UPDATE job_item
        SET state = 'todo', attempts = attempts - 1
        WHERE job = ? AND state = 'running' AND key IN (SELECT unnest(?::VARCHAR[]))
        """,
        [job, list(keys)],
    )


def insert_items(cursor: Cursor, job: str, pieces: Sequence[Piece], errors: Mapping[str, str] | None = None) -> None:
    """Store the results of new and claimed pieces, in the same transaction as the data that they produced. `errors` contains a
    sentence for each key that failed."""
    changed = ", ".join(f"{name} = excluded.{name}" for name in ("state", "result", "error", "made_at"))
    _insert_pieces(cursor, job, pieces, f"(job, key) DO UPDATE SET {changed}", errors)


def note_run(database: Database, job: str, run: str) -> None:
    """Record that the job works on the given run, whose traces show the progress of the job."""
    database.write(lambda cursor: insert_items(cursor, job, [(run, "running", None)]))


def reset_running(cursor: Cursor, job: str | None = None) -> None:
    """Mark pieces as waiting again if a killed process was working on them; None as the job means all jobs."""
    cursor.execute("UPDATE job_item SET state = 'todo' WHERE state = 'running' AND (?::VARCHAR IS NULL OR job = ?)", [job, job])


def load_pieces(database: Database, job: str) -> list[JobItem]:
    """Return every piece of the job, in order."""
    rows = database.rows("SELECT key, state, attempts, result, error FROM job_item WHERE job = ? ORDER BY number", [job])
    return [JobItem(*decode_json(row, 3)) for row in rows]


def load_results(database: Database, job: str) -> list[tuple[str, Any]]:
    """Return (key, result) of the pieces of the job that have a result, in order."""
    rows = database.rows("SELECT key, result FROM job_item WHERE job = ? AND result IS NOT NULL ORDER BY number", [job])
    return [(key, from_json(result)) for key, result in rows]


def count_states(database: Database, job: str) -> dict[str, int]:
    """Return state -> number of pieces of the job."""
    return dict(database.rows("SELECT state, count(*) FROM job_item WHERE job = ? GROUP BY state ORDER BY state", [job]))


def _create(cursor: Cursor, job: str, kind: str, params: Mapping[str, Any], budget: float | None, total: int | None) -> str:
    row = (job, kind, canonical_json(dict(params)), budget, "queued", total, False, current_time())
    insert_row(cursor, "job", "id, kind, params, budget, state, total, cancel, made_at", row, is_numbered=True)
    return job


def _insert_pieces(
    cursor: Cursor, job: str, pieces: Iterable[Piece], conflict: str, errors: Mapping[str, str] | None = None
) -> None:
    (last,) = cursor.execute("SELECT coalesce(max(number), 0) FROM job_item WHERE job = ?", [job]).fetchall()[0]
    latest = {key: (state, result) for key, state, result in pieces}
    at, words = current_time(), errors or {}
    rows = (
        (job, key, number, state, int(state != "todo"), None if result is None else to_json(result), words.get(key), at)
        for number, (key, (state, result)) in enumerate(latest.items(), last + 1)
    )
    insert_rows(cursor, "job_item", "job, key, number, state, attempts, result, error, made_at", rows, conflict)


def job_from_row(row: tuple[Any, ...]) -> Job:
    """Build a job from a row with the columns COLUMNS."""
    return Job(*decode_json(row, 2, 10))
