"""Compute totals over the whole workspace for the server's metrics, each with one query."""

from typing import NamedTuple

from store.engine.columns import Timestamp
from store.engine.database import Database


class LedgerTotals(NamedTuple):
    """Totals over all LLM calls in the ledger: their numbers and cost."""

    answered: int
    failed: int
    cost_usd: float
    """Cost in US dollars of all calls with a known price."""
    without_price: int
    """Number of answered calls that have no known price."""


def count_statuses(database: Database) -> dict[str, int]:
    """Return a dict from status to the number of items with that status."""
    return dict(database.rows("SELECT status, count(*) FROM state GROUP BY status"))


def count_job_states(database: Database) -> dict[str, int]:
    """Return a dict from state to the number of jobs in that state."""
    return dict(database.rows("SELECT state, count(*) FROM job GROUP BY state"))


def count_decisions(database: Database, since: Timestamp) -> int:
    """Return the number of decisions on items and variants since the time `since`, including decisions that were later
    undone."""
    sql = "SELECT count(*) FROM review WHERE made_at >= ? AND decision <> 'undo'"
    return int(database.rows(sql, [since])[0][0])


def sum_calls(database: Database) -> LedgerTotals:
    """Return the numbers and the cost of all LLM calls in the ledger."""
    rows = database.rows(
        """
        SELECT
            count(*) FILTER (WHERE error IS NULL), count(*) FILTER (WHERE error IS NOT NULL),
            coalesce(sum(price), 0)::DOUBLE, count(*) FILTER (WHERE error IS NULL AND price IS NULL)
        FROM call
        """
    )
    return LedgerTotals(*rows[0])


def find_last_act(database: Database, act: str) -> Timestamp | None:
    """Return the time of the last log line that records the action `act`, or None if there is no such line."""
    rows = database.rows("SELECT max(made_at) FROM log WHERE act = ? AND NOT is_refused", [act])
    return None if rows[0][0] is None else str(rows[0][0])
