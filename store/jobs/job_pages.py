"""Load the data of the app's job pages: the job history, progress and costs. Each function runs a small number of queries,
however long the history is."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from store.engine.database import Database
from store.jobs.jobs import COLUMNS, Job, job_from_row


class AgentCost(NamedTuple):
    """Number, cost and tokens of one agent's LLM calls."""

    agent: str
    calls: int
    failed: int
    cost: float | None
    """Cost in US dollars, or None if any answered call has no known price."""
    tokens_in: int | None
    """Number of input tokens of the agent's calls, or None if it is unknown."""
    tokens_out: int | None
    tokens_thinking: int | None
    """Number of output tokens that the model spent on thinking, as far as endpoints report it."""


class JobCost(NamedTuple):
    """Number and cost of one job's LLM calls."""

    calls: int
    """Number of the job's calls that were answered."""
    cost: float | None
    """Cost in US dollars, or None if any answered call has no known price."""


def load_page(
    database: Database, states: Sequence[str] = (), kinds: Sequence[str] = (), limit: int = 50, offset: int = 0
) -> list[Job]:
    """Return jobs with one of the given states and kinds, newest first. An empty list of states or kinds selects all of
    them."""
    where, values = _build_filter(states, kinds)
    sql = f"SELECT {COLUMNS} FROM job WHERE {where} ORDER BY number DESC LIMIT ? OFFSET ?"
    return [job_from_row(row) for row in database.rows(sql, [*values, limit, offset])]


def count(database: Database, states: Sequence[str] = (), kinds: Sequence[str] = ()) -> int:
    """Return the number of jobs with one of the given states and kinds."""
    where, values = _build_filter(states, kinds)
    return int(database.rows(f"SELECT count(*) FROM job WHERE {where}", values)[0][0])


def list_kinds(database: Database) -> list[str]:
    """Return the kinds of jobs (such as draft or run) that are stored."""
    return [kind for (kind,) in database.rows("SELECT DISTINCT kind FROM job ORDER BY kind")]


def count_finished_pieces(database: Database, jobs: Sequence[Job]) -> dict[str, int]:
    """Return a dict from job id to its number of finished pieces: the drafted windows of a drafting job, the traces of a run,
    the pieces marked as done of any other job."""
    ids: dict[str, list[str]] = {"draft": [], "run": [], "": []}
    for job in jobs:
        kind = "draft" if job.kind == "draft_one" else job.kind
        ids[kind if kind in ids else ""].append(job.id)
    counts = {job.id: 0 for job in jobs}
    for kind, sql in _COUNT_FINISHED.items():
        if ids[kind]:
            counts |= dict(database.rows(sql, [ids[kind]]))
    return counts


def load_costs(database: Database, jobs: Sequence[str]) -> dict[str, JobCost]:
    """Return a dict from job id to the cost of the job's calls. Jobs without an answered or paid call are left out."""
    rows = database.rows(
        """
        SELECT
            job, count(*) FILTER (WHERE error IS NULL),
            CASE WHEN count(*) FILTER (WHERE price IS NULL) = 0 THEN sum(price) END
        FROM call
        WHERE (error IS NULL OR price IS NOT NULL) AND job IN (SELECT unnest(?::VARCHAR[]))
        GROUP BY job
        """,
        [list(jobs)],
    )
    return {job: JobCost(calls, cost) for job, calls, cost in rows}


def load_agent_costs(database: Database, since: str = "") -> list[AgentCost]:
    """Return the cost of each agent's calls since the time `since` (ISO format), most expensive agent first."""
    rows = database.rows(
        """
        SELECT
            agent, count(*) FILTER (WHERE error IS NULL), count(*) FILTER (WHERE error IS NOT NULL),
            CASE WHEN count(*) FILTER (WHERE error IS NULL AND price IS NULL) = 0 THEN coalesce(sum(price), 0) END,
            sum(tokens_in)::BIGINT, sum(tokens_out)::BIGINT, sum(tokens_thinking)::BIGINT
        FROM call
        WHERE made_at >= ?
        GROUP BY agent
        ORDER BY coalesce(sum(price), 0) DESC, agent
        """,
        [since],
    )
    return [AgentCost(*row) for row in rows]


_COUNT_FINISHED = {
    kind: f"SELECT job, count(*) FROM job_item {which} AND job IN (SELECT unnest(?::VARCHAR[])) GROUP BY job"
    for kind, which in {
        "draft": "WHERE json_extract_string(result, '$.state') = 'drafted'",
        "run": "JOIN trace ON trace.run = job_item.key",
        "": "WHERE state = 'done'",
    }.items()
}


def _build_filter(states: Sequence[str], kinds: Sequence[str]) -> tuple[str, list[Any]]:
    wanted = {name: list(values) for name, values in (("state", states), ("kind", kinds)) if values}
    conditions = ["true", *(f"{name} IN (SELECT unnest(?::VARCHAR[]))" for name in wanted)]
    return " AND ".join(conditions), list(wanted.values())
