"""The ledger: every call of every agent with its whole request, raw reply and price. A call with the same request is paid
once, ever; parsing stays outside, so a better parser re-reads what is here for free."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from core.agent import Agent, Completion, Sampling
from core.errors import UNREAD, AgentError, BenchError
from core.ids import canonical_json, content_hash, new_id
from core.nouns import Prompt
from store.engine.columns import current_time, from_json, insert_row, replace_surrogates, split_in_batches, to_json
from store.engine.database import Cursor, Database
from store.ledger.budget import Budget

OnText = Callable[[Prompt, str], None]
"""Told the prompt and the whole text of its answer so far, at each piece of it; a try that breaks off starts over."""

_COLUMNS = (
    "id",
    "key",
    "agent",
    "prompt",
    "skill",
    "job",
    "request",
    "text",
    "raw",
    "finish",
    "tokens_in",
    "tokens_out",
    "logprobs",
    "price",
    "charged",
    "seconds",
    "waited",
    "attempts",
    "kind",
    "error",
    "made_at",
    "retrying",
)
_ALL_COLUMNS = ", ".join(_COLUMNS)


@dataclass(frozen=True, slots=True)
class Call:
    """One call as it stands in the ledger."""

    id: str
    key: str
    """Hash of the whole request."""
    agent: str
    prompt: str
    """name@hash."""
    skill: str
    job: str | None
    request: Mapping[str, Any]
    completion: Completion | None
    """None when it failed."""
    charged: float | None
    """US dollars that its budget was charged: its price, or the worst price when that is unknown; None when both are."""
    attempts: int | None
    """Requests that left this process; None when the call was broken off and nobody knows."""
    kind: str | None
    """Kind of the failure, see AgentError; BAD_REQUEST; "broken_off" when its process stopped waiting for it."""
    error: str | None
    at: str
    raw: Mapping[str, Any] | None = None
    """What came back, of a failure of kind malformed or unread."""


class Spending(NamedTuple):
    """What calls came to."""

    calls: int
    """Answered ones."""
    failed: int
    attempts: int
    """Requests that left this process: what an endpoint's own count must equal."""
    cost: float | None
    """US dollars; None when the price of any answered call is unknown."""
    tokens_in: int
    tokens_out: int


class TypicalCall(NamedTuple):
    """How one agent answered one prompt so far, in the mean."""

    calls: int
    tokens_out: float | None
    seconds: float


class PendingCalls:
    """Calls under way by key, so that two askers of one request share one answer, in whichever threads they are."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_key: dict[str, Future[Completion]] = {}

    def board(self, key: str) -> "tuple[Future[Completion], bool]":
        """(the answer to come, whether the caller is the one to fetch it)."""
        with self._lock:
            if key in self._by_key:
                return self._by_key[key], False
            flight: Future[Completion] = Future()
            flight.set_running_or_notify_cancel()
            self._by_key[key] = flight
            return flight, True

    def land(self, key: str, task: "asyncio.Task[Completion]") -> None:
        """Hand the task's end to everybody who waits."""
        with self._lock:
            flight = self._by_key.pop(key)
        if task.cancelled():
            flight.set_exception(AbandonedCall())
        elif error := task.exception():
            flight.set_exception(error)
        else:
            flight.set_result(task.result())


BAD_REQUEST = "bad_request"
"""The ledger's kind for a request that was refused and may be the only one, see AgentError.may_be_its_own."""
ITS_OWN = ("timeout", "connection", "server", "too_long", "filter", BAD_REQUEST)
"""Kinds of failure of one question with all its tries, where the endpoint answers others."""
_lock = threading.Lock()
_flights: "WeakKeyDictionary[Database, PendingCalls]" = WeakKeyDictionary()


