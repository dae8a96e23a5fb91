"""Store and load jobs, which are long tasks, with their progress and the result of each part of the work (piece). The process
that runs a job may be killed at any moment; the job then continues from the stored state."""

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
"""States from which a job can continue. In the state budget, the job's cost reached its limit; in endpoint, the agent's
endpoint failed; in batch, the job waits for a batch of requests."""

APP = "app"
"""Owner of a job that the app started, or the start of such an owner's name."""
COLUMNS = "id, kind, params, budget, state, total, cancel, owner, heartbeat, error, result, made_at, seconds, batch"


@dataclass(frozen=True, slots=True)
class Job:
    """One long task of the program, such as drafting questions or running a RAG system."""

    id: str
    kind: str
    """Kind of the job, such as draft or run."""
    params: dict[str, Any]
    """Parameters of the job as JSON values."""
    budget: float | None
    """Maximum cost of the job in US dollars, or None without a limit."""
    state: str
    total: int | None
    """Number of pieces of the job's work, or None if unknown."""
    cancel: bool
    """Whether a person cancelled the job; cancelled jobs never continue."""
    owner: str | None
    heartbeat: Timestamp | None
    """Time when the job was last started, ended or put back into the queue."""
    error: str | None
    result: Any
    """Result of the finished job as JSON values, or None before the job ends."""
    created: Timestamp
    seconds: float | None = None
    """Working time in seconds over all starts of the job, or None before the job first ended."""
    batch: str | None = None
    """Folder in which the job collects its LLM requests for one batch, or None if the job sends each request at once."""


@dataclass(frozen=True, slots=True)
class JobItem:
    """One piece of a job's work with its state and result, such as one text window to draft questions from."""

    key: str
    state: str
    """State of the piece: todo, running, done or failed."""
    attempts: int
    result: Any
    error: str | None


Piece = tuple[str, str, Any]
"""A piece of a job's work as (key, state, result as JSON values)."""


def create(
    database: Database,
    kind: str,
    params: Mapping[str, Any],
    budget: float | None = None,
    total: int | None = None,
    pieces: Sequence[str] = (),
) -> str:
    """Store a queued job, with its pieces if they are already known; return its id."""
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
    states: Sequence[str] | None = UNFINISHED_STATES,
) -> str:
    """Return the id of the newest job with the same kind and parameters in one of `states` (None = in any state), after setting
    its budget. If there is no such job, create a job and return its id."""
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


def create_once(database: Database, kind: str, params: Mapping[str, Any], total: int | None = None) -> str:
    """Return the id of the newest job with the same kind and parameters, even if that job is finished; if there is no such job,
    create one and return its id."""
    return find_or_create(database, kind, params, total=total, states=None)


def get(database: Database, job: str) -> Job:
    """Return the job with the given id, which may be abbreviated to its first six or more characters. Raises BenchError unless
    exactly one job matches."""
    rows = database.rows(f"SELECT {COLUMNS} FROM job WHERE id = ?", [job])
    if not rows and len(job) >= 6:
        rows = database.rows(f"SELECT {COLUMNS} FROM job WHERE starts_with(id, ?)", [job])
    if len(rows) != 1:
        trouble = f"{len(rows)} job ids begin with {job}: give more characters" if rows else f"No job {job} in this workspace"
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
    """Mark the job as running in the process `owner`, and mark the pieces that were interrupted as waiting. Raises BenchError
    if the job was cancelled."""

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
        raise BenchError(f"The job {job} was cancelled and cannot be resumed: run its command again to start a new job.")


def is_cancelled(database: Database, job: str) -> bool:
    """Check whether a person cancelled the job."""
    return database.rows("SELECT cancel FROM job WHERE id = ?", [job]) == [(True,)]


def cancel(database: Database, job: str) -> None:
    """Cancel the job permanently. A running job stops when it next checks for cancellation; any other unfinished job stops at
    once."""
    sql = """
        UPDATE job
        SET cancel = true, state = CASE state WHEN 'running' THEN state ELSE 'cancelled' END
        WHERE id = ? AND state NOT IN ('done', 'cancelled')
        """
    database.execute(sql, [job])


def set_budget(database: Database, job: str, budget: float) -> None:
    """Set the maximum cost of the job in US dollars, which takes effect at the next start of the job."""
    database.execute("UPDATE job SET budget = ? WHERE id = ?", [budget, job])


def set_batch(database: Database, job: str, folder: str | None) -> None:
    """Set the folder in which the job collects its LLM requests for one batch, from the next start of the job on. None means
    that the job sends each request immediately."""
    database.execute("UPDATE job SET batch = ? WHERE id = ?", [folder, job])


