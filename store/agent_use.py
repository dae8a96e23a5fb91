"""What an agent was asked so far, counted over the ledger."""

from collections.abc import Mapping
from dataclasses import dataclass

from store.columns import to_json
from store.database import Database


@dataclass(frozen=True, slots=True)
class AgentUse:
    """Calls of one agent at one endpoint, from the first day on."""

    answered: int
    failed: Mapping[str, int]
    """Kind of failure -> how many."""
    tokens_in: int | None
    """None when no call was counted by its endpoint."""
    tokens_out: int | None
    cost: float | None
    """US dollars of the answered calls whose price is known; None when none is."""
    unpriced: int
    """Answered calls of unknown price."""
    median: float | None
    """Seconds of service."""
    p90: float | None
    last: str | None
    """When it was last asked, UTC, ISO format."""


def agent_use(database: Database, agent: str, endpoint: str | None = None) -> AgentUse:
    """Of the agent of that full name; with an endpoint, of the calls to that one alone."""
    begins = "" if endpoint is None else f'{{"base_url":{to_json(endpoint)},'
    ((answered, tokens_in, tokens_out, cost, unpriced, median, p90, last),) = database.rows(
        """
        SELECT
            count(*) FILTER (WHERE error IS NULL), sum(tokens_in)::BIGINT, sum(tokens_out)::BIGINT, sum(price),
            count(*) FILTER (WHERE error IS NULL AND price IS NULL),
            quantile_cont(seconds, 0.5), quantile_cont(seconds, 0.9), max(made_at)
        FROM call
        WHERE agent = ? AND starts_with(request, ?)
        """,
        [agent, begins],
    )
    failed = database.rows(
        """
        SELECT kind, count(*)
        FROM call
        WHERE agent = ? AND error IS NOT NULL AND starts_with(request, ?)
        GROUP BY kind
        ORDER BY count(*) DESC, kind
        """,
        [agent, begins],
    )
    return AgentUse(answered, dict(failed), tokens_in, tokens_out, cost, unpriced, median, p90, last)