class Ledger:
    """The calls of one workspace."""

    def __init__(self, database: Database) -> None:
        self._database = database
        with _lock:
            self.flights = _flights.setdefault(database, PendingCalls())
            """Calls under way in this process, of all ledgers of this workspace."""

    def find(self, key: str) -> Completion | None:
        """The stored answer to a request, or None. Raises AgentError where it is a reply that nobody could read."""
        rows = self._database.rows(f"SELECT {_ALL_COLUMNS} FROM call WHERE id = ?", [key])
        if not rows:
            return None
        call = _call(rows[0])
        if call.error is not None:
            failed = AgentError(call.error, kind=str(call.kind), attempts=0, raw=call.raw)
            failed.failed_before = True
            raise failed
        return call.completion

    def get(self, call: str) -> Call:
        """The call of that id; raises BenchError when there is none."""
        rows = self._database.rows(f"SELECT {_ALL_COLUMNS} FROM call WHERE id = ?", [call])
        if not rows:
            raise BenchError(f"No call {call} in this workspace's ledger.")
        return _call(rows[0])

    def sum_spending(self, job: str | None = None) -> Spending:
        """Of that job, or of all calls ever."""
        rows = self._database.rows(
            """
            SELECT
                count(*) FILTER (WHERE error IS NULL), count(*) FILTER (WHERE error IS NOT NULL),
                coalesce(sum(attempts), 0)::BIGINT, coalesce(sum(price), 0),
                count(*) FILTER (WHERE error IS NULL AND price IS NULL),
                coalesce(sum(tokens_in), 0)::BIGINT, coalesce(sum(tokens_out), 0)::BIGINT
            FROM call
            WHERE ?::VARCHAR IS NULL OR job = ?
            """,
            [job, job],
        )
        calls, failed, attempts, price, unpriced, tokens_in, tokens_out = rows[0]
        return Spending(calls, failed, attempts, None if unpriced else price, tokens_in, tokens_out)

    def calls(self, job: str | None = None) -> int:
        """Answered calls."""
        return self.sum_spending(job).calls

    def attempts(self, job: str | None = None) -> int:
        """Requests that left this process."""
        return self.sum_spending(job).attempts

    def cost(self, job: str | None = None) -> float | None:
        """US dollars; None when the price of any answered call is unknown."""
        return self.sum_spending(job).cost

    def sum_charges(self, job: str) -> float:
        """US dollars that the job's budget was charged: what a resumed job has spent before."""
        sql = "SELECT coalesce(sum(charged), 0) FROM call WHERE job = ?"
        return float(self._database.rows(sql, [job])[0][0])

    def load_typical_calls(self, agent: str) -> dict[str, TypicalCall]:
        """Prompt name with its language -> how that agent answered it so far."""
        sql = """
            SELECT split_part(prompt, '@', 1) AS name, count(*), avg(tokens_out), avg(seconds)
            FROM call
            WHERE agent = ? AND error IS NULL
            GROUP BY name
            """
        return {name: TypicalCall(*rest) for name, *rest in self._database.rows(sql, [agent])}

    def failures(self, job: str, before: str) -> dict[str, tuple[str, str]]:
        """Key -> (kind, sentence) of the job's requests that failed with all their tries before that time and were never
        answered."""
        sql = """
            SELECT key, arg_max(kind, made_at), arg_max(error, made_at)
            FROM call
            WHERE job = ? AND made_at < ? AND kind IN (SELECT unnest(?::VARCHAR[])) AND key NOT IN (SELECT id FROM call)
            GROUP BY key
            """
        return {key: (kind, error) for key, kind, error in self._database.rows(sql, [job, before, list(ITS_OWN)])}

    def has_answer(self, job: str, prompt: str) -> bool:
        """Whether the job had an answer to that prompt (name@hash)."""
        sql = "SELECT 1 FROM call WHERE job = ? AND prompt = ? AND error IS NULL LIMIT 1"
        return bool(self._database.rows(sql, [job, prompt]))

    def seconds(self, calls: Iterable[str]) -> float | None:
        """Seconds that somebody waited for those calls' answers, in the queue and at the endpoint; None when none of them is
        in the ledger."""
        sql = "SELECT count(*), coalesce(sum(seconds + waited), 0) FROM call WHERE id IN (SELECT unnest(?::VARCHAR[]))"
        found = [self._database.rows(sql, [piece])[0] for piece in split_in_batches(dict.fromkeys(calls))]
        return sum(seconds for _, seconds in found) if any(count for count, _ in found) else None

    def store(self, call: Call) -> "Future[None]":
        """Put a call in; the future is done when it is on the disk. The answer to a request that has one is not replaced, but a
        reply that was unread is, once it is read."""
        c = call.completion
        raw = call.raw if c is None else c.raw
        row = [
            call.id,
            call.key,
            call.agent,
            call.prompt,
            call.skill,
            call.job,
            to_json(call.request),
            c and c.text,
            None if raw is None else to_json(raw),
            c and c.finish,
            c and c.tokens_in,
            c and c.tokens_out,
            None if c is None or c.logprobs is None else to_json(_logs(c)),
            c and c.price,
            call.charged,
            c and c.seconds,
            c and c.waited,
            call.attempts,
            call.kind,
            call.error,
            call.at,
            c and c.retrying,
        ]

        def write(cursor: Cursor) -> None:  # ON CONFLICT DO NOTHING takes longer than to look first
            found = cursor.execute("SELECT kind FROM call WHERE id = ?", [call.id]).fetchall()
            if not found:
                insert_row(cursor, "call", _COLUMNS, row)
            elif found == [(UNREAD,)] and call.kind is None:
                read = (
                    "text",
                    "raw",
                    "finish",
                    "tokens_in",
                    "tokens_out",
                    "logprobs",
                    "price",
                    "charged",
                    "seconds",
                    "waited",
                    "retrying",
                    "kind",
                    "error",
                )
                values = dict(zip(_COLUMNS, row, strict=True))
                sets = ", ".join(f"{column} = ?" for column in read)
                cursor.execute(f"UPDATE call SET {sets} WHERE id = ?", [*(values[column] for column in read), call.id])

        return self._database.write_soon(write)


