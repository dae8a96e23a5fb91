"""Load the data of the app's run pages: the list of runs, and the progress of runs. SQL counts the traces (answers of the
system)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.nouns import Run
from store.engine.columns import Timestamp, from_json, to_json
from store.engine.database import Database
from store.runs.runs import RUN_COLUMNS, run_from_row

_BUILD = "max(json_extract(result, '$.build_seconds')::DOUBLE)"


class RunRow(NamedTuple):
    """One row of the list of runs."""

    run: Run
    made_at: Timestamp
    asked: int
    answered: int
    failed: int
    build_seconds: float | None
    jobs: tuple[str, ...]
    """Ids of the jobs that worked on the run."""
    shares_job: bool
    """Whether a job of this run also worked on other runs, so that its calls cannot be attributed to one run."""


class StopCount(NamedTuple):
    """Number of traces that ended for one reason: "answered" or a kind of failure."""

    kind: str
    n: int
    example: str | None
    """Error sentence of one of these failures, or None if there are none."""


class ShownAnswer(NamedTuple):
    """An answer with its question, for the app to show while a run is in progress."""

    item: str
    variant: str | None
    question: str
    answer: str | None
    stop: str
    error: str | None
    seconds: float | None


def load_page(database: Database, limit: int, offset: int) -> list[RunRow]:
    """Return at most `limit` runs after the first `offset`, newest first, each with its numbers of questions and answers."""
    columns = ", ".join(f"c.{name.strip()}" for name in RUN_COLUMNS.split(","))
    rows = database.rows(
        f"""
        WITH c AS (SELECT * FROM run ORDER BY number DESC LIMIT ? OFFSET ?), t AS (
            SELECT run, count(answer) AS answered, count(*) - count(answer) AS failed
            FROM trace
            WHERE run IN (SELECT id FROM c)
            GROUP BY run
        ), j AS (
            SELECT key AS run, list(job ORDER BY job) AS jobs, {_BUILD} AS built
            FROM job_item
            WHERE key IN (SELECT id FROM c)
            GROUP BY key
        )
        SELECT {columns}, c.made_at, json_array_length(c.asked), coalesce(t.answered, 0), coalesce(t.failed, 0), j.built,
            coalesce(j.jobs, []), EXISTS (
                SELECT 1 FROM job_item o WHERE list_contains(j.jobs, o.job) AND o.key <> c.id
            )
        FROM c LEFT JOIN t ON t.run = c.id LEFT JOIN j ON j.run = c.id
        ORDER BY c.number DESC
        """,
        [limit, offset],
    )
    return [RunRow(run_from_row(row[:10]), *(*row[10:15], tuple(row[15]), row[16])) for row in rows]


def count(database: Database) -> int:
    """Return the number of runs in the workspace."""
    return int(database.rows("SELECT count(*) FROM run")[0][0])


def load_job_runs(database: Database, job: str) -> list[tuple[Run, int]]:
    """Return (run, number of its questions) for each run that the job has created so far, in order."""
    where = "id IN (SELECT key FROM job_item WHERE job = ?)"
    sql = f"SELECT {RUN_COLUMNS}, json_array_length(asked) FROM run WHERE {where} ORDER BY number"
    return [(run_from_row(row[:10]), row[10]) for row in database.rows(sql, [job])]


def load_job_params(database: Database, run: str) -> dict[str, Any] | None:
    """Return the parameters of the newest job that executed the run, or None if there is none."""
    return next(iter(list_job_params(database, run)), None)


def list_job_params(database: Database, run: str) -> list[dict[str, Any]]:
    """Return the parameters of each job that executed the run, newest first."""
    where = "kind = 'run' AND id IN (SELECT job FROM job_item WHERE key = ?)"
    return [
        from_json(params) for (params,) in database.rows(f"SELECT params FROM job WHERE {where} ORDER BY number DESC", [run])
    ]


def count_stops(database: Database, runs: Sequence[str]) -> list[StopCount]:
    """Return for each reason how many traces of the given runs ended for it, most frequent reason first."""
    rows = database.rows(
        """
        SELECT stop, count(*), min(error)
        FROM trace
        WHERE run IN (SELECT unnest(?::VARCHAR[]))
        GROUP BY stop
        ORDER BY count(*) DESC, stop
        """,
        [list(runs)],
    )
    return [StopCount(*row) for row in rows]


def count_ended(database: Database, jobs: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return a dict from job to (number of answered questions, number of failed questions) over the job's runs so far. Jobs
    without such questions are left out."""
    rows = database.rows(
        """
        SELECT job_item.job, count(answer), count(*) - count(answer)
        FROM job_item JOIN trace ON trace.run = job_item.key
        WHERE job_item.job IN (SELECT unnest(?::VARCHAR[]))
        GROUP BY job_item.job
        """,
        [list(jobs)],
    )
    return {job: (answered, failed) for job, answered, failed in rows}