def list_waiting_for_batch(database: Database, folder: str) -> list[str]:
    """Return the ids of the jobs that wait for the batch of requests in this folder, oldest first."""
    sql = "SELECT id FROM job WHERE batch = ? AND state IN ('batch', 'budget') AND NOT cancel ORDER BY number"
    return [job for (job,) in database.rows(sql, [folder])]


def set_total(database: Database, job: str, total: int) -> None:
    """Set the number of pieces of the job's work, which is known only while the job runs."""
    database.execute("UPDATE job SET total = ? WHERE id = ?", [total, job])


def end(database: Database, job: str, state: JobState, result: Any = None, error: str | None = None) -> None:
    """Store the final state, result and error of the job, and add the time since its last start to its working time."""
    sql = """
        UPDATE job
        SET state = ?, result = ?, error = ?, owner = NULL, heartbeat = ?, seconds = CASE WHEN state = 'running'
            THEN coalesce(seconds, 0) + epoch(?::TIMESTAMPTZ) - epoch(heartbeat::TIMESTAMPTZ) ELSE seconds END
        WHERE id = ?
        """
    text, at = None if result is None else to_json(result), current_time()
    database.execute(sql, [state, text, error, at, at, job])


def requeue_interrupted(database: Database) -> list[Job]:
    """Put the jobs that were running when their process ended back into the queue; return these jobs. Each process calls this
    function when it opens the workspace. Jobs that the app was running still belong to the app."""
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
    """Return the ids of the jobs that the app was running when its process ended, oldest first."""
    sql = "SELECT id FROM job WHERE state = 'queued' AND owner = ? AND NOT cancel ORDER BY number"
    return [str(id_) for (id_,) in database.rows(sql, [APP])]


def add_items(cursor: Cursor, job: str, keys: Iterable[str]) -> None:
    """Store waiting pieces of the job in the order of `keys`, within the caller's transaction. Pieces that are already stored
    do not change."""
    _insert_pieces(cursor, job, ((key, "todo", None) for key in keys), "DO NOTHING")


def claim(cursor: Cursor, job: str, count: int) -> list[str]:
    """Mark at most `count` waiting pieces, the first in order, as running, within the caller's transaction; return their
    keys."""
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
    """Mark claimed pieces of the job as waiting again, as if nobody had claimed them, within the caller's transaction."""
    cursor.execute(
        """
        UPDATE job_item
        SET state = 'todo', attempts = attempts - 1
        WHERE job = ? AND state = 'running' AND key IN (SELECT unnest(?::VARCHAR[]))
        """,
        [job, list(keys)],
    )


def insert_items(cursor: Cursor, job: str, pieces: Sequence[Piece], errors: Mapping[str, str] | None = None) -> None:
    """Store the results of pieces in the transaction that also stores the data that they produced. `errors` is a dict from the
    key of each failed piece to an error message."""
    changed = ", ".join(f"{name} = excluded.{name}" for name in ("state", "result", "error", "made_at"))
    _insert_pieces(cursor, job, pieces, f"(job, key) DO UPDATE SET {changed}", errors)


def note_run(database: Database, job: str, run: str) -> None:
    """Record which run the job works on; the number of the run's traces then shows the progress of the job."""
    database.write(lambda cursor: insert_items(cursor, job, [(run, "running", None)]))


def reset_running(cursor: Cursor, job: str | None = None) -> None:
    """Mark the pieces on which a killed process was working as waiting again, for one job or, if `job` is None, for all
    jobs."""
    cursor.execute("UPDATE job_item SET state = 'todo' WHERE state = 'running' AND (?::VARCHAR IS NULL OR job = ?)", [job, job])


def load_pieces(database: Database, job: str) -> list[JobItem]:
    """Return every piece of the job, in the order in which the pieces were stored."""
    rows = database.rows("SELECT key, state, attempts, result, error FROM job_item WHERE job = ? ORDER BY number", [job])
    return [JobItem(*decode_json(row, 3)) for row in rows]


def load_results(database: Database, job: str) -> list[tuple[str, Any]]:
    """Return (key, result) of each piece of the job that has a result, in order."""
    rows = database.rows("SELECT key, result FROM job_item WHERE job = ? AND result IS NOT NULL ORDER BY number", [job])
    return [(key, from_json(result)) for key, result in rows]


def count_states(database: Database, job: str) -> dict[str, int]:
    """Return a dict from state to the number of the job's pieces in that state."""
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
    """Build a job from a database row with the columns COLUMNS."""
    return Job(*decode_json(row, 2, 10))
