"""A cap on spending: the worst price of a call is reserved before it is sent and settled afterwards."""

import asyncio
import threading
from concurrent.futures import Future

from core.errors import BenchError, BudgetReached

ROUNDING_USD = 1e-9
"""Maximum rounding error of a sum of prices in US dollars."""


class Budget:
    """US dollars for one job; safe for several threads and loops."""

    def __init__(self, limit_usd: float | None, spent: float = 0.0) -> None:
        """`limit_usd`: None = no cap. `spent`: what a resumed job cost before. Raises BenchError on an impossible limit."""
        if limit_usd is not None and not 0 <= limit_usd < float("inf"):
            raise BenchError(f"A budget of {limit_usd} USD is not possible: give a number of dollars, 0 or more.")
        self.limit = limit_usd
        self._spent, self._reserved = spent, 0.0
        self._open = 0
        self._lock = threading.Lock()
        self._waiting: list[Future[None]] = []

    @property
    def spent(self) -> float:
        """US dollars settled; calls of unknown price count with their worst price."""
        with self._lock:
            return self._spent

    @property
    def reserved(self) -> float:
        """US dollars that the open calls can cost at most."""
        with self._lock:
            return self._reserved

    def reserve(self, worst: float | None) -> None:
        """Reserve what the next call can cost. Raises BudgetReached when that is more than what is left if every open call
        costs its worst price, BenchError when there is a cap and the price is unknown."""
        with self._lock:
            if not self._take(worst):
                raise self._refuse_call(worst)

    async def reserve_in_turn(self, worst: float | None) -> None:
        """Same as `reserve`, but waits for the real prices of the open calls where only they are in the way."""
        while True:
            with self._lock:
                if self._take(worst):
                    return
                if self._open == 0 or self._spent + (worst or 0.0) > (self.limit or 0.0) + ROUNDING_USD:
                    raise self._refuse_call(worst)
                turn: Future[None] = Future()
                turn.set_running_or_notify_cancel()
                self._waiting.append(turn)
            await asyncio.shield(asyncio.wrap_future(turn))

    def settle(self, worst: float | None, price: float | None) -> None:
        """End the call that reserved `worst` and cost `price`; None = unknown, counted as 0 without a cap."""
        with self._lock:
            self._open -= 1
            self._reserved = max(0.0, self._reserved - (worst or 0.0)) if self._open else 0.0
            self._spent += price or 0.0
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
            if self._spent + self._reserved + worst > self.limit + ROUNDING_USD:
                return False
        self._reserved += worst or 0.0
        self._open += 1
        return True

    def _refuse_call(self, worst: float | None) -> BudgetReached:
        return BudgetReached(
            f"The budget of {self.limit:g} USD is reached: {self._spent:.4f} spent, the next call may cost {worst:.4f}; "
            f"go on with a higher --budget."
        )


class ImmediateBudget(Budget):
    """The same budget for calls that a waiting thread needs at once: where only open calls are in the way it refuses instead of
    waiting for their prices, as they may wait for that thread."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(budget.limit)
        self._shared = budget

    async def reserve_in_turn(self, worst: float | None) -> None:
        self._shared.reserve(worst)

    def settle(self, worst: float | None, price: float | None) -> None:
        self._shared.settle(worst, price)
