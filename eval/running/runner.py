"""Asks one system every question and yields one Trace for each as it finishes: a sliding window of `concurrency` questions,
every retrieval and call a step, a failure a state with its sentence. A run that must stop finishes what is in flight,
yields it, and then raises RunStopped: whoever stored the traces has lost nothing and can go on from them."""

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from core.agent import Completion, Sampling
from core.cancellation import Cancelled
from core.errors import AgentError, BenchError, BudgetReached, Unreadable
from core.nouns import Hit, Prompt, Span, Step, Trace
from eval.running.window import run_in_window
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools


class RunStopped(BenchError):
    """A run or a scoring ended before its last question; what it yielded stays true."""

    def __init__(self, message: str, *, reason: Literal["budget", "cancelled", "endpoint"]) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(slots=True)
class _Watch:
    """What one question used, noted while it is answered."""

    tools: Tools
    steps: list[Step] = field(default_factory=list)
    calls: list[Completion] = field(default_factory=list)
    apart: float = 0.0
    """Seconds of its calls that were no service: waiting, and the ledger's own work; less than 0 where the ledger had answers
    that once took longer."""

    def watch_tools(self) -> Tools:
        """The same tools, noting every use."""
        ask, retrieve = self._ask if self.tools.ask else None, self._find if self.tools.retrieve else None
        return replace(self.tools, ask=ask, retrieve=retrieve, note=self.steps.append)

    async def _ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        if self.tools.ask is None:
            raise BenchError("This run has no agent: name one with --agent.")
        began = time.perf_counter()
        completion = await self.tools.ask(prompt, inputs, sampling)
        self.apart += time.perf_counter() - began - completion.seconds
        self.calls.append(completion)
        self.steps.append(Step("call", prompt.identity, call=completion.call, seconds=completion.seconds))
        return completion

    def _find(self, query: str, k: int) -> list[Hit]:
        if self.tools.retrieve is None:
            raise BenchError("This run has no retriever: name one with --retriever.")
        began = time.perf_counter()
        hits = self.tools.retrieve(query, k)
        spans = tuple(hit.span for hit in hits)
        scores = tuple(round(float(hit.score), 6) for hit in hits)
        self.steps.append(Step("retrieve", query, spans, seconds=time.perf_counter() - began, scores=scores))
        return hits

    def seconds(self, wall: float) -> float:
        """Service time: the clock, with each call as long as its agent took for it, or once took where the ledger had it."""
        return max(wall - self.apart, 0.0)

    def sum_waiting(self, which: Literal["queued", "retrying"]) -> float:
        """Seconds that its own calls waited for a free place, or lost to attempts that failed."""
        fresh = [call for call in self.calls if not call.cached]
        return sum(call.retrying if which == "retrying" else call.waited - call.retrying for call in fresh)

    def tokens(self, which: str) -> int | None:
        """Sum over the calls; None when there was none or one of them did not say."""
        counts = [getattr(call, which) for call in self.calls]
        return sum(counts) if counts and None not in counts else None


async def answer_all(
    questions: Sequence[Question],
    adapter: SystemAdapter,
    settings: Mapping[str, Any],
    tools_for: Callable[[Question], Tools],
    *,
    run_id: str,
    concurrency: int = 8,
    timeout: float | None = None,
    cost: Callable[[Question], float] | None = None,
    cancel: asyncio.Event | None = None,
    tell: Callable[[str], None] | None = None,
) -> AsyncIterator[Trace]:
    """Traces in the order they finish. `settings` go over the adapter's own; `timeout` is in seconds per question, waiting
    included; with `cost` the dearest questions start first. A question that met the budget or a dead endpoint has no trace.
    Raises BenchError before the first trace when the adapter cannot start, RunStopped after the last."""
    if concurrency < 1:
        raise BenchError(f"A run needs a concurrency of at least 1, not {concurrency}.")
    waiting = sorted(questions, key=cost, reverse=True) if cost else list(questions)
    opened = await _maybe_awaited(adapter.open(waiting, {**adapter.settings, **settings})) if adapter.open else None
    opened = {**adapter.settings, **settings} if opened is None else opened
    for sentence in opened.get("messages", ()) if tell else ():
        tell(sentence)  # type: ignore[misc]
    if adapter.ready and waiting:
        await _await_ready(adapter.ready(waiting, tools_for(waiting[0]), opened))
    yielded = 0

    async def answer(question: Question) -> Trace:
        return await _answer_question(question, adapter, opened, tools_for, run_id, timeout)

    try:
        async with aclosing(run_in_window(iter(waiting), answer, concurrency, cancel)) as traces:
            async for trace in traces:
                yielded += 1
                yield trace
        if yielded < len(waiting):
            raise RunStopped(f"Cancelled after {yielded} of {len(waiting)} questions.", reason="cancelled")
    finally:
        if adapter.close:
            await _maybe_awaited(adapter.close(opened))