def load_seconds(database: Database, runs: Sequence[str]) -> tuple[float | None, float | None]:
    """Return (median, 90th percentile) of the seconds that the given runs' answers took. Both numbers are None if there are no
    answers."""
    where = "run IN (SELECT unnest(?::VARCHAR[])) AND answer IS NOT NULL"
    sql = f"SELECT quantile_cont(seconds, 0.5), quantile_cont(seconds, 0.9) FROM trace WHERE {where}"
    [(median, p90)] = database.rows(sql, [list(runs)])
    return median, p90


def load_last_answers(database: Database, runs: Sequence[str], limit: int) -> list[ShownAnswer]:
    """Return the last answers of the given runs, newest first, with the current text of their questions. Long answers are
    truncated."""
    rows = database.rows(
        """
        WITH t AS (
            SELECT * FROM trace WHERE run IN (SELECT unnest(?::VARCHAR[])) ORDER BY number DESC LIMIT ?
        )
        SELECT t.item, nullif(t.variant, ''), coalesce(v.text, r.question, t.item), left(t.answer, 2000), t.stop, t.error,
            t.seconds
        FROM t
            LEFT JOIN variant v ON v.id = t.variant
            LEFT JOIN state s ON s.item = t.item
            LEFT JOIN revision r ON r.key = s.item || '@' || s.revision
        ORDER BY t.number DESC
        """,
        [list(runs), limit],
    )
    return [ShownAnswer(*row) for row in rows]


def count_unscored(database: Database, runs: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return (metric, reason, number of answers) for answers that could not be scored, most frequent first."""
    return database.rows(
        """
        SELECT metric, why, count(*)
        FROM score
        WHERE run IN (SELECT unnest(?::VARCHAR[])) AND value IS NULL AND why <> ''
        GROUP BY metric, why
        ORDER BY count(*) DESC, metric
        LIMIT 20
        """,
        [list(runs)],
    )


def count_scored(database: Database, runs: Sequence[str]) -> int:
    """Return the number of answers of the given runs that have scores."""
    sql = "SELECT count(DISTINCT (run, item, variant)) FROM score WHERE run IN (SELECT unnest(?::VARCHAR[]))"
    return int(database.rows(sql, [list(runs)])[0][0])


def note_build(database: Database, job: str, run: str, took: float, building: Mapping[str, Any] | None = None) -> None:
    """Record how many seconds a job took to prepare the run's index, and in `building` the cost of what the system itself
    built. Only the first build is recorded, because later builds are faster: they use stored vectors."""
    values = {"build_seconds": took, **({"building": building} if building else {})}
    note_values(database, job, run, values, "build_seconds")


def note_window(database: Database, job: str, run: str, window: int) -> None:
    """Record how many questions the job worked on at the same time."""
    note_values(database, job, run, {"window": window}, "window")


def note_models(database: Database, job: str, run: str, models: Sequence[Mapping[str, Any]]) -> None:
    """Record the models that a job used for the run, as {"role", "model"} with details of their use."""
    if models:
        note_values(database, job, run, {"models": list(models)}, "models")


def load_models(database: Database, run: str) -> list[dict[str, Any]]:
    """Return the models that the run's first job recorded with `note_models`; empty if there are none."""
    sql = "SELECT json_extract(result, '$.models') FROM job_item WHERE key = ? AND result IS NOT NULL ORDER BY job"
    return next((from_json(models) for (models,) in database.rows(sql, [run]) if models is not None), [])


def load_windows(database: Database, run: str) -> list[int]:
    """Return, for each job of the run, how many questions it worked on at the same time; jobs without a record are left out."""
    sql = "SELECT json_extract(result, '$.window')::INTEGER FROM job_item WHERE key = ? ORDER BY job"
    return [window for (window,) in database.rows(sql, [run]) if window is not None]


def note_values(database: Database, job: str, run: str, values: Mapping[str, Any], first: str) -> None:
    """Add values to the job's record about the run, if the record does not have the key `first` yet."""
    sql = f"""
        UPDATE job_item
        SET result = json_merge_patch(coalesce(result, '{{}}'), ?)
        WHERE job = ? AND key = ? AND json_extract(coalesce(result, '{{}}'), '$.{first}') IS NULL
        """
    database.execute(sql, [to_json(values), job, run])


def load_build_seconds(database: Database, run: str) -> float | None:
    """Return how many seconds it took to prepare the run's index (the maximum over the run's jobs), or None if no job measured
    it."""
    rows = database.rows(f"SELECT {_BUILD} FROM job_item WHERE key = ?", [run])
    return None if rows[0][0] is None else float(rows[0][0])


def load_building_cost(database: Database, run: str) -> dict[str, Any] | None:
    """Return the cost of what the run's system built before the first question, or None if it builds nothing. The cost is
    {"calls", "tokens_in", "tokens_out", "price", "seconds"}, from the first job that recorded it."""
    sql = "SELECT json_extract(result, '$.building') FROM job_item WHERE key = ? AND result IS NOT NULL ORDER BY job"
    return next((from_json(cost) for (cost,) in database.rows(sql, [run]) if cost is not None), None)
