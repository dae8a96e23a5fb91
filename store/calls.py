"""The ledger: every call of every agent with its whole request, raw reply and price. A call with the same request is paid
once, ever; parsing stays outside, so a better parser re-reads what is here for free."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from core.agents.agent import Agent, Completion, Sampling
from core.errors import AgentError, BenchError
from core.ids import canonical_json, content_hash, new_id
from core.nouns import Prompt
from store.budget import Budget
from store.columns import from_json, in_pieces, insert_row, now, storable, to_json
from store.database import Cursor, Database

OnText = Callable[[Prompt, str], None]
"""Told the prompt and the whole text of its answer so far, at each piece of it; a try that breaks off starts over."""

_COLUMNS = (
    "id", "key", "agent", "prompt", "skill", "job", "request", "text", "raw", "finish", "tokens_in", "tokens_out", "logprobs",
    "price", "charged", "seconds", "waited", "attempts", "kind", "error", "made_at", "retrying",
)  # fmt: skip
_ALL = ", ".join(_COLUMNS)


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
    """Kind of the failure, see AgentError; "broken_off" when its process stopped waiting for it."""
    error: str | None
    at: str


class Spent(NamedTuple):
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


class Typical(NamedTuple):
    """How one agent answered one prompt so far, in the mean."""

    calls: int
    tokens_out: float | None
    seconds: float


class Flights:
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
            flight.set_exception(BrokenOff())
        elif error := task.exception():
            flight.set_exception(error)
        else:
            flight.set_result(task.result())


_lock = threading.Lock()
_flights: "WeakKeyDictionary[Database, Flights]" = WeakKeyDictionary()


class Ledger:
    """The calls of one workspace."""

    def __init__(self, database: Database) -> None:
        self._database = database
        with _lock:
            self.flights = _flights.setdefault(database, Flights())
            """Calls under way in this process, of all ledgers of this workspace."""

    def find(self, key: str) -> Completion | None:
        """The stored answer to a request, or None."""
        rows = self._database.rows(f"SELECT {_ALL} FROM call WHERE id = ?", [key])
        return _call(rows[0]).completion if rows else None

    def get(self, call: str) -> Call:
        """The call of that id; raises BenchError when there is none."""
        rows = self._database.rows(f"SELECT {_ALL} FROM call WHERE id = ?", [call])
        if not rows:
            raise BenchError(f"No call {call} in this workspace's ledger.")
        return _call(rows[0])

    def spent(self, job: str | None = None) -> Spent:
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
        return Spent(calls, failed, attempts, None if unpriced else price, tokens_in, tokens_out)

    def calls(self, job: str | None = None) -> int:
        """Answered calls."""
        return self.spent(job).calls

    def attempts(self, job: str | None = None) -> int:
        """Requests that left this process."""
        return self.spent(job).attempts

    def cost(self, job: str | None = None) -> float | None:
        """US dollars; None when the price of any answered call is unknown."""
        return self.spent(job).cost

    def charged(self, job: str) -> float:
        """US dollars that the job's budget was charged: what a resumed job has spent before."""
        sql = "SELECT coalesce(sum(charged), 0) FROM call WHERE job = ?"
        return float(self._database.rows(sql, [job])[0][0])

    def typical(self, agent: str) -> dict[str, Typical]:
        """Prompt name with its language -> how that agent answered it so far."""
        sql = """
            SELECT split_part(prompt, '@', 1) AS name, count(*), avg(tokens_out), avg(seconds)
            FROM call
            WHERE agent = ? AND error IS NULL
            GROUP BY name
            """
        return {name: Typical(*rest) for name, *rest in self._database.rows(sql, [agent])}

    def seconds(self, calls: Iterable[str]) -> float | None:
        """Seconds that somebody waited for those calls' answers, in the queue and at the endpoint; None when none of them is
        in the ledger."""
        sql = "SELECT count(*), coalesce(sum(seconds + waited), 0) FROM call WHERE id IN (SELECT unnest(?::VARCHAR[]))"
        found = [self._database.rows(sql, [piece])[0] for piece in in_pieces(dict.fromkeys(calls))]
        return sum(seconds for _, seconds in found) if any(count for count, _ in found) else None

    def store(self, call: Call) -> "Future[None]":
        """Put a call in; the future is done when it is on the disk. The answer to a request that has one is not replaced."""
        c = call.completion
        row = [
            call.id, call.key, call.agent, call.prompt, call.skill, call.job, to_json(call.request),
            c and c.text, None if c is None or c.raw is None else to_json(c.raw), c and c.finish, c and c.tokens_in,
            c and c.tokens_out, None if c is None or c.logprobs is None else to_json(_logs(c)), c and c.price,
            call.charged, c and c.seconds, c and c.waited, call.attempts, call.kind, call.error, call.at, c and c.retrying,
        ]  # fmt: skip

        def write(cursor: Cursor) -> None:  # ON CONFLICT DO NOTHING takes longer than to look first
            if not cursor.execute("SELECT 1 FROM call WHERE id = ?", [call.id]).fetchall():
                insert_row(cursor, "call", _COLUMNS, row)

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
        key = content_hash(storable(canonical_json(request)))
        while True:
            flight, is_mine = self._ledger.flights.board(key)
            if is_mine:
                task = asyncio.create_task(self._answer(key, request, prompt, inputs, sampling))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                task.add_done_callback(lambda done: self._ledger.flights.land(key, done))
            try:
                completion = await asyncio.shield(asyncio.wrap_future(flight))
            except BrokenOff:
                continue
            if self._on_text is not None:
                self._on_text(prompt, completion.text)
            return completion if is_mine else replace(completion, cached=True, attempts=0)

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
        stored = await asyncio.to_thread(self._ledger.find, key)
        if stored is not None:
            return stored
        worst = self._agent.worst_price(prompt, inputs, sampling)
        await self.budget.reserve_in_turn(worst)
        price: float | None = 0.0

        def call(id: str, completion: Completion | None, attempts: int | None, kind: str | None, error: str | None) -> Call:
            identity, job = prompt.identity, self._job
            return Call(
                id, key, self._agent.name, identity, prompt.skill, job, request, completion, price, attempts, kind, error, now()
            )

        try:
            try:
                completion = await self._fetch(prompt, inputs, sampling)
            except AgentError as error:
                await _on_disk(self._ledger.store(call(new_id(), None, error.attempts, error.kind, str(error))))
                raise
            except asyncio.CancelledError:
                self._ledger.store(call(new_id(), None, None, "broken_off", "Nobody waited for the answer any more."))
                raise
            price = worst if completion.price is None else completion.price
            completion = replace(completion, text=storable(completion.text)).stored_as(key, cached=False)
            await _on_disk(self._ledger.store(call(key, completion, completion.attempts, None, None)))
            return completion
        finally:
            self.budget.settle(worst, price)

    async def _fetch(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Ask the agent, as a stream where somebody listens and it can."""
        stream, hear = getattr(self._agent, "stream", None), self._on_text
        if stream is None or hear is None:
            return await self._agent.ask(prompt, inputs, sampling)
        completion: Completion = await stream(prompt, inputs, sampling, lambda text: hear(prompt, text))
        return completion


class BrokenOff(Exception):
    """The task that asked was cancelled with its loop; whoever waits for the same answer asks again."""


def _on_disk(future: "Future[None]") -> Awaitable[None]:
    """Wait without blocking the loop, to the end even when the waiting is cancelled."""
    return asyncio.shield(asyncio.wrap_future(future))


def _logs(completion: Completion) -> list[list[Any]]:
    """[token, log] for each token, and the logs of its alternatives where there are some."""
    rows = [list(pair) for pair in completion.logprobs or ()]
    tops = completion.alternatives
    return rows if tops is None else [[*row, list(top)] for row, top in zip(rows, tops, strict=True)]


def _call(row: tuple[Any, ...]) -> Call:
    (id, key, agent, prompt, skill, job, request, text, raw, finish, tokens_in, tokens_out, logprobs, price, charged, seconds,
     waited, attempts, kind, error, at, retrying) = row  # fmt: skip
    completion = None
    if error is None:
        rows = from_json(logprobs)
        pairs = None if rows is None else tuple((token, value) for token, value, *_ in rows)
        tops = tuple(tuple(top) for _, _, *more in rows for top in more) if rows else ()
        completion = Completion(
            text=text, tokens_in=tokens_in, tokens_out=tokens_out, seconds=seconds, waited=waited,
            retrying=retrying or 0.0, finish=finish,
            logprobs=pairs, alternatives=tops or None, price=price, attempts=0, call=id, cached=True, raw=from_json(raw),
        )  # fmt: skip
    return Call(id, key, agent, prompt, skill, job, from_json(request), completion, charged, attempts, kind, error, at)
