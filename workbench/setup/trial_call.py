"""A test call: one small prompt to one agent, beside the page, through the ledger like every other call. It is never answered
from there: each test is a sample of its own."""

import asyncio
import threading
import time
from collections.abc import Mapping
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import lru_cache

from builders.drafting.samples import sample_documents, sample_items
from core.agent import Sampling
from core.errors import BenchError, Unreadable
from core.nouns import Prompt
from prompts.prompt import load
from prompts.reply import parse
from store.engine.database import Database
from store.ledger.calls import LedgeredAgent
from workbench.roles import requires
from workbench.setup.agent_list import built_in
from workbench.setup.agents import Agents
from workbench.setup.trial import example

PROMPT = "judge/statements"
"""Short, and wants JSON: what an endpoint takes for structured output is found out on the way."""
REPLY = 512
"""Tokens that the reply may have."""
MODES = {"schema": "by JSON schema", "json": "as a JSON object", "prompt": "in words"}


@dataclass(frozen=True, slots=True)
class TrialCall:
    """How one test went."""

    agent: str
    began: float
    """On the monotonic clock."""
    state: str = "asking"
    """asking, answered or failed."""
    message: str = ""
    """What went wrong, in one sentence."""
    text: str = ""
    """The reply as it came."""
    is_read: bool = False
    """Whether it could be read as the prompt's reply."""
    seconds: float | None = None
    attempts: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    price: float | None = None
    structured: str = ""
    """How JSON was asked for in the end; empty for agents that are not asked over a wire."""

    @property
    def waiting(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.began


class TrialCalls:
    """The last test of each agent."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self._db, self._agents = database, agents
        self._lock = threading.Lock()
        self._last: dict[str, TrialCall] = {}

    def worst_price(self, agent: str) -> float | None:
        """US dollars that a test can cost at most; None when nobody knows. Raises BenchError when it cannot be asked."""
        if agent in built_in():
            return 0.0  # without loading what they know
        return self._agents.make(agent).worst_price(prompt(), inputs(), Sampling(max_tokens=REPLY))

    def last(self, agent: str) -> TrialCall | None:
        """Its last test since the app was started, under way or over."""
        return self._last.get(agent)

    @requires("change agents", lambda given: f"a test of {given['agent']}")
    def begin(self, agent: str) -> None:
        """Ask it, in a thread of its own; nothing while one is under way. Raises BenchError when it cannot be asked."""
        made = self._agents.make(agent)
        with self._lock:
            last = self._last.get(agent)
            if last is not None and last.state == "asking":
                return
            begun = self._last[agent] = TrialCall(agent, time.monotonic())

        async def one() -> None:
            asked = LedgeredAgent(made, self._agents.ledger)
            try:
                index = time.time_ns() // 1_000_000
                completion = await asked.ask(prompt(), inputs(), Sampling(max_tokens=REPLY, index=index))
            finally:
                await asked.close()
            mode = MODES.get(getattr(made, "structured_by", ""), "")
            found = replace(
                begun,
                state="answered",
                text=completion.text,
                seconds=completion.seconds,
                attempts=completion.attempts,
                tokens_in=completion.tokens_in,
                tokens_out=completion.tokens_out,
                price=completion.price,
                structured=mode,
            )
            try:
                parse(prompt(), completion)
            except Unreadable as error:
                self._last[agent] = replace(found, message=str(error))
            else:
                self._last[agent] = replace(found, is_read=True)

        def work() -> None:
            try:
                asyncio.run(one())
            except BenchError as error:
                self._last[agent] = replace(begun, state="failed", message=str(error), seconds=begun.waiting)
            except BaseException as error:
                what = f"The test ended in a {type(error).__name__}, which is a fault of ours: look at the server's log."
                self._last[agent] = replace(begun, state="failed", message=what, seconds=begun.waiting)
                raise

        threading.Thread(target=copy_context().run, args=(work,), name="test call", daemon=True).start()


def prompt() -> Prompt:
    return load(PROMPT, "en")


@lru_cache(maxsize=1)
def inputs() -> Mapping[str, object]:
    """From the first English sample item."""
    documents = sample_documents()
    item = next(i for i in sample_items(documents) if i.language == "en" and i.level == 1)
    found = example(item, next(d for d in documents if d.id == item.evidence[0].document))
    return {name: found[name] for name in ("prediction", "statements")}
