"""Counts of the whole workspace for the figures of the server, each in one query."""

from typing import NamedTuple

from store.engine.columns import Timestamp
from store.engine.database import Database


class LedgerTotals(NamedTuple):
    """All calls of the ledger."""

    answered: int
    failed: int
    cost_usd: float
    """Cost in US dollars of the calls with a known price."""
    without_price: int
    """Number of answered calls with an unknown price."""


def count_statuses(database: Database) -> dict[str, int]:
    """Status -> number of items."""
    return dict(database.rows("SELECT status, count(*) FROM state GROUP BY status"))


def count_job_states(database: Database) -> dict[str, int]:
    """State -> number of jobs."""
    return dict(database.rows("SELECT state, count(*) FROM job GROUP BY state"))


def count_decisions(database: Database, since: Timestamp) -> int:
    """Decisions on items and variants at that time or later, those that were taken back later included."""
    sql = "SELECT count(*) FROM review WHERE made_at >= ? AND decision <> 'undo'"
    return int(database.rows(sql, [since])[0][0])


def sum_calls(database: Database) -> LedgerTotals:
    """Every call ever."""
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
    """The time of the last such act in the log; None = never."""
    rows = database.rows("SELECT max(made_at) FROM log WHERE act = ? AND NOT is_refused", [act])
    return None if rows[0][0] is None else str(rows[0][0])
