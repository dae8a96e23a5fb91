"""Agents by name, wrapped: the only place where an agent meets the ledger, so that every call of every kind is kept, priced,
budgeted and never paid twice."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from core.agents.naming import build
from core.errors import BenchError
from core.offline.corpus import Corpus
from store.calls import Budget, LedgeredAgent, Ledger
from store.database import Database
from workbench import settings as keys

RECORDINGS = Path(__file__).parent.parent / "samples" / "recorded"


class Agents:
    """Makes agents for jobs."""

    def __init__(self, database: Database) -> None:
        self._ledger = Ledger(database)

    def agent(
        self, name: str, settings: Mapping[str, Any], *, budget: Budget | None = None, job: str | None = None,
        corpus: Callable[[], Corpus] | None = None, owner: str = "agent",
    ) -> LedgeredAgent:  # fmt: skip
        """The agent of that name with the settings of its owner ("agent" or "judge"). The endpoint and its key come from the
        environment."""
        known = corpus() if corpus is not None and name == "offline" else None
        made = build(name, keys.of(settings, owner), os.environ, sorted(RECORDINGS.glob("*.jsonl")), known)
        return LedgeredAgent(made, self._ledger, budget, job)

    def check(self, name: str, settings: Mapping[str, Any], budget: float | None) -> None:
        """Raises BenchError when there is no such agent, a setting does not fit, or a budget is asked for without prices."""
        agent = build(name, keys.of(settings, "agent"), os.environ, [], None)
        prices = keys.of(settings, "agent")
        if budget is not None and agent.name.startswith("openai:") and not {"price_in", "price_out"} <= set(prices):
            raise BenchError(f"A budget needs prices: give --set agent.price_in= and agent.price_out= for {agent.name}, "
                             f"in USD per million tokens.")  # fmt: skip
