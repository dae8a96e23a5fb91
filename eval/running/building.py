"""Building: a system reads the whole corpus once, with the run's agent, before it is asked anything. What that took is counted
apart from the questions; a building that ended early goes on from the ledger's stored calls."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from core.agent import Completion, Sampling
from core.errors import AgentError, BenchError, BudgetReached, Unreadable
from core.nouns import Document, Prompt
from core.progress_reporter import ProgressReporter
from eval.running.runner import RunStopped
from eval.running.window import run_in_window
from eval.system import PreparedSettings, SystemAdapter, SystemFailed, Tools

T = TypeVar("T")
R = TypeVar("R")
LEFT_OUT = ("filter", "too_long", "malformed")
"""Failures of one text that asking again would meet again: it is left out and counted."""


class BuildResult(NamedTuple):
    """What the system made of the corpus, and what it cost, calls found in the ledger included."""

    opened: PreparedSettings
    calls: int
    tokens_in: int | None
    """None when an endpoint did not say."""
    tokens_out: int | None
    price: float | None
    """US dollars; None when a price is unknown."""
    seconds: float
    """The clock, and for calls that the ledger had what they once took, so many at once as now."""

    def record(self) -> dict[str, Any]:
        """Its costs as JSON values."""
        return {name: getattr(self, name) for name in self._fields if name != "opened"}


@dataclass(slots=True)
class _Count:
    """The agent of a building, its calls counted; once `cancel` is set nothing more is asked."""

    tools: Tools
    cancel: asyncio.Event | None
    calls: list[Completion] = field(default_factory=list)

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        if self.tools.ask is None:
            raise BenchError("This system is built by an agent and the run has none: name one with --agent.")
        if self.cancel is not None and self.cancel.is_set():
            raise RunStopped(f"Cancelled while building, after {len(self.calls)} calls.", reason="cancelled")
        completion = await self.tools.ask(prompt, inputs, sampling)
        self.calls.append(completion)
        return completion

    def total(self, name: str) -> Any:
        counts = [getattr(call, name) for call in self.calls]
        return None if None in counts else sum(counts)


async def build_system(
    adapter: SystemAdapter,
    documents: Sequence[Document],
    tools: Tools,
    settings: Mapping[str, Any],
    cancel: asyncio.Event | None = None,
) -> BuildResult | None:
    """None for a system that builds nothing. Raises RunStopped when it ends early, BenchError when it cannot begin."""
    if adapter.build is None:
        return None
    count, began = _Count(tools, cancel), time.perf_counter()
    try:
        opened = await adapter.build(documents, replace(tools, ask=count.ask), {**adapter.settings, **settings})
    except BudgetReached as reached:
        raise RunStopped(str(reached), reason="budget") from reached
    except AgentError as failed:
        words = f"{adapter.label} was still building, {len(count.calls)} calls are kept: {failed}"
        raise RunStopped(words, reason="endpoint") from failed
    kept = sum(call.seconds for call in count.calls if call.cached) / max(1, tools.width)
    took = time.perf_counter() - began + kept
    return BuildResult(
        opened, len(count.calls), count.total("tokens_in"), count.total("tokens_out"), count.total("price"), took
    )


async def run_each(
    work: Callable[[T], Awaitable[R]], things: Sequence[T], tools: Tools, what: str
) -> tuple[list[R | None], int]:
    """(the results in the order of the things, None for those left out; how many are left out): a reply that could not be
    read, a text that the endpoint will not take, or one that failed in an earlier start of the job as well. Raises AgentError
    on anything else that failed."""
    results: list[R | None] = [None] * len(things)
    left_out = done = 0
    telling = ProgressReporter(tools.tell, "building:", what, len(things), every=0)

    async def run_one(place: int) -> int:
        nonlocal left_out
        try:
            results[place] = await work(things[place])
        except (Unreadable, SystemFailed):
            left_out += 1
        except AgentError as failed:
            if failed.stops_job or not (failed.failed_before or failed.kind in LEFT_OUT):
                raise
            left_out += 1
        return place

    async with aclosing(run_in_window(iter(range(len(things))), run_one, max(1, tools.width))) as finished:
        async for _ in finished:
            done += 1
            telling.report_progress(done)
    return results, left_out
