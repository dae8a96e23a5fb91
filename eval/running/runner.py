"""Run one system on all questions, and yield one Trace for each question when it is finished. At most `concurrency` questions
are answered at the same time. Every retrieval and call is a step of the trace; the trace of a failed question has a stop reason
and an error message. A run that must stop finishes the questions in progress, yields their traces, and raises RunStopped, so
that it can continue later."""

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from core.agent import Completion, Sampling
from core.cancellation import Cancelled
from core.errors import AgentError, BenchError, BudgetReached, EngineFailed, Unreadable, WaitsForBatch
from core.nouns import Hit, Prompt, Step, Trace
from eval.running.window import run_in_window
from eval.settings import Settings, read_settings
from eval.system import Answer, Inputs, Question, SystemAdapter, SystemFailed, Tools

ENGINE_STOP = "engine"
"""Stop reason of a trace whose search engine failed; when the run starts again, its question is asked again."""


class RunStopped(BenchError):
    """Raised if a run or a scoring ends before its last question; the results yielded before remain valid."""

    def __init__(self, message: str, *, reason: Literal["budget", "cancelled", "endpoint", "batch"]) -> None:
        super().__init__(message)
        self.reason = reason


@contextmanager
def stop_run(is_whole: bool = False) -> Iterator[None]:
    """Raise RunStopped in place of an error that would also make the next questions fail: the budget is spent, or the agent
    fails for every question. With `is_whole`, any failure of the agent counts as such an error."""
    try:
        yield
    except BudgetReached as reached:
        raise RunStopped(str(reached), reason="budget") from reached
    except WaitsForBatch as waits:
        if is_whole:
            raise RunStopped(str(waits), reason="batch") from waits
        raise
    except AgentError as failed:
        if failed.stops_job or is_whole:
            raise RunStopped(str(failed), reason="endpoint") from failed
        raise


@dataclass(slots=True)
class _QuestionUse:
    """Record of all tools that the system used to answer one question."""

    tools: Tools
    steps: list[Step] = field(default_factory=list)
    calls: list[Completion] = field(default_factory=list)
    idle: float = 0.0
    """Seconds of the question's calls that are not service time: the time for waiting, and for work of the ledger of calls.
    Negative if the ledger returned replies that originally took longer."""
    is_untimed: bool = False
    """Whether a reply came from a batch, so that the time of the answer is unknown."""
    waits: WaitsForBatch | None = None
    """The first call that waits for its batch; None = no call waits. The question then waits too, even if the system continues
    without the reply."""
    engine_failure: EngineFailed | None = None
    """The failure of a search engine; None = no search engine failed. The question then fails too, even if the system continues
    without passages."""

    def watch_tools(self) -> Tools:
        """Return a copy of the tools that records every use by the system."""
        ask, retrieve = self._ask if self.tools.ask else None, self._retrieve if self.tools.retrieve else None
        return replace(self.tools, ask=ask, retrieve=retrieve, note=self.steps.append)

    async def _ask(self, prompt: Prompt, inputs: Inputs, sampling: Sampling) -> Completion:
        began = time.perf_counter()
        try:
            completion = await self.tools.agent(prompt, inputs, sampling)
        except WaitsForBatch as waits:
            self.waits = self.waits or waits
            raise
        self.is_untimed |= completion.seconds is None
        self.idle += time.perf_counter() - began - (completion.seconds or 0.0)
        self.calls.append(completion)
        self.steps.append(Step("call", prompt.identity, call=completion.call, seconds=completion.seconds))
        return completion

    def _retrieve(self, query: str, k: int) -> list[Hit]:
        began = time.perf_counter()
        try:
            hits = self.tools.retrieve(query, k)  # type: ignore[misc]  # watched only where there is one
        except EngineFailed as failed:
            self.engine_failure = failed
            raise
        scores = tuple(round(float(hit.score), 6) for hit in hits)
        took = time.perf_counter() - began
        self.steps.append(Step("retrieve", query, tuple(hit.span for hit in hits), seconds=took, scores=scores))
        return hits

    def sum_tokens(self, side: str, own: int | None) -> int | None:
        """Return the total number of tokens of one side (input or output) over the calls, plus the system's `own` count. If the
        count of any call is unknown, return only `own`, which may be None."""
        counts = [getattr(call, side) for call in self.calls]
        if not counts or None in counts:
            return own
        return int(sum(counts)) + (own or 0)