class LedgeredAgent:
    """An agent whose calls are looked up before they are made, and stored before their answers are handed on."""

    def __init__(
        self, agent: Agent, ledger: Ledger, budget: Budget | None = None, job: str | None = None, on_text: OnText | None = None
    ) -> None:
        """`on_text` hears answers as they come; it is called from the loop's thread and must not block. Agents that cannot
        stream, and the ledger, tell it the whole text at once."""
        self._agent, self._ledger, self._job, self._on_text = agent, ledger, job, on_text
        self.budget = budget or Budget(None)
        self._tasks: set[asyncio.Task[Completion]] = set()
        self._began = current_time()
        self._failures: dict[str, tuple[str, str]] | None = None

    @property
    def name(self) -> str:
        return self._agent.name

    @property
    def is_offline(self) -> bool:
        return self._agent.is_offline

    @property
    def context(self) -> int | None:
        return self._agent.context

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        return self._agent.request(prompt, inputs, sampling)

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        return self._agent.worst_price(prompt, inputs, sampling)

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """The stored answer, or a new one. Raises AgentError (stored, too), BudgetReached before a call that might cost more
        than is left. A call under way goes on when its asker stops waiting: what was paid is stored."""
        request = dict(self._agent.request(prompt, inputs, sampling))
        key = content_hash(replace_surrogates(canonical_json(request)))
        while True:
            flight, is_mine = self._ledger.flights.board(key)
            if is_mine:
                task = asyncio.create_task(self._answer(key, request, prompt, inputs, sampling))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                task.add_done_callback(lambda done: self._ledger.flights.land(key, done))
            try:
                completion = await asyncio.shield(asyncio.wrap_future(flight))
            except AbandonedCall:
                continue
            if self._on_text is not None:
                self._on_text(prompt, completion.text)
            return completion if is_mine else replace(completion, cached=True, attempts=0)

    async def ask_unless_failed(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """As ask; but a question that failed with all its tries in an earlier start of this job is not asked again: raises that
        failure. Else the few questions that an endpoint always fails on would stop the job at every start."""
        failures = await self._failed_before()
        if failures:
            request = dict(self._agent.request(prompt, inputs, sampling))
            if found := failures.get(content_hash(replace_surrogates(canonical_json(request)))):
                failed = AgentError(found[1], kind="refused" if found[0] == BAD_REQUEST else found[0], attempts=0)
                failed.failed_before = True
                raise failed
        return await self.ask(prompt, inputs, sampling)

    async def _failed_before(self) -> Mapping[str, tuple[str, str]]:
        if self._failures is None:
            job, began = self._job, self._began
            self._failures = await asyncio.to_thread(self._ledger.failures, job, began) if job else {}
        return self._failures

    async def drain(self) -> None:
        """Wait until every call under way has its answer stored."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    def break_off(self) -> None:
        """Let go of every call under way: a person will not wait for it. Each is in the ledger as broken off, and can be made
        anew."""
        for task in self._tasks:
            task.cancel()

    async def close(self) -> None:
        """As drain; then the agent lets go of what this event loop opened, if it opened anything."""
        await self.drain()
        close = getattr(self._agent, "close", None)
        if close is not None:
            await close()

    async def _answer(
        self, key: str, request: Mapping[str, Any], prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling
    ) -> Completion:
        try:
            stored = await asyncio.to_thread(self._ledger.find, key)
        except AgentError as error:
            if error.kind != UNREAD:
                raise
            return await self._read_again(key, error)
        if stored is not None:
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
        ) -> Call:
            asked = (self._agent.name, prompt.identity, prompt.skill, self._job, request)
            return Call(id, key, *asked, completion, price, attempts, kind, error, current_time(), raw)

        try:
            try:
                completion = await self._fetch(prompt, inputs, sampling)
            except AgentError as error:
                kind = BAD_REQUEST if error.may_be_its_own else error.kind
                price = worst if error.raw is not None else price
                own = new_id() if error.raw is None else key
                await _on_disk(self._ledger.store(call(own, None, error.attempts, kind, str(error), error.raw)))
                error.failed_before = key in await self._failed_before()
                if error.may_be_its_own and self._job:
                    others = await asyncio.to_thread(self._ledger.has_answer, self._job, prompt.identity)
                    error.stops_job &= not (others or error.failed_before)
                raise
            except asyncio.CancelledError:
                self._ledger.store(call(new_id(), None, None, "broken_off", "Nobody waited for the answer any more."))
                raise
            price = worst if completion.price is None else completion.price
            try:
                completion = _as_stored(completion, key)
                stored_soon = self._ledger.store(call(key, completion, completion.attempts, None, None))
            except Exception as error:  # whatever it is: the reply may have been paid
                why = f"{self._agent.name} answered, and storing its reply failed ({type(error).__name__}: {error})."
                await _on_disk(
                    self._ledger.store(call(key, None, completion.attempts, UNREAD, why, _pack_completion(completion)))
                )
                raise
            await _on_disk(stored_soon)
            return completion
        finally:
            self.budget.settle(worst, price)

    async def _read_again(self, key: str, unread: AgentError) -> Completion:
        """The completion in a reply that was stored before it could be worked up; raises `unread` where it still cannot be."""
        read_again = getattr(self._agent, "read_again", None)
        if read_again is None:
            raise unread
        try:
            completion = _as_stored(read_again(unread.raw), key)
        except Exception as error:  # whatever it is: the reply stays as it is
            raise unread from error
        was = await asyncio.to_thread(self._ledger.get, key)
        charged = was.charged if completion.price is None else completion.price
        read = replace(was, completion=completion, charged=charged, kind=None, error=None, raw=None)
        await _on_disk(self._ledger.store(read))
        return replace(completion, cached=True, attempts=0)

    async def _fetch(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Ask the agent, as a stream where somebody listens and it can."""
        stream, hear = getattr(self._agent, "stream", None), self._on_text
        if stream is None or hear is None:
            return await self._agent.ask(prompt, inputs, sampling)

        def on_piece(text: str) -> None:
            with suppress(Exception):  # a listener that fails does not cost the reply: it is told the whole text at the end
                hear(prompt, text)

        completion: Completion = await stream(prompt, inputs, sampling, on_piece)
        return completion


class AbandonedCall(Exception):
    """The task that asked was cancelled with its loop; whoever waits for the same answer asks again."""


def _on_disk(future: "Future[None]") -> Awaitable[None]:
    """Wait without blocking the loop, to the end even when the waiting is cancelled."""
    return asyncio.shield(asyncio.wrap_future(future))


def _as_stored(completion: Completion, key: str) -> Completion:
    return replace(completion, text=replace_surrogates(completion.text)).mark_stored(key, cached=False)


def _pack_completion(completion: Completion) -> dict[str, Any]:
    """What is kept of a completion that cannot be stored: its raw reply, else its text, as one text."""
    try:
        body = json.dumps(completion.raw)
    except (TypeError, ValueError, RecursionError):
        body = str(completion.text)
    return {"body": body, "attempts": completion.attempts}


def _logs(completion: Completion) -> list[list[Any]]:
    """[token, log] for each token, and the logs of its alternatives where there are some."""
    rows = [list(pair) for pair in completion.logprobs or ()]
    tops = completion.alternatives
    return rows if tops is None else [[*row, list(top)] for row, top in zip(rows, tops, strict=True)]


def _call(row: tuple[Any, ...]) -> Call:
    (
        id,
        key,
        agent,
        prompt,
        skill,
        job,
        request,
        text,
        raw,
        finish,
        tokens_in,
        tokens_out,
        logprobs,
        price,
        charged,
        seconds,
        waited,
        attempts,
        kind,
        error,
        at,
        retrying,
    ) = row
    completion = None
    if error is None:
        rows = from_json(logprobs)
        pairs = None if rows is None else tuple((token, value) for token, value, *_ in rows)
        tops = tuple(tuple(top) for _, _, *more in rows for top in more) if rows else ()
        completion = Completion(
            text=text,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            seconds=seconds,
            waited=waited,
            retrying=retrying or 0.0,
            finish=finish,
            logprobs=pairs,
            alternatives=tops or None,
            price=price,
            attempts=0,
            call=id,
            cached=True,
            raw=from_json(raw),
        )
    kept = None if error is None else from_json(raw)
    return Call(id, key, agent, prompt, skill, job, from_json(request), completion, charged, attempts, kind, error, at, kept)
