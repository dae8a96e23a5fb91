"""Compute totals of each agent's LLM calls over the whole ledger (the record of all calls), including agents that were deleted
or never saved."""

from collections.abc import Mapping
from dataclasses import dataclass

from store.engine.columns import Timestamp
from store.engine.database import Database


@dataclass(frozen=True, slots=True)
class AgentUse:
    """Totals of all LLM calls of one agent at one endpoint."""

    agent: str
    """Full name of the agent, such as openai:MODEL."""
    endpoint: str
    """Address of the endpoint; "" if the agent has none."""
    answered: int
    failed: Mapping[str, int]
    """Dict from kind of failure to number of failed calls."""
    tokens_in: int | None
    """Number of input tokens, or None if the endpoint reported none."""
    tokens_out: int | None
    tokens_thinking: int | None
    """Number of output tokens that the model spent on thinking, as far as the endpoints report it."""
    cost: float | None
    """Cost in US dollars of the answered calls with a known price, or None if no call has one."""
    unpriced: int
    """Number of answered calls with an unknown price."""
    median: float | None
    """Median duration of a call in seconds, not counting the wait before it was sent, or None if unknown."""
    p90: float | None
    last: Timestamp
    """Time of the agent's last call."""


_ENDPOINT = """regexp_extract(left(request, 500), '^\\{"base_url":"([^"]*)"', 1)"""
"""SQL expression that reads the endpoint's address at the start of a stored request, which is faster than parsing the whole
request."""


def count(database: Database) -> int:
    """Return the number of calls in the ledger."""
    return int(database.rows("SELECT count(*) FROM call")[0][0])


def load_agent_uses(database: Database) -> list[AgentUse]:
    """Return the totals for every agent that was ever called, most recently called agent first."""
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
