"""Wrap an agent so that it uses an answer from the ledger if there is one, and stores each new call in the ledger. Equal
requests at the same time share one call."""

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from core.agent import Agent, Completion, Sampling, can_complete
from core.errors import UNREAD, AgentError, WaitsForBatch
from core.ids import canonical_json, content_hash, new_id
from core.nouns import Prompt
from store.engine.columns import current_time, replace_surrogates
from store.engine.database import Database
from store.ledger.batches import BatchCollector, WaitingRequest
from store.ledger.budget import Budget
from store.ledger.calls import BAD_REQUEST, Call, Ledger, prepare_completion, wait_shielded

OnText = Callable[[Prompt, str], None]
"""Type of a callback that is called for each new piece of a reply, with the prompt and the whole text of the reply so far. If
the request is retried, the text starts again."""


class BatchMode(NamedTuple):
    """Settings for an agent that collects its requests for a batch instead of sending them."""

    collector: BatchCollector
    agent: Mapping[str, Any]
    """The agent as the command line names it: {"name", "settings", "owner"}."""


class PendingCalls:
    """The calls that are not answered yet, in a dict by request key. All threads that send the same request wait for one
    answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_key: dict[str, Future[Completion]] = {}

    def join(self, key: str) -> "tuple[Future[Completion], bool]":
        """Return (future of the answer to the request, whether this caller must send the request)."""
        with self._lock:
            if key in self._by_key:
                return self._by_key[key], False
            answer: Future[Completion] = Future()
            answer.set_running_or_notify_cancel()
            self._by_key[key] = answer
            return answer, True

    def finish(self, key: str, task: "asyncio.Task[Completion]") -> None:
        """Pass the result or error of the finished call to every thread that waits for the answer."""
        with self._lock:
            answer = self._by_key.pop(key)
        if task.cancelled():
            answer.set_exception(AbandonedCall())
        elif error := task.exception():
            answer.set_exception(error)
        else:
            answer.set_result(task.result())


_lock = threading.Lock()
_pending: "WeakKeyDictionary[Database, PendingCalls]" = WeakKeyDictionary()
"""Dict from workspace to its calls that are not answered yet; all agents of this process share it."""


class LedgeredAgent:
    """An agent that looks for an answer in the ledger before it makes a call, and stores the call before it returns the
    answer."""

    def __init__(
        self,
        agent: Agent,
        ledger: Ledger,
        budget: Budget | None = None,
        job: str | None = None,
        on_text: OnText | None = None,
        batch: BatchMode | None = None,
    ) -> None:
        """Wrap the agent. With `batch`, no call is made: requests without a stored answer are collected. `on_text` gets the
        text of an answer while it arrives; it runs on the thread of the event loop and must not block. If the answer comes from
        the ledger or the agent cannot stream, `on_text` is called once with the whole text."""
        self._agent, self._ledger, self._job, self._on_text, self._batch = agent, ledger, job, on_text, batch
        self.budget = budget or Budget(None)
        with _lock:
            self._pending = _pending.setdefault(ledger.database, PendingCalls())
        self._tasks: set[asyncio.Task[Completion]] = set()
        self._began = current_time()
        self._failures: dict[str, tuple[str, str]] | None = None
        self._is_ended = False

    @property
    def name(self) -> str:
        return self._agent.name

    @property
    def is_offline(self) -> bool:
        return self._agent.is_offline

    @property
    def context(self) -> int | None:
        return self._agent.context

    def is_able(self, prompt: Prompt) -> bool:
        """Check, as far as possible before the first call, whether the agent can answer the prompt."""
        return can_complete(self._agent, prompt)

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        return self._agent.request(prompt, inputs, sampling)

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        return self._agent.worst_price(prompt, inputs, sampling)

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Return the stored answer to the prompt, or make the call. If the call fails, stores the failure and raises
        AgentError. If the call may cost more than is left of the budget, raises BudgetReached without making it. A call
        continues even if its caller stops waiting, so that the paid answer is stored. Raises WaitsForBatch if the answer will
        come from a batch."""
        request = dict(self._agent.request(prompt, inputs, sampling))
        key = _hash_request(request)
        if self._batch is not None:
            return await self._find_or_collect(self._batch, key, request, prompt, inputs, sampling)
        while True:
            if self._is_ended:
                raise AgentError("The job was cancelled.", kind="endpoint", attempts=0, stops_job=True)
            answer, is_mine = self._pending.join(key)
            if is_mine:
                task = asyncio.create_task(self._answer(key, request, prompt, inputs, sampling))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                task.add_done_callback(lambda ended: self._pending.finish(key, ended))
            try:
                completion = await asyncio.shield(asyncio.wrap_future(answer))
            except AbandonedCall:
                continue
            if self._on_text is not None:
                self._on_text(prompt, completion.text)
            return completion if is_mine else replace(completion, cached=True, attempts=0)

    async def ask_unless_failed(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Return an answer like `ask`. If the request failed after all retries in an earlier start of the job, raise the stored
        error instead. Without this, a few requests that always fail would stop the job at every start. For batched requests,
        the batch records the failures."""
        if self._batch is not None:
            return await self.ask(prompt, inputs, sampling)
        failures = await self._failed_before()
        if failures:
            stored = failures.get(_hash_request(dict(self._agent.request(prompt, inputs, sampling))))
            if stored is not None:
                kind, message = stored
                failure = AgentError(message, kind="refused" if kind == BAD_REQUEST else kind, attempts=0)
                failure.failed_before = True
                raise failure
        return await self.ask(prompt, inputs, sampling)

    async def _failed_before(self) -> Mapping[str, tuple[str, str]]:
        if self._failures is None:
            job, began = self._job, self._began
            self._failures = await asyncio.to_thread(self._ledger.failures, job, began) if job else {}
        return self._failures

    @property
    def is_batched(self) -> bool:
        """Return whether the agent gets its answers from batches."""
        return self._batch is not None

    async def drain(self) -> None:
        """Wait until the answers of all calls in progress are stored."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    def break_off(self) -> None:
        """Cancel all calls in progress at once. The ledger stores each of these calls as cancelled ("broken_off"), so that the
        call can be made again later."""
        for task in self._tasks:
            task.cancel()

    def end_calls(self) -> None:
        """Cancel all calls in progress and refuse later calls, because the job is permanently cancelled."""
        self._is_ended = True
        self.break_off()

    async def close(self) -> None:
        """Wait until the answers of all calls in progress are stored, then close what the agent opened in this event loop."""
        await self.drain()
        close = getattr(self._agent, "close", None)
        if close is not None:
            await close()

    async def _find_or_collect(
        self,
        batch: BatchMode,
        key: str,
        request: Mapping[str, Any],
        prompt: Prompt,
        inputs: Mapping[str, object],
        sampling: Sampling,
    ) -> Completion:
        """Return the stored answer, or collect the request and raise WaitsForBatch. Raises AgentError if earlier replies to the
        request could not be used, and BudgetReached if the batch may cost more than the budget."""
        if (stored := await self._find_stored(key)) is not None:
            return stored
        failures = await asyncio.to_thread(batch.collector.failures)
        if key in failures:
            kind, message = failures[key]
            failure = AgentError(message, kind=kind, attempts=0)
            failure.failed_before = True
            raise failure
        sent = self._agent.write_batch_request(prompt, inputs, sampling)  # type: ignore[attr-defined]  # bound to such agents
        if not batch.collector.is_known(key):
            self.budget.reserve(sent.price)
            self.budget.settle(sent.price, sent.price)  # the real price comes later, in another process
        endpoint = f"{request['base_url']} {request['model']}"
        origin = (dict(batch.agent), endpoint, prompt.identity, prompt.skill, self._job)
        if batch.collector.add(WaitingRequest(key, *origin, request, sent)):
            await asyncio.to_thread(batch.collector.store)
        raise WaitsForBatch(f"A request to {self.name} waits for its batch.")

    async def _find_stored(self, key: str) -> Completion | None:
        """Return the stored answer, or None if there is none. If the stored reply could not be parsed before, try to parse it
        again."""
        try:
            return await self._ledger.find(key)
        except AgentError as error:
            if error.kind != UNREAD:
                raise
            return await self._read_again(key, error)

    async def _answer(
        self, key: str, request: Mapping[str, Any], prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling
    ) -> Completion:
        if (stored := await self._find_stored(key)) is not None:
            return stored
        worst = self._agent.worst_price(prompt, inputs, sampling)
        await self.budget.reserve_in_turn(worst)
        price: float | None = 0.0

        def call(
            id: str,
            completion: Completion | None,
            attempts: int | None,
            kind: str | None,
            error: str | None,
            raw: Mapping[str, Any] | None = None,
            paid: float | None = None,
        ) -> Call:
            origin = (self._agent.name, prompt.identity, prompt.skill, self._job, request)
            return Call(id, key, *origin, completion, price, attempts, kind, error, current_time(), raw, paid)

        try:
            try:
                completion = await self._fetch(prompt, inputs, sampling)
            except AgentError as error:
                kind = BAD_REQUEST if error.may_be_its_own else error.kind
                price = price if error.raw is None else worst if error.price is None else error.price
                own = new_id() if error.raw is None else key
                failed = call(own, None, error.attempts, kind, str(error), error.raw, error.price)
                await wait_shielded(self._ledger.store(failed))
                error.failed_before = key in await self._failed_before()
                if error.may_be_its_own and self._job:
                    others = await asyncio.to_thread(self._ledger.has_answer, self._job, prompt.identity)
                    error.stops_job &= not (others or error.failed_before)
                elif error.kind == "refused" and error.stops_job and self._job:
                    where = (self._job, key, self._agent.name, prompt.identity)
                    error.failed_before |= await asyncio.to_thread(self._ledger.is_refused_alone, *where, self._began)
                    error.stops_job = not error.failed_before
                raise
            except asyncio.CancelledError:
                self._ledger.store(
                    call(
                        new_id(),
                        None,
                        None,
                        "broken_off",
                        "Cancelled: nobody waited for the answer any more.",
                    )
                )
                raise
            price = worst if completion.price is None else completion.price
            try:
                completion = prepare_completion(completion, key)
                stored_soon = self._ledger.store(call(key, completion, completion.attempts, None, None))
            except Exception as error:  # any error: the reply may have been paid for
                why = f"{self._agent.name} answered, but storing its reply failed ({type(error).__name__}: {error})."
                await wait_shielded(
                    self._ledger.store(call(key, None, completion.attempts, UNREAD, why, _pack_completion(completion)))
                )
                raise
            await wait_shielded(stored_soon)
            return completion
        finally:
            self.budget.settle(worst, price)

    async def _read_again(self, key: str, unread: AgentError) -> Completion:
        """Parse a stored reply that could not be parsed before, and return its completion. Raises the error `unread` if the
        reply still cannot be parsed."""
        read_again = getattr(self._agent, "read_again", None)
        if read_again is None:
            raise unread
        try:
            completion = prepare_completion(read_again(unread.raw), key)
        except Exception as error:  # any error: the reply stays unchanged
            raise unread from error
        stored = await asyncio.to_thread(self._ledger.get, key)
        charged = stored.charged if completion.price is None else completion.price
        read = replace(stored, completion=completion, charged=charged, kind=None, error=None, raw=None)
        await wait_shielded(self._ledger.store(read))
        return replace(completion, cached=True, attempts=0)

    async def _fetch(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Call the agent. If `on_text` is given and the agent can stream, stream the reply."""
        stream, on_text = getattr(self._agent, "stream", None), self._on_text
        if stream is None or on_text is None:
            return await self._agent.ask(prompt, inputs, sampling)

        def on_piece(text: str) -> None:
            with suppress(Exception):  # if the listener fails, it gets the whole text at the end
                on_text(prompt, text)

        completion: Completion = await stream(prompt, inputs, sampling, on_piece)
        return completion


class AbandonedCall(Exception):
    """Raised if the task that made a call was cancelled, for example because its event loop ended. Other tasks that wait for
    the answer then make the call themselves."""


def _hash_request(request: Mapping[str, Any]) -> str:
    return content_hash(replace_surrogates(canonical_json(request)))


def _pack_completion(completion: Completion) -> dict[str, Any]:
    """Return the raw reply of a completion that could not be stored; if there is no raw reply, return the completion's text."""
    try:
        body = json.dumps(completion.raw)
    except (TypeError, ValueError, RecursionError):
        body = str(completion.text)
    return {"body": body, "attempts": completion.attempts}
