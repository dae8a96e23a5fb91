"""Limits on the calls to an endpoint. A gate (class Limits) allows a number of concurrent calls (its width), adapts this number
to answers with status 429, and enforces limits on requests and tokens per minute; all agents in one event loop share the gate
of an endpoint. A circuit breaker (class Circuit) stops an agent's calls when most of its questions fail. A gate serves one
event loop at a time; when a new event loop uses the gate, the gate starts without calls or a queue."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Hashable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from enum import Enum, auto
from itertools import islice
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from core.errors import CallTooLarge

if TYPE_CHECKING:
    from aiolimiter import AsyncLimiter

SHRINK_FACTOR = 0.75
"""Factor by which an answer with status 429 reduces the number of concurrent calls."""
SUCCESSES_TO_GROW = 25
"""Number of successful answers after which one more concurrent call is allowed."""
REMEMBERED_ANSWERS, MAX_REFUSED_SHARE = 40, 0.15
"""An endpoint counts as saturated if more than MAX_REFUSED_SHARE of its last REMEMBERED_ANSWERS answers had status 429."""
REMEMBERED_QUESTIONS = 20
"""Number of recent questions that the circuit breaker considers; it stops the calls when more than half of them failed."""
FAILURES_TO_OPEN = REMEMBERED_QUESTIONS // 2 + 1
"""Number of failed questions among the recent ones at which the circuit breaker stops the calls."""


class Limits:
    """Limits the concurrent calls and the call rates of an endpoint: use `async with limits.place(tokens) as waited` around
    each call, then report the call's outcome with note_success or note_refusal."""

    def __init__(
        self,
        start: int = 8,
        maximum: int = 64,
        rpm: float | None = None,
        tpm: float | None = None,
        cool_down: float = 2.0,
    ) -> None:
        """`start` and `maximum` are numbers of concurrent calls; `rpm` and `tpm` are requests and tokens per minute (None = no
        limit until the endpoint reports one); `cool_down` is the minimum number of seconds between two reductions of the
        width."""
        self.width = float(min(start, maximum))
        self.maximum = maximum
        self.cool_down = cool_down
        self._set = (rpm, tpm)
        self.rates = (rpm, tpm)
        """Maximum requests and tokens per minute, as set or as reported by the endpoint; None = no limit."""
        self._successes = 0
        self._refusals: deque[bool] = deque(maxlen=REMEMBERED_ANSWERS)
        self._narrowed = float("-inf")
        self._held_until = float("-inf")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._active = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._buckets: tuple[AsyncLimiter | None, AsyncLimiter | None] = (None, None)

    @property
    def counts_tokens(self) -> bool:
        """Whether a limit on tokens per minute applies, so that `place` needs the number of tokens of a call."""
        return self.rates[1] is not None

    def check_size(self, tokens: float) -> None:
        """Raise CallTooLarge if a call of about `tokens` tokens exceeds the tokens per minute (tpm) that the user set."""
        if self._set[1] is not None and tokens > self._set[1]:
            raise CallTooLarge(
                f"One call takes about {tokens:,.0f} tokens, and the agent's tpm allows {self._set[1]:,.0f} a minute: "
                "no call could be made; set tpm higher, or leave it out."
            )

    @asynccontextmanager
    async def place(self, tokens: float = 0.0, goes_first: bool = False) -> AsyncIterator[float]:
        """Wait until one call with about `tokens` tokens may be sent, and yield the seconds waited. `goes_first` puts the call
        at the head of the queue, so that a retry precedes new questions. Raises CallTooLarge if the call exceeds tpm."""
        self.check_size(tokens)
        started = time.monotonic()
        self._enter_loop()
        await self._acquire(goes_first)
        try:
            while (left := self._held_until - time.monotonic()) > 0:
                await asyncio.sleep(left)
            for bucket, amount in zip(self._buckets, (1.0, tokens), strict=True):
                await _draw(bucket, amount)
            yield time.monotonic() - started
        finally:
            self._active -= 1
            self._wake()

    def note_success(self) -> None:
        """Record a successful answer. Every 25th success allows one more concurrent call."""
        self._refusals.append(False)
        self._successes += 1
        if self._successes % SUCCESSES_TO_GROW == 0 and self.width < self.maximum:
            self.width = min(float(self.maximum), self.width + 1)
            self._wake()

    def note_refusal(self, seconds: float | None = None) -> float:
        """Record an answer with status 429 and return the seconds that this call must wait: `seconds`, or the cool-down if
        `seconds` is None. If at most MAX_REFUSED_SHARE of the last REMEMBERED_ANSWERS answers had status 429, only this call
        waits; without this rule, an endpoint that always refuses one request in twenty would be reduced to one call at a time.
        If the share is higher, or too few answers are known, pauses all calls for this time, reduces the number of concurrent
        calls (at most once per cool-down) and returns 0."""
        now = time.monotonic()
        wait = self.cool_down if seconds is None else seconds
        self._refusals.append(True)
        if len(self._refusals) == REMEMBERED_ANSWERS and sum(self._refusals) <= MAX_REFUSED_SHARE * REMEMBERED_ANSWERS:
            return wait
        self._held_until = max(self._held_until, now + wait)
        if now - self._narrowed >= self.cool_down:
            self._narrowed = now
            self._successes = 0
            self.width = max(1.0, self.width * SHRINK_FACTOR)
        return 0.0

    def adopt_rates(self, rpm: float | None, tpm: float | None) -> None:
        """Adopt the limits per minute that the endpoint reports (None = not reported), unless they are set by hand."""
        rates = (self._set[0] or rpm or self.rates[0], self._set[1] or tpm or self.rates[1])
        if rates != self.rates:
            self.rates, self._buckets = rates, (_bucket(rates[0]), _bucket(rates[1]))

    def _enter_loop(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._active, self._queue = loop, 0, deque()
            self._buckets = (_bucket(self.rates[0]), _bucket(self.rates[1]))

    async def _acquire(self, goes_first: bool) -> None:
        if not self._queue and self._active < int(self.width):
            self._active += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        (self._queue.appendleft if goes_first else self._queue.append)(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the place was granted during cancellation, so pass it on
                self._active -= 1
                self._wake()
            raise

    def _wake(self) -> None:
        while self._queue and self._active < int(self.width):
            turn = self._queue.popleft()
            if not turn.done():
                self._active += 1
                turn.set_result(None)


class _State(Enum):
    """State of a question in the circuit breaker; FAILING = the question's last request failed, and the question can be
    retried."""

    ASKING = auto()
    FAILING = auto()
    ANSWERED = auto()
    FAILED = auto()


_ENDED = (_State.ANSWERED, _State.FAILED)


class Circuit:
    """Circuit breaker that stops an agent's calls when most of its last questions failed, each after all its retries. A
    question counts once, at the position where it was first asked, so that a question that fails slowly does not count as more
    recent than questions asked after it. When a job is resumed, its calls are allowed again. If the questions that currently
    fail are enough to open the circuit, only as many of them as are needed to open it are retried, and no new question is sent:
    an endpoint that never answers gets all retries of 11 questions, and one request of each other question that was in flight
    at the same time."""

    def __init__(self, pause: float = 30.0) -> None:
        """`pause`: seconds for which an open circuit blocks all requests."""
        self.pause = pause
        self._open_until = float("-inf")
        self._questions: dict[Hashable, _State] = {}
        """Dict from question, in the order of asking, to its state."""
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def is_open(self) -> bool:
        """Whether the agent's calls are stopped, which lasts for `pause` seconds after more than half of the last questions
        failed."""
        return time.monotonic() < self._open_until

    @contextmanager
    def track(self, question: Hashable) -> Iterator[None]:
        """Mark the question as in progress while the `with` block runs; call note_answer or note_failure inside the block. A
        question for which neither is called is forgotten."""
        self._questions.setdefault(question, _State.ASKING)
        try:
            yield
        finally:
            if self._questions.get(question) not in (None, *_ENDED):
                del self._questions[question]
                self._wake()

    def may_ask(self, question: Hashable) -> bool:
        """Return whether a request for the question may be sent now. If the questions that currently fail are enough to open
        the circuit, returns True only for the earliest of them, for as many as are needed to open the circuit."""
        states = [state for state in self._questions.values() if state is not _State.ASKING]
        if _count_bad(states[-REMEMBERED_QUESTIONS:]) < FAILURES_TO_OPEN:
            return True
        left = FAILURES_TO_OPEN - states.count(_State.FAILED)
        failing = (asked for asked, state in self._questions.items() if state is _State.FAILING)
        return question in list(islice(failing, left))

    async def wait_for_turn(self, question: Hashable) -> None:
        """Wait until `may_ask` allows the question or the circuit is open."""
        while not self.is_open and not self.may_ask(question):
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn

    def note_failing(self, question: Hashable) -> None:
        """Record, for the circuit breaker, that a request for the question failed and will be sent again."""
        if self._questions.get(question) not in _ENDED:
            self._questions[question] = _State.FAILING

    def note_answer(self, question: Hashable) -> None:
        """Record, for the circuit breaker, that the endpoint answered the question."""
        self._end(question, _State.ANSWERED)
        self._wake()

    def note_failure(self, question: Hashable) -> None:
        """Record, for the circuit breaker, that the question failed after all its retries."""
        self._end(question, _State.FAILED)
        if list(self._questions.values()).count(_State.FAILED) >= FAILURES_TO_OPEN:
            self._open_until = time.monotonic() + self.pause
            self._questions.clear()
        self._wake()

    def _end(self, question: Hashable, outcome: _State) -> None:
        self._questions[question] = outcome
        ended = [ended_question for ended_question, state in self._questions.items() if state in _ENDED]
        for ended_question in ended[:-REMEMBERED_QUESTIONS]:
            del self._questions[ended_question]

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for turn in waiting:
            if not turn.done():
                turn.set_result(None)


def _count_bad(states: Sequence[_State]) -> int:
    return states.count(_State.FAILED) + states.count(_State.FAILING)


_gates: "WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Hashable, Limits]]" = WeakKeyDictionary()


def share_limits(place: Hashable, own: Limits) -> Limits:
    """Return the limits that all agents at one endpoint share in the running event loop. `place` identifies endpoint and
    settings; the limits of the first caller (`own`) apply to all."""
    return _gates.setdefault(asyncio.get_running_loop(), {}).setdefault(place, own)


def _bucket(per_minute: float | None) -> "AsyncLimiter | None":
    """Return a limiter (leaky bucket) that allows at most `per_minute` units in any 60 seconds: a tenth at once, the rest
    evenly."""
    if per_minute is None:
        return None
    from aiolimiter import AsyncLimiter

    burst = max(1.0, per_minute / 10)
    return AsyncLimiter(burst, 60 * burst / max(per_minute - burst, per_minute / 2))


async def _draw(bucket: "AsyncLimiter | None", amount: float) -> None:
    while bucket is not None and amount > 0:
        sip = min(amount, bucket.max_rate)
        await bucket.acquire(sip)
        amount -= sip
