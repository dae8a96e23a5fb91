"""How many calls may be under way at one endpoint: a gate whose width adapts to 429 answers, with buckets for requests and
tokens per minute, shared by all agents of one event loop; and a circuit of each agent, which opens when most questions fail.
A gate serves one event loop at a time; a new loop starts with an empty one."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from core.errors import BenchError

if TYPE_CHECKING:
    from aiolimiter import AsyncLimiter

SHRINK_FACTOR = 0.75
"""The width after a 429, as a share of the width before it."""
SUCCESSES_TO_GROW = 25
"""Successes for one more place."""
REMEMBERED_ANSWERS, MAX_REFUSED_SHARE = 40, 0.15
"""An endpoint is full when more than this share of so many last answers were 429s."""
REMEMBERED_QUESTIONS = 20
"""Questions that the circuit looks back on; more than half of them failed opens it."""


class Limits:
    """A gate for calls: `async with limits.place(tokens) as waited`, then say how it ended: succeeded or throttled."""

    def __init__(
        self,
        start: int = 8,
        maximum: int = 64,
        rpm: float | None = None,
        tpm: float | None = None,
        cool_down: float = 2.0,
    ) -> None:
        """`start` and `maximum` are calls in flight, `rpm` and `tpm` requests and tokens per minute (None = no limit, until the
        endpoint tells one), `cool_down` the seconds between two narrowings."""
        self.width = float(min(start, maximum))
        self.maximum = maximum
        self.cool_down = cool_down
        self._set = (rpm, tpm)
        self.rates = (rpm, tpm)
        """Requests and tokens per minute, as set or as told; None = no limit."""
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
        """Whether `place` needs the number of tokens of a call."""
        return self.rates[1] is not None

    @asynccontextmanager
    async def place(self, tokens: float = 0.0, goes_first: bool = False) -> AsyncIterator[float]:
        """A place for one request of about `tokens` tokens; yields the seconds waited for it. `goes_first` = before those that
        wait already: another try of a question comes before new questions."""
        if self._set[1] is not None and tokens > self._set[1]:
            raise BenchError(
                f"One call takes about {tokens:,.0f} tokens, and agent.tpm allows {self._set[1]:,.0f} a minute: "
                "no call could be made; set agent.tpm higher, or leave it out."
            )
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
        """The endpoint answered: every 25th time there is one more place."""
        self._refusals.append(False)
        self._successes += 1
        if self._successes % SUCCESSES_TO_GROW == 0 and self.width < self.maximum:
            self.width = min(float(self.maximum), self.width + 1)
            self._wake()

    def note_refusal(self, seconds: float | None = None) -> float:
        """A 429; returns the seconds that this call waits by itself (`seconds`, None = the cool-down). A stray one among many
        answers is that call's alone: an endpoint that refuses one in twenty at any width would else be asked one by one. Where
        more than MAX_REFUSED_SHARE of the last REMEMBERED_ANSWERS were refused, or too few have come to tell, no request starts
        for that long and the gate narrows, at most once per cool-down."""
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
        """Adopt the limits per minute that the endpoint reports, unless they are set by hand; None = not reported."""
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
            if turn.done() and not turn.cancelled():  # the place was given in the moment of the cancelling: pass it on
                self._active -= 1
                self._wake()
            raise

    def _wake(self) -> None:
        while self._queue and self._active < int(self.width):
            turn = self._queue.popleft()
            if not turn.done():
                self._active += 1
                turn.set_result(None)


class Circuit:
    """Opens when most of the questions that one agent was asked last failed, each with all its tries. A question counts once,
    in the place where it was first asked: a slow failure does not come after answers to questions that were asked later. A job
    that goes on later begins with a closed circuit."""

    def __init__(self, pause: float = 30.0) -> None:
        """`pause`: the seconds for which the open circuit lets nothing pass."""
        self.pause = pause
        self._open_until = float("-inf")
        self._questions: dict[Hashable, bool | None] = {}
        """In the order of asking: whether it was answered; None while it is under way."""

    @property
    def is_open(self) -> bool:
        """True for `pause` seconds after more than half of the last questions failed."""
        return time.monotonic() < self._open_until

    @contextmanager
    def track(self, question: Hashable) -> Iterator[None]:
        """The question is under way; say inside how it ended: answered or failed. One that ends in another way leaves no
        trace."""
        self._questions.setdefault(question, None)
        try:
            yield
        finally:
            if self._questions.get(question, True) is None:
                del self._questions[question]

    def note_answer(self, question: Hashable) -> None:
        """The endpoint answered it."""
        self._end(question, True)

    def note_failure(self, question: Hashable) -> None:
        """All its tries failed."""
        self._end(question, False)
        if list(self._questions.values()).count(False) > REMEMBERED_QUESTIONS / 2:
            self._open_until = time.monotonic() + self.pause
            self._questions.clear()

    def _end(self, question: Hashable, is_answered: bool) -> None:
        self._questions[question] = is_answered
        ended = [ended_question for ended_question, outcome in self._questions.items() if outcome is not None]
        for ended_question in ended[:-REMEMBERED_QUESTIONS]:
            del self._questions[ended_question]


_gates: "WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Hashable, Limits]]" = WeakKeyDictionary()


def share_limits(place: Hashable, own: Limits) -> Limits:
    """The shared gate of that endpoint in the running event loop: the first caller's limits, so that several jobs at one
    endpoint share them."""
    return _gates.setdefault(asyncio.get_running_loop(), {}).setdefault(place, own)


def _bucket(per_minute: float | None) -> "AsyncLimiter | None":
    """A leaky bucket that never lets more than `per_minute` through in any 60 seconds: a tenth at once, the rest evenly."""
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
