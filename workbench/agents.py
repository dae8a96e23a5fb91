"""Agents by name, wrapped: the only place where an agent meets the ledger, so that every call of every kind is kept, priced,
budgeted and never paid twice."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.agents.agent import Agent, Completion, Sampling
from core.agents.naming import build
from core.errors import BenchError
from core.nouns import Document, Prompt
from core.offline.corpus import Corpus
from store.budget import Budget
from store.calls import Ledger, LedgeredAgent, OnText
from store.database import Database
from workbench import settings as keys

RECORDINGS = Path(__file__).parent.parent / "samples" / "recorded"
IDENTITY = ("temperature", "context", "structured")
"""Settings of an agent that can change an answer."""
ENVIRONMENT: ContextVar[Mapping[str, str]] = ContextVar("environment", default=os.environ)
"""Where endpoints and keys are read; another one for what a command line asked this process to do in its stead."""
LOCAL_WIDTH = 2
"""Questions in hand at once with an agent that computes here."""


@dataclass(frozen=True, slots=True)
class Hired:
    """An agent at work for one job."""

    agent: LedgeredAgent
    width: int
    """How many questions may be in hand at once."""
    identity: Mapping[str, Any]
    """What of it can change an answer: name, endpoint, settings."""

    @property
    def name(self) -> str:
        return self.agent.name

    @property
    def is_offline(self) -> bool:
        return self.agent.is_offline

    @property
    def context(self) -> int | None:
        return self.agent.context

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        return await self.agent.ask(prompt, inputs, sampling)

    async def drain(self) -> None:
        """Wait until every call under way is in the ledger, those that nobody waits for included."""
        await self.agent.drain()

    async def close(self) -> None:
        """As drain; then let go of the connections that this event loop opened."""
        await self.agent.close()


class Agents:
    """Makes agents for jobs."""

    def __init__(self, database: Database) -> None:
        self.ledger = Ledger(database)

    def hire(
        self, name: str, settings: Mapping[str, Any], *, budget: Budget | None = None, job: str | None = None,
        documents: Callable[[], Sequence[Document]] = tuple, owner: str = "agent", on_text: OnText | None = None,
    ) -> Hired:  # fmt: skip
        """The agent of that name with the settings of its owner ("agent" or "judge"). The endpoint and its key come from the
        environment; `documents` is what the offline agent may know; `on_text` hears its answers as they come."""
        own = keys.of(settings, owner)
        corpus = Corpus(documents()) if name == "offline" else None
        agent = build(name, own, ENVIRONMENT.get(), sorted(RECORDINGS.glob("*.jsonl")), corpus)
        identity = {"name": name, "endpoint": getattr(agent, "shown_url", None), **{k: own[k] for k in IDENTITY if k in own}}
        limits = getattr(agent, "limits", None)
        width = limits.maximum if limits else getattr(agent, "width", LOCAL_WIDTH)
        return Hired(LedgeredAgent(agent, self.ledger, budget, job, on_text), width, identity)

    def budget(self, limit: float | None, job: str) -> Budget:
        """The job's budget, less what it cost before."""
        return Budget(limit, spent=self.ledger.charged(job))

    def check(self, name: str, settings: Mapping[str, Any], budget: float | None, owner: str = "agent") -> Agent:
        """Raises BenchError when there is no such agent, a setting does not fit, or a budget is asked for without prices."""
        own = keys.of(settings, owner)
        if budget is not None:
            Budget(budget)
            if name.startswith("openai:") and not {"price_in", "price_out"} <= own.keys():
                raise BenchError(f"A budget of {budget:g} USD wants prices: give --set {owner}.price_in= {owner}.price_out= "
                                 f"for {name}, in USD per million tokens, or leave the budget out.")  # fmt: skip
        return build(name, own, ENVIRONMENT.get(), sorted(RECORDINGS.glob("*.jsonl")), None)