async def _await_ready(looking: Awaitable[None]) -> None:
    """Raises RunStopped when nobody could look, BenchError when what is needed is not there."""
    try:
        await looking
    except BudgetReached as reached:
        raise RunStopped(str(reached), reason="budget") from reached
    except AgentError as failed:
        raise RunStopped(str(failed), reason="endpoint") from failed


async def _answer_question(
    question: Question,
    adapter: SystemAdapter,
    settings: Mapping[str, Any],
    tools_for: Callable[[Question], Tools],
    run_id: str,
    timeout: float | None,
) -> Trace:
    """One question's trace, failed ones too. Raises RunStopped when no other question could fare better."""
    watch = _Watch(tools_for(question))
    began = time.perf_counter()
    stop, error, answer = "answered", None, None
    try:
        async with asyncio.timeout(timeout):
            answer = await adapter.answer(question, watch.watch_tools(), settings)
        if timeout is not None and time.perf_counter() - began > timeout:
            answer = None  # it came too late: a search that never gives the loop a turn cannot be broken off
            raise TimeoutError
        stop = answer.stop
    except BudgetReached as reached:
        raise RunStopped(str(reached), reason="budget") from reached
    except AgentError as failed:
        if failed.stops_job:
            raise RunStopped(str(failed), reason="endpoint") from failed
        stop, error = failed.kind, str(failed)
    except Cancelled as broken:
        raise RunStopped(str(broken), reason="cancelled") from broken
    except SystemFailed as failed:
        stop, error = failed.stop, str(failed)
    except Unreadable as failed:
        stop, error = "unparsed", str(failed)
    except BenchError as failed:
        stop, error = "tool_error", str(failed)
    except TimeoutError:
        stop, error = "timeout", f"No answer within {timeout:g} seconds." if timeout else "The system ran into a time limit."
    except Exception as bug:  # noqa: BLE001 - a system under test may raise anything; that is its result, not ours
        stop, error = "crashed", f"{type(bug).__name__}: {bug}"
    return _trace(question, watch, answer, time.perf_counter() - began, run_id, stop, error)


def _trace(
    question: Question, watch: _Watch, answer: Answer | None, wall: float, run_id: str, stop: str, error: str | None
) -> Trace:
    own = answer or Answer("")
    retrieved: tuple[Span, ...] | None = own.retrieved
    if answer is None:  # a system that failed late still searched: keep what it found
        found = [step.spans for step in watch.steps if step.kind == "retrieve"]
        retrieved = found[-1] if found else None
    return Trace(
        run=run_id,
        item=question.item,
        variant=question.variant,
        answer=_replace_surrogates(answer.text) if answer else None,
        retrieved=retrieved,
        steps=(*watch.steps, *own.steps),
        calls=len(watch.calls) + (own.calls or 0),
        tokens_in=_add_known(watch.tokens("tokens_in"), own.tokens_in),
        tokens_out=_add_known(watch.tokens("tokens_out"), own.tokens_out),
        seconds=own.seconds if own.seconds is not None else watch.seconds(wall - own.waited),
        stop=stop,
        error=error,
        queued=watch.sum_waiting("queued") + own.waited,
        retrying=watch.sum_waiting("retrying"),
    )


def _replace_surrogates(text: str) -> str:
    """The text without half surrogates, which no store or file could hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _add_known(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else a + b


async def _maybe_awaited(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value
