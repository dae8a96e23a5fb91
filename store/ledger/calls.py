"""Store every LLM call of every agent in the ledger, with its full request, raw reply and price. The same request is paid for
only once, because its stored answer is used again. Raw replies are stored as they came, so that a better parser can read them
again at no cost."""

import asyncio
import threading
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from agents.openai.openai_batch import BatchFailure
from core.agent import Completion
from core.errors import UNREAD, AgentError, BenchError
from core.ids import new_id
from store.engine.columns import (
    Timestamp,
    build_in_condition,
    current_time,
    from_json,
    insert_row,
    insert_rows,
    replace_surrogates,
    to_json,
)
from store.engine.database import Cursor, Database
from store.ledger.batches import WaitingRequest
from store.ledger.budget import Charges

T = TypeVar("T")
_CALL_COLUMNS = ("id", "key", "agent", "prompt", "skill", "job", "charged", "attempts", "kind", "error")
"""Names of the columns that hold the fields of Call."""
_COMPLETION_COLUMNS = (
    *("text", "thinking", "finish", "tokens_in", "tokens_out", "tokens_thinking"),
    *("price", "seconds", "waited", "retrying"),
)
"""Names of the columns that hold the fields of Completion."""
_COLUMNS = (*_CALL_COLUMNS, *_COMPLETION_COLUMNS, "not_taken", "request", "raw", "logprobs", "made_at")
_READ_COLUMNS = (*_COMPLETION_COLUMNS, "not_taken", "raw", "logprobs", "charged", "kind", "error")
"""Names of the columns that change when the program later manages to read a reply that it could not read before."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of an agent, as the ledger stores it."""

    id: str
    key: str
    """Hash of the whole request, which identifies equal requests."""
    agent: str
    prompt: str
    """Identity (name@hash) of the prompt."""
    skill: str
    job: str | None
    request: Mapping[str, Any]
    completion: Completion | None
    """The agent's answer, or None for a failed call."""
    charged: float | None
    """Amount in US dollars that the call takes from the budget: its price, or if that is unknown its highest possible price, or
    None if neither is known."""
    attempts: int | None
    """Number of times the request was sent, or None if the call was cancelled and the number is unknown."""
    kind: str | None
    """Kind of the failure: one of AgentError's kinds, BAD_REQUEST, ASKED_AGAIN, or "broken_off" for a cancelled call. None
    means that the call was answered."""
    error: str | None
    at: Timestamp
    raw: Mapping[str, Any] | None = None
    """Raw reply of a failed call whose kind is malformed or unread, otherwise None."""
    price: float | None = None
    """Cost in US dollars of a reply that was paid for but could not be used; None for other calls, or if the cost is
    unknown."""


class Spending(NamedTuple):
    """The numbers, tokens and cost of a set of calls."""

    calls: int
    """Number of calls in the set that were answered."""
    failed: int
    attempts: int
    """Number of requests sent, counted as the endpoint counts them."""
    cost: float | None
    """Cost in US dollars, or None if any answered call has no known price."""
    tokens_in: int
    tokens_out: int


class TypicalCall(NamedTuple):
    """Mean tokens and seconds over one agent's answers to one prompt so far."""

    calls: int
    tokens_out: float | None
    seconds: float


class StoredIds:
    """Set of the ids of stored calls. If an id is not in the set, a request has no stored answer, and no query is needed. The
    set contains a hash of each id, about 70 bytes per call."""

    def __init__(self) -> None:
        self._hashes: set[int] = set()
        self._is_complete: bool | None = None
        """Whether all ids are loaded: None = not loaded yet, False = the workspace has too many calls to load them."""

    def add(self, id: str) -> None:
        """Add the id of a call that is about to be stored."""
        self._hashes.add(hash(id))

    def may_contain(self, id: str) -> bool:
        """Check whether a call with the id may be stored. False means that no such call is stored."""
        return not self._is_complete or hash(id) in self._hashes

    def load(self, database: Database) -> None:
        """Load the ids of all stored calls, unless they are loaded already."""
        if self._is_complete is None:
            rows = database.rows("SELECT id FROM call LIMIT ?", [MAX_KNOWN_IDS + 1])
            self._hashes.update(hash(id) for (id,) in rows)
            if self._is_complete is None:
                self._is_complete = len(rows) <= MAX_KNOWN_IDS

    def give_up(self) -> None:
        """Stop using this set, because some stored calls may be missing from it; later requests are looked up by a query."""
        self._is_complete = False


