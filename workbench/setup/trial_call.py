"""Test one agent from its page: send one small prompt, then a few tiny prompts that show what the agent's endpoint supports.
The test runs in the background. The ledger stores the calls of a test, but never answers them with stored replies, so that each
test really calls the agent."""

import asyncio
import threading
import time
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any, TypeVar

from builders.drafting.samples import sample_documents, sample_items
from core.agent import Agent, Sampling
from core.cancellation import raise_if_cancelled
from core.errors import BenchError, Unreadable
from core.nouns import Prompt
from prompts.prompt import load
from prompts.reply import parse
from store.engine.database import Database
from store.ledger.ledgered_agent import LedgeredAgent
from workbench.background_cache import BackgroundCache
from workbench.roles import requires
from workbench.setup.agent_list import built_in
from workbench.setup.agents import Agents
from workbench.setup.capabilities import list_capabilities, price_probes, try_parameters
from workbench.setup.trial import make_inputs

T = TypeVar("T")
PROMPT = "judge/statements"
"""Name of the prompt that a test sends. The prompt is short and asks for JSON, so that the test shows which form of structured
output the endpoint supports."""
MAX_REPLY_TOKENS = 512
MAX_TESTS_AT_ONCE = 16
CANCEL_CHECK_SECONDS = 0.2
STRUCTURED_MODES = {"schema": "by JSON schema", "json": "as a JSON object", "prompt": "in words"}


@dataclass(frozen=True, slots=True)
class TrialCall:
    """The state and the result of one test of an agent."""

    agent: str
    began: float
    """Time at which the test began, on the monotonic clock."""
    state: str = "asking"
    """State of the test: "asking", "answered" or "failed"."""
    message: str = ""
    """Error message in one sentence; "" if there was no error."""
    text: str = ""
    """The agent's reply as it arrived."""
    is_read: bool = False
    """Whether the reply has the form that the prompt asks for."""
    seconds: float | None = None
    attempts: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_thinking: int | None = None
    """Number of the tokens in `tokens_out` that the model spent on thinking."""
    price: float | None = None
    structured: str = ""
    """The way in which JSON was finally requested, in words; "" if the agent has no endpoint."""
    capabilities: Mapping[str, str] = field(default_factory=dict)
    """Dict from label to description of what the endpoint supports; empty if the agent has no model."""

    @property
    def waiting(self) -> float:
        """Return the seconds since the test of the agent began."""
        return time.monotonic() - self.began


class TrialCalls:
    """Methods that test agents; the last test of each agent stays in memory."""

    def __init__(self, database: Database, agents: Agents) -> None:
        self._db, self._agents = database, agents
        self._background = BackgroundCache(threads=MAX_TESTS_AT_ONCE)
        self._lock = threading.Lock()
        self._last: dict[str, TrialCall] = {}

    def worst_price(self, agent: str) -> float | None:
        """Return the highest possible cost of a test in US dollars, or None if the cost is unknown. Raises BenchError if the
        agent cannot be created."""
        if agent in built_in():
            return 0.0  # built-in agents are free and need not be loaded
        adapter = self._agents.make(agent)
        prices = price_probes(adapter), adapter.worst_price(prompt(), inputs(), Sampling(max_tokens=MAX_REPLY_TOKENS))
        return None if None in prices else sum(price or 0.0 for price in prices)

    def find_last(self, agent: str) -> TrialCall | None:
        """Return the agent's last test since the start of the app, or None if there was none."""
        return self._last.get(agent)

    @requires("change agents", lambda arguments: f"a test of {arguments['agent']}")
    def begin(self, agent: str) -> None:
        """Start a test of the agent in the background, unless one is running. Raises BenchError if the agent cannot be
        created."""
        adapter = self._agents.make(agent)
        with self._lock:
            last = self._last.get(agent)
            if last is not None and last.state == "asking":
                return
            call = self._last[agent] = TrialCall(agent, time.monotonic())
        self._background.submit(partial(self._run, call, adapter))

    def _run(self, call: TrialCall, adapter: Agent) -> None:
        try:
            self._last[call.agent] = asyncio.run(_run_until_cancelled(self._ask(call, adapter)))
        except BenchError as error:
            self._last[call.agent] = replace(call, state="failed", message=str(error), seconds=call.waiting)
        except BaseException as error:
            message = f"The test ended in a {type(error).__name__}, which is a bug in Benchwright: see the server's log."
            self._last[call.agent] = replace(call, state="failed", message=message, seconds=call.waiting)
            raise

    async def _ask(self, call: TrialCall, adapter: Agent) -> TrialCall:
        agent = LedgeredAgent(adapter, self._agents.ledger)
        try:
            index = time.time_ns() // 1_000_000  # a new sample, for which the ledger has no answer
            completion = await agent.ask(prompt(), inputs(), Sampling(max_tokens=MAX_REPLY_TOKENS, index=index))
            is_model = await try_parameters(adapter, self._agents.ledger) is not None
        finally:
            await agent.close()
        try:
            parse(prompt(), completion)
            message = ""
        except Unreadable as error:
            message = str(error)
        return replace(
            call,
            state="answered",
            message=message,
            text=completion.text,
            is_read=not message,
            seconds=completion.seconds,
            attempts=completion.attempts,
            tokens_in=completion.tokens_in,
            tokens_out=completion.tokens_out,
            tokens_thinking=completion.tokens_thinking,
            price=completion.price,
            structured=STRUCTURED_MODES.get(getattr(adapter, "structured_by", ""), ""),
            capabilities=list_capabilities(adapter) if is_model else {},
        )


async def _run_until_cancelled(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of `work`. Raises Cancelled soon after the workspace begins to close."""
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait({task}, timeout=CANCEL_CHECK_SECONDS))[0]:
            raise_if_cancelled()
        return task.result()
    finally:
        task.cancel()


def prompt() -> Prompt:
    return load(PROMPT, "en")


@lru_cache(maxsize=1)
def inputs() -> Mapping[str, object]:
    """Return the inputs of the test's prompt, taken from the first English sample item."""
    documents = sample_documents()
    item = next(i for i in sample_items(documents) if i.language == "en" and i.level == 1)
    filled = make_inputs(item, next(d for d in documents if d.id == item.evidence[0].document))
    return {name: filled[name] for name in ("prediction", "statements")}
