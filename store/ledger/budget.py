"""Limit the cost of a job. Before an LLM call is sent, its highest possible price is reserved; afterwards, its real price
replaces the reservation."""

import asyncio
import threading
from concurrent.futures import Future
from typing import NamedTuple

from core.errors import BenchError, BudgetReached

ROUNDING_USD = 1e-9
"""Maximum rounding error, in US dollars, of a sum of prices."""


class Charges(NamedTuple):
    """Money that the finished calls of a job took from its budget."""

    usd: float = 0.0
    """Amount in US dollars; a call with an unknown price counts with its highest possible price."""
    unpriced: int = 0
    """Number of calls that are not in `usd`, because neither their price nor their highest possible price is known."""

    def describe_unpriced(self) -> str:
        """Return a clause to put after the US dollars in a sentence: the number of calls of unknown price, or "" if there are
        none."""
        calls = "1 call" if self.unpriced == 1 else f"{self.unpriced:,} calls"
        return f", besides {calls} of unknown price" if self.unpriced else ""


class Budget:
    """The budget of one job in US dollars, which several threads and event loops can use at once."""

    def __init__(self, limit_usd: float | None, charges: Charges = Charges()) -> None:
        """Create a budget of `limit_usd` US dollars; None means no limit. `charges` is what a resumed job has spent before.
        Raises BenchError if the limit is not possible."""
        if limit_usd is not None and not 0 <= limit_usd < float("inf"):
            raise BenchError(f"A budget of {limit_usd} USD is not possible: give a number of dollars, 0 or more.")
        self.limit = limit_usd
        self._charges, self._reserved = charges, 0.0
        self._open = 0
        self._lock = threading.Lock()
        self._waiting: list[Future[None]] = []

    @property
    def spent(self) -> float:
        """Return the US dollars that the finished calls cost. A call with an unknown price counts with its highest possible
        price."""
        return self.charges.usd

    @property
    def charges(self) -> Charges:
        """Return the money that the finished calls took from the budget."""
        with self._lock:
            return self._charges

    @property
    def reserved(self) -> float:
        """Return the highest amount in US dollars that the calls in progress may cost."""
        with self._lock:
            return self._reserved

    def reserve(self, worst: float | None) -> None:
        """Reserve the highest possible price of the next call. Raises BudgetReached if this call and all calls in progress, at
        their highest possible prices, could together exceed the budget. Raises BenchError if the budget has a limit and the
        price is unknown."""
        with self._lock:
            if not self._take(worst):
                raise self._refuse_call(worst)

    async def reserve_in_turn(self, worst: float | None) -> None:
        """Reserve the highest possible price of the next call like `reserve`. If the reservations of calls in progress leave
        too little money, wait until their real prices are known."""
        while True:
            with self._lock:
                if self._take(worst):
                    return
                if self._open == 0 or self._charges.usd + (worst or 0.0) > (self.limit or 0.0) + ROUNDING_USD:
                    raise self._refuse_call(worst)
                turn: Future[None] = Future()
                turn.set_running_or_notify_cancel()
                self._waiting.append(turn)
            await asyncio.shield(asyncio.wrap_future(turn))

    def settle(self, worst: float | None, price: float | None) -> None:
        """Replace the reserved price `worst` of a finished call with its real price `price`, both in US dollars. If the price
        is None, it is unknown, and the call is counted separately."""
        with self._lock:
            self._open -= 1
            self._reserved = max(0.0, self._reserved - (worst or 0.0)) if self._open else 0.0
            usd, unpriced = self._charges
            self._charges = Charges(usd, unpriced + 1) if price is None else Charges(usd + price, unpriced)
            turns, self._waiting = self._waiting, []
        for turn in turns:
            turn.set_result(None)

    def _take(self, worst: float | None) -> bool:
        if self.limit is not None:
            if worst is None:
                raise BenchError(
                    f"A budget of {self.limit:g} USD needs prices: give --set agent.price_in= and agent.price_out= "
                    f"in USD per million tokens, or leave the budget out."
                )
            if self._charges.usd + self._reserved + worst > self.limit + ROUNDING_USD:
                return False
        self._reserved += worst or 0.0
        self._open += 1
        return True

    def _refuse_call(self, worst: float | None) -> BudgetReached:
        usd, apart = self._charges.usd, self._charges.describe_unpriced()
        return BudgetReached(
            f"The budget of {self.limit:g} USD is reached: {usd:.4f} spent{apart}, the next call may cost {worst:.4f}; "
            f"continue with a higher --budget."
        )


class ImmediateBudget(Budget):
    """The budget of a job whose thread waits for each of its calls. If the reservations of calls in progress use up the budget,
    refuse the next call. Waiting for their real prices could block for ever, because those calls may need the same thread."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(budget.limit)
        self._shared = budget

    async def reserve_in_turn(self, worst: float | None) -> None:
        self._shared.reserve(worst)

    def settle(self, worst: float | None, price: float | None) -> None:
        self._shared.settle(worst, price)