BAD_REQUEST = "bad_request"
"""Kind of failure: the endpoint refused the request, perhaps only because of this question (see AgentError.may_be_its_own)."""
ASKED_AGAIN = "asked_again"
"""Kind of failure: a batch reply could not be used, and the next batch file contains the request again."""
REQUEST_FAILURES = ("timeout", "connection", "server", "too_long", "filter", BAD_REQUEST)
"""Kinds of failure that concern a single request after all attempts, while the endpoint answers other requests."""
MAX_KNOWN_IDS = 1_000_000
"""Maximum number of stored calls whose ids StoredIds keeps in memory; if there are more calls, each request is looked up by a
query."""
_lock = threading.Lock()
_ids: "WeakKeyDictionary[Database, StoredIds]" = WeakKeyDictionary()


def forget_ids(database: Database) -> None:
    """Make the ledger look up every later request by a query. Call this function before other code than a Ledger stores
    calls."""
    with _lock:
        _ids.setdefault(database, StoredIds()).give_up()


def move_calls(database: Database, jobs: Iterable[str], job: str) -> None:
    """Assign to `job` the calls of the given jobs, which ran in other workspaces."""
    database.execute("UPDATE call SET job = ? WHERE job IN (SELECT unnest(?::VARCHAR[]))", [job, sorted(jobs)])