async def answer_all(
    questions: Sequence[Question],
    adapter: SystemAdapter,
    settings: Settings,
    tools_for: Callable[[Question], Tools],
    *,
    run_id: str,
    concurrency: int = 8,
    timeout: float | None = None,
    cost: Callable[[Question], float] | None = None,
    cancel: asyncio.Event | None = None,
    report_progress: Callable[[str], None] | None = None,
) -> AsyncIterator[Trace]:
    """Let the system answer all questions, and yield their traces in the order in which they finish.

    `settings` override the adapter's defaults; `timeout` is in seconds per question, including waiting; with `cost`, the most
    expensive questions start first. A question has no trace if it waits for a batch, or if the budget is spent or the endpoint
    becomes unreachable before the question is answered. Raises BenchError before the first trace if the adapter cannot start,
    RunStopped after the last trace."""
    if concurrency < 1:
        raise BenchError(f"A run needs a concurrency of at least 1, not {concurrency}.")
    waiting = sorted(questions, key=cost, reverse=True) if cost else list(questions)
    prepared = read_settings(adapter.settings, settings)
    if adapter.open:
        prepared = await _await_value(adapter.open(waiting, prepared))
    for sentence in prepared.get("messages", ()) if report_progress else ():
        report_progress(sentence)  # type: ignore[misc]
    if adapter.check_ready and waiting:
        with stop_run(is_whole=True):
            await adapter.check_ready(waiting, tools_for(waiting[0]), prepared)
    yielded = in_batch = 0

    async def answer(question: Question) -> Trace | WaitsForBatch:
        return await _answer_question(question, adapter, prepared, tools_for, run_id, timeout)

    try:
        async with aclosing(run_in_window(iter(waiting), answer, concurrency, cancel)) as traces:
            async for trace in traces:
                if isinstance(trace, WaitsForBatch):
                    in_batch += 1
                    continue
                yielded += 1
                yield trace
        if in_batch and yielded + in_batch == len(waiting):
            raise RunStopped(f"{in_batch} of {len(waiting)} questions wait for their batch.", reason="batch")
        if yielded < len(waiting):
            raise RunStopped(f"Cancelled after {yielded} of {len(waiting)} questions.", reason="cancelled")
    finally:
        if adapter.close:
            await _await_value(adapter.close(prepared))


async def _answer_question(
    question: Question,
    adapter: SystemAdapter,
    settings: Settings,
    tools_for: Callable[[Question], Tools],
    run_id: str,
    timeout: float | None,
) -> Trace | WaitsForBatch:
    """Return the trace of the question, even if the question failed, or a WaitsForBatch if one of its calls waits for a batch.
    Raises RunStopped if other questions would fail in the same way."""
    use = _QuestionUse(tools_for(question))
    began = time.perf_counter()
    stop, error, answer = "answered", None, None
    try:
        with stop_run():
            async with asyncio.timeout(timeout):
                answer = await adapter.answer(question, use.watch_tools(), settings)
        if timeout is not None and time.perf_counter() - began > timeout:
            answer = None  # the answer came too late: a search that never yields to the event loop cannot be cancelled
            raise TimeoutError
        stop = answer.stop
    except RunStopped:
        raise
    except Cancelled as cancelled:
        raise RunStopped(str(cancelled), reason="cancelled") from cancelled
    except AgentError as failed:
        stop, error = failed.kind, str(failed)
    except SystemFailed as failed:
        stop, error = failed.stop, str(failed)
    except EngineFailed as failed:
        stop, error = ENGINE_STOP, str(failed)
    except BenchError as failed:
        stop, error = "unparsed" if isinstance(failed, Unreadable) else "tool_error", str(failed)
    except TimeoutError:
        stop, error = "timeout", f"No answer within {timeout:g} seconds." if timeout else "The system ran into a time limit."
    except Exception as bug:  # noqa: BLE001 - a system under test may raise any error, which is its result
        stop, error = "crashed", f"{type(bug).__name__}: {bug}"
    if use.waits is not None:  # even if the system answered without the reply
        return use.waits
    if use.engine_failure is not None:  # even if the system answered without the passages
        stop, error, answer = ENGINE_STOP, str(use.engine_failure), None
    return _build_trace(question, use, answer, time.perf_counter() - began, run_id, stop, error)


def _build_trace(
    question: Question, use: _QuestionUse, answer: Answer | None, wall: float, run_id: str, stop: str, error: str | None
) -> Trace:
    own = answer or Answer("")
    retrieved = own.retrieved
    if answer is None:  # a system that failed late has already searched, so keep its searches
        retrieved = next((step.spans for step in reversed(use.steps) if step.kind == "retrieve"), None)
    sent = [call for call in use.calls if not call.cached]
    return Trace(
        run=run_id,
        item=question.item,
        variant=question.variant,
        # no store or file can encode half surrogates
        answer=answer.text.encode("utf-8", "replace").decode("utf-8") if answer else None,
        retrieved=retrieved,
        steps=(*use.steps, *own.steps),
        calls=len(use.calls) + (own.calls or 0),
        tokens_in=use.sum_tokens("tokens_in", own.tokens_in),
        tokens_out=use.sum_tokens("tokens_out", own.tokens_out),
        seconds=own.seconds if own.seconds is not None else None if use.is_untimed else max(wall - own.waited - use.idle, 0.0),
        stop=stop,
        error=error,
        queued=sum(call.waited - call.retrying for call in sent) + own.waited,
        retrying=sum(call.retrying for call in sent),
        tokens_thinking=use.sum_tokens("tokens_thinking", None),
        not_taken=tuple(dict.fromkeys(sentence for call in use.calls for sentence in call.not_taken)),
    )


async def _await_value(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value
