"""Calls of each agent so far, counted over the ledger; deleted and unsaved agents too."""

from collections.abc import Mapping
from dataclasses import dataclass

from store.engine.columns import Timestamp
from store.engine.database import Database


@dataclass(frozen=True, slots=True)
class AgentUse:
    """The use of one agent at one endpoint, over all its calls."""

    agent: str
    """Full name of the agent: openai:MODEL, ..."""
    endpoint: str
    """Address of the endpoint; "" without an endpoint."""
    answered: int
    failed: Mapping[str, int]
    """Number of failed calls by kind of failure."""
    tokens_in: int | None
    """Number of input tokens, or None when the endpoint reported no counts."""
    tokens_out: int | None
    tokens_thinking: int | None
    """Part of the output tokens, as far as endpoints report it."""
    cost: float | None
    """Cost in US dollars of answered calls with a known price, or None without such calls."""
    unpriced: int
    """Number of answered calls of unknown price."""
    median: float | None
    """Median duration of a call in seconds, without waiting."""
    p90: float | None
    last: Timestamp
    """Time of the last call."""


_ENDPOINT = """regexp_extract(left(request, 500), '^\\{"base_url":"([^"]*)"', 1)"""
"""SQL expression for the endpoint at the start of a request, because parsing the whole request takes longer."""


def count(database: Database) -> int:
    """Return the number of calls in the ledger."""
    return int(database.rows("SELECT count(*) FROM call")[0][0])


def load_agent_uses(database: Database) -> list[AgentUse]:
    """Return the use of every agent that was ever called, most recently called agent first."""
    failed: dict[tuple[str, str], dict[str, int]] = {}
    columns = f"agent, {_ENDPOINT} AS endpoint, kind, count(*)"
    for agent, endpoint, kind, n in database.rows(
        f"SELECT {columns} FROM call WHERE error IS NOT NULL GROUP BY agent, endpoint, kind ORDER BY count(*) DESC, kind"
    ):
        failed.setdefault((agent, endpoint), {})[kind] = n
    rows = database.rows(
        f"""
        SELECT
            agent, {_ENDPOINT} AS endpoint, count(*) FILTER (WHERE error IS NULL), sum(tokens_in)::BIGINT,
            sum(tokens_out)::BIGINT, sum(tokens_thinking)::BIGINT, sum(price),
            count(*) FILTER (WHERE error IS NULL AND price IS NULL),
            quantile_cont(seconds, 0.5), quantile_cont(seconds, 0.9), max(made_at)
        FROM call
        GROUP BY agent, endpoint
        ORDER BY max(made_at) DESC, agent
        """
    )
    return [AgentUse(agent, endpoint, n, failed.get((agent, endpoint), {}), *rest) for agent, endpoint, n, *rest in rows]