class Ledger:
    """The LLM calls that are stored in one workspace, so that no request is paid for twice."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._lock = threading.Lock()
        self._sought: dict[str, Future[Call | None]] = {}
        """Dict from request key to the future of its stored call, for the requests that the next query will look up."""
        self._unwritten: tuple[list[dict[str, Any]], Future[None]] | None = None
        """Rows that still wait to be written, with the future that all of them share."""
        with _lock:
            self._ids = _ids.setdefault(database, StoredIds())

    async def find(self, key: str) -> Completion | None:
        """Return the stored answer to a request, or None if there is none. Raises AgentError if the ledger contains an error
        for this request instead of an answer. Simultaneous look-ups share one query, which makes 64 simultaneous look-ups 50
        times faster."""
        if not self._ids.may_contain(key):
            return None
        with self._lock:
            if not self._sought:
                asyncio.get_running_loop().run_in_executor(None, self._look_up)
            answer = self._sought.setdefault(key, Future())
        call = await wait_shielded(answer)
        if call is not None and call.error is not None:
            failure = AgentError(call.error, kind=str(call.kind), attempts=0, raw=call.raw)
            failure.failed_before = True
            raise failure
        return call.completion if call else None

    def _look_up(self) -> None:
        """Look up all requested keys in one query, and pass the stored answers to the waiting threads."""
        with self._lock:
            sought, self._sought = self._sought, {}
        try:
            condition, params = build_in_condition("id", list(sought))
            rows = self.database.rows(f"SELECT {', '.join(_COLUMNS)} FROM call WHERE {condition}", params)
            calls = {call.id: call for call in map(_call_from_row, rows)}
            self._ids.load(self.database)
        except BaseException as error:  # noqa: BLE001 - the error is raised for the caller that needs the key
            for answer in sought.values():
                answer.set_exception(error)
        else:
            for key, answer in sought.items():
                answer.set_result(calls.get(key))

    def get(self, call: str) -> Call:
        """Return the ledger's call with the given id. Raises BenchError if no call has the id."""
        rows = self.database.rows(f"SELECT {', '.join(_COLUMNS)} FROM call WHERE id = ?", [call])
        if not rows:
            raise BenchError(f"No call {call} in this workspace's ledger.")
        return _call_from_row(rows[0])

    def sum_spending(self, job: str | None = None) -> Spending:
        """Return the cost and tokens of one job's calls, or of all calls ever made."""
        rows = self.database.rows(
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

    def describe_spending(self, job: str) -> dict[str, Any]:
        """Return the number of a job's answered calls and their cost in US dollars, as part of the job's result."""
        spending = self.sum_spending(job)
        return {"calls": spending.calls, "cost_usd": spending.cost}

    def sum_charges(self, job: str) -> Charges:
        """Return the money that the job's calls took from its budget so far, which a resumed job starts with."""
        sql = "SELECT coalesce(sum(charged), 0)::DOUBLE, count(*) FILTER (WHERE charged IS NULL) FROM call WHERE job = ?"
        return Charges(*self.database.rows(sql, [job])[0])

    def load_typical_calls(self, agent: str) -> dict[str, TypicalCall]:
        """Return a dict from prompt name (with language) to the mean tokens and seconds of the agent's answers to that prompt
        so far."""
        sql = """
            SELECT split_part(prompt, '@', 1) AS name, count(*), avg(tokens_out), avg(seconds)
            FROM call
            WHERE agent = ? AND error IS NULL
            GROUP BY name
            """
        return {name: TypicalCall(*rest) for name, *rest in self.database.rows(sql, [agent])}

    def failures(self, job: str, before: str) -> dict[str, tuple[str, str]]:
        """Return a dict from request key to (kind of failure, error message). The dict contains the job's requests that failed
        after all retries before the time `before` and were never answered."""
        sql = """
            SELECT key, arg_max(kind, made_at), arg_max(error, made_at)
            FROM call
            WHERE job = ? AND made_at < ? AND kind IN (SELECT unnest(?::VARCHAR[])) AND key NOT IN (SELECT id FROM call)
            GROUP BY key
            """
        return {key: (kind, error) for key, kind, error in self.database.rows(sql, [job, before, list(REQUEST_FAILURES)])}

    def has_answer(self, job: str, prompt: str) -> bool:
        """Check whether the ledger contains an answer that the job got with the prompt, which is given as name@hash."""
        sql = "SELECT 1 FROM call WHERE job = ? AND prompt = ? AND error IS NULL LIMIT 1"
        return bool(self.database.rows(sql, [job, prompt]))

    def is_refused_alone(self, job: str, key: str, agent: str, prompt: str, began: str) -> bool:
        """Check whether the agent refused a request for its own sake: it refused it in an earlier start of the job, before the
        time `began` of this start, and has answered the job's same prompt for another question in this start (or ever, if it
        refused the request in two starts). A wrong key or model name refuses the other questions too. Answers of the start that
        met the refusal do not count: they may have been in flight when the key became wrong."""
        sql = """
            SELECT 1
            FROM call AS answer, (
                SELECT count(*) AS times
                FROM call
                WHERE job = ? AND key = ? AND kind = 'refused' AND made_at < ?
            )
            WHERE times > 0 AND answer.job = ? AND answer.agent = ? AND answer.prompt = ? AND answer.error IS NULL
                AND (answer.made_at > ? OR times > 1)
            LIMIT 1
            """
        return bool(self.database.rows(sql, [job, key, began, job, agent, prompt, began]))

    def store(self, call: Call) -> "Future[None]":
        """Store a call, and return a future that is done when the call is on disk. A stored answer to the same request is kept,
        except that a reply that could be parsed replaces a stored reply that could not. Calls that arrive while another write
        is running are written together."""
        values = _encode_call(call)
        self._ids.add(call.id)
        with self._lock:
            if self._unwritten is None:
                rows: list[dict[str, Any]] = []
                self._unwritten = rows, self.database.write_soon(partial(self._write, rows))
            self._unwritten[0].append(values)
            return self._unwritten[1]

    def store_batch_replies(self, agent: str, replies: Sequence[tuple[WaitingRequest, Completion | BatchFailure]]) -> None:
        """Store the replies of a batch under the agent's full name, and return after they are on disk. If a request failed but
        may have been charged, its failure is stored in place of an answer, so that the request is sent again only if a person
        asks for it."""
        stored = [self.store(_call_of_reply(agent, request, reply)) for request, reply in replies]
        for future in stored:
            future.result()

    def _write(self, rows: list[dict[str, Any]], cursor: Cursor) -> None:
        with self._lock:
            if self._unwritten is not None and self._unwritten[0] is rows:
                self._unwritten = None
        condition, params = build_in_condition("id", [row["id"] for row in rows])
        stored = dict(cursor.execute(f"SELECT id, kind FROM call WHERE {condition}", params).fetchall())
        new: list[dict[str, Any]] = []
        for row in rows:  # a SELECT first is faster than ON CONFLICT DO NOTHING
            if row["id"] not in stored:
                stored[row["id"]] = row["kind"]
                new.append(row)
            elif stored[row["id"]] == UNREAD and row["kind"] is None:
                changes = ", ".join(f"{column} = ?" for column in _READ_COLUMNS)
                cursor.execute(f"UPDATE call SET {changes} WHERE id = ?", [*(row[name] for name in _READ_COLUMNS), row["id"]])
        columns, values = ", ".join(rows[0]), [list(row.values()) for row in new]
        if len(values) == 1:
            insert_row(cursor, "call", columns, values[0])
        else:
            insert_rows(cursor, "call", columns, values, conflict=None)


def _call_of_reply(agent: str, request: WaitingRequest, reply: Completion | BatchFailure) -> Call:
    """Return the Call to store for one reply of a batch."""
    origin = (agent, request.prompt, request.skill, request.job, request.request)
    if isinstance(reply, Completion):
        charged = request.sent.price if reply.price is None else reply.price
        completion = prepare_completion(reply, request.key)
        return Call(request.key, request.key, *origin, completion, charged, 1, None, None, current_time())
    is_answer = reply.raw is not None and not reply.is_passing
    charged = 0.0 if reply.raw is None and reply.price is None else request.sent.price if reply.price is None else reply.price
    call = request.key if is_answer else new_id()
    kind = ASKED_AGAIN if reply.is_passing else reply.kind
    return Call(call, request.key, *origin, None, charged, 1, kind, reply.why, current_time(), reply.raw, reply.price)


def wait_shielded(future: "Future[T]") -> "Awaitable[T]":
    """Return an awaitable for the future that does not block the event loop. If the waiting task is cancelled, the future
    continues."""
    return asyncio.shield(asyncio.wrap_future(future))


def prepare_completion(completion: Completion, key: str) -> Completion:
    """Return the completion in the form in which the ledger stores it under the key."""
    text, thinking = replace_surrogates(completion.text), replace_surrogates(completion.thinking)
    return replace(completion, text=text, thinking=thinking, call=key, cached=False)


def _pack_logprobs(completion: Completion) -> list[list[Any]]:
    """Return [token, log probability] for each token of the completion. If the completion has alternative tokens, their log
    probabilities are a third element."""
    rows = [list(pair) for pair in completion.logprobs or ()]
    tops = completion.alternatives
    return rows if tops is None else [[*row, list(top)] for row, top in zip(rows, tops, strict=True)]


def _encode_call(call: Call) -> dict[str, Any]:
    completion = call.completion
    raw = call.raw if completion is None else completion.raw
    has_logprobs = completion is not None and completion.logprobs is not None
    return {
        **{name: getattr(call, name) for name in _CALL_COLUMNS},
        **{name: getattr(completion, name, None) for name in _COMPLETION_COLUMNS},
        "price": call.price if completion is None else completion.price,
        "not_taken": to_json(list(completion.not_taken)) if completion and completion.not_taken else None,
        "request": to_json(call.request),
        "raw": None if raw is None else to_json(raw),
        "logprobs": to_json(_pack_logprobs(completion)) if completion and has_logprobs else None,
        "made_at": call.at,
    }


def _call_from_row(row: tuple[Any, ...]) -> Call:
    values = dict(zip(_COLUMNS, row, strict=True))
    fields = {name: values[name] for name in _CALL_COLUMNS} | {"request": from_json(values["request"]), "at": values["made_at"]}
    if values["error"] is not None:
        return Call(**fields, completion=None, raw=from_json(values["raw"]))
    rows = from_json(values["logprobs"])
    tops = tuple(tuple(top) for _, _, *alternatives in rows for top in alternatives) if rows else ()
    completion = Completion(
        **{name: values[name] for name in _COMPLETION_COLUMNS}
        | {"retrying": values["retrying"] or 0.0, "thinking": values["thinking"] or ""},
        not_taken=tuple(from_json(values["not_taken"]) or ()),
        logprobs=None if rows is None else tuple((token, value) for token, value, *_ in rows),
        alternatives=tops or None,
        attempts=0,
        call=values["id"],
        cached=True,
        raw=from_json(values["raw"]),
    )
    return Call(**fields, completion=completion)
