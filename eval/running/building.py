"""Build a system that reads the whole corpus once, with the run's agent, before it gets questions (e.g. to make a graph or a
memory). The costs of building are counted separately from the costs of answering. An interrupted build that is started again
reuses the replies stored in the ledger, the store of all agent calls."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from core.agent import Completion, Sampling, WaitingCalls
from core.errors import AgentError, BenchError, BudgetReached, Unreadable, WaitsForBatch
from core.nouns import Document, Prompt
from core.progress_reporter import ProgressReporter
from eval.running.runner import RunStopped
from eval.running.window import run_in_window
from eval.settings import Settings, read_settings
from eval.system import Inputs, SystemAdapter, SystemFailed, Tools

T = TypeVar("T")
R = TypeVar("R")
LEFT_OUT = ("filter", "too_long", "malformed")
"""Kinds of an agent's failure that would recur on a retry; the text that caused the failure is left out of the build and
counted."""


class BuildResult(NamedTuple):
    """The result of a system's build from the corpus, and the costs of the build, including calls whose replies came from the
    ledger, the store of earlier replies."""

    settings: Settings
    """Settings with which the system answers questions after the build."""
    calls: int
    tokens_in: int | None
    """Number of input tokens of the build, or None if an endpoint did not report it."""
    tokens_out: int | None
    price: float | None
    """Price of the build in US dollars, or None if the price of a call is unknown."""
    seconds: float
    """Wall-clock seconds of the build. A call whose reply came from the ledger counts with its original duration, divided by
    the `width` of concurrent calls."""

    def record(self) -> dict[str, Any]:
        """Return the costs of the build as JSON values."""
        return {name: getattr(self, name) for name in self._fields if name != "settings"}


async def build_system(
    adapter: SystemAdapter, documents: Sequence[Document], tools: Tools, settings: Settings, cancel: asyncio.Event | None = None
) -> BuildResult | None:
    """Let the system build from the documents and return the result, or None if the system builds nothing. Raises RunStopped if
    the build ends early, BenchError if the build cannot start."""
    if adapter.build is None:
        return None
    calls: list[Completion] = []
    began = time.perf_counter()

    async def ask(prompt: Prompt, inputs: Inputs, sampling: Sampling) -> Completion:
        if tools.ask is None:
            raise BenchError("This system reads the corpus with an agent, but the run has none: choose one with --agent.")
        if cancel is not None and cancel.is_set():
            raise RunStopped(f"Cancelled while building, after {len(calls)} calls.", reason="cancelled")
        calls.append(await tools.ask(prompt, inputs, sampling))
        return calls[-1]

    def total(name: str) -> Any:
        counts = [getattr(call, name) for call in calls]
        return None if None in counts else sum(counts)

    try:
        built = await adapter.build(documents, replace(tools, ask=ask), read_settings(adapter.settings, settings))
    except BudgetReached as reached:
        raise RunStopped(str(reached), reason="budget") from reached
    except WaitsForBatch as waits:
        raise RunStopped(f"{adapter.label} was still building: {waits}", reason="batch") from waits
    except AgentError as failed:
        words = f"{adapter.label} was still building, {len(calls)} calls are kept: {failed}"
        raise RunStopped(words, reason="endpoint") from failed
    stored = sum(call.seconds or 0.0 for call in calls if call.cached) / max(1, tools.width)
    took = time.perf_counter() - began + stored
    return BuildResult(built, len(calls), total("tokens_in"), total("tokens_out"), total("price"), took)


async def run_each(
    work: Callable[[T], Awaitable[R]], texts: Sequence[T], tools: Tools, unit: str
) -> tuple[list[R | None], int]:
    """Await `work` for each text, several at a time. Return (the results in the order of the texts, with None for each text
    that was left out; the number of texts left out).

    A text is left out if the reply to it is unreadable, if the endpoint refuses it, or if the call fails and already failed in
    an earlier start of the job. Raises AgentError for any other failure, and, after all texts, WaitsForBatch if any call waits
    for a batch."""
    results: list[R | None] = [None] * len(texts)
    left_out = done = 0
    waiting = WaitingCalls()
    progress = ProgressReporter(tools.report_progress, "building:", unit, len(texts), every=0)

    async def run_one(place: int) -> int:
        nonlocal left_out
        try:
            with waiting.hold():
                results[place] = await work(texts[place])
        except (Unreadable, SystemFailed):
            left_out += 1
        except AgentError as failed:
            if failed.stops_job or not (failed.failed_before or failed.kind in LEFT_OUT):
                raise
            left_out += 1
        return place

    async with aclosing(run_in_window(iter(range(len(texts))), run_one, max(1, tools.width))) as finished:
        async for _ in finished:
            done += 1
            progress.report_progress(done)
    waiting.raise_first()
    return results, left_out
