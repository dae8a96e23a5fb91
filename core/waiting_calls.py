"""Goes on past calls that wait for their batch, so that one batch holds all requests that do not depend on each other."""

import asyncio
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from core.errors import WaitsForBatch

T = TypeVar("T")


class WaitingCalls:
    """The calls of one piece of work that wait for their batch."""

    def __init__(self) -> None:
        self._first: WaitsForBatch | None = None

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold back the error of a call that waits, so that the next call is asked too."""
        try:
            yield
        except WaitsForBatch as waits:
            self._first = self._first or waits

    def raise_first(self) -> None:
        """Raise WaitsForBatch if a call waits, once all calls were asked."""
        if self._first is not None:
            raise self._first


async def await_each(works: Iterable[Awaitable[T]]) -> list[T]:
    """Return the results of works that do not depend on each other, done one after another. Raises WaitsForBatch after the last
    work if any of them waits, so that the batch holds the requests of all; any other error ends the rest."""
    waiting, results = WaitingCalls(), list[T]()
    for work in works:
        with waiting.hold():
            results.append(await work)
    waiting.raise_first()
    return results


async def gather_each(works: Iterable[Awaitable[T]]) -> list[T]:
    """Return the results of works that are done at the same time. Raises the first error once all works have ended;
    WaitsForBatch only without another error."""
    results = await asyncio.gather(*works, return_exceptions=True)
    errors = [result for result in results if isinstance(result, BaseException)]
    if errors:
        raise min(errors, key=lambda error: isinstance(error, WaitsForBatch))
    return [result for result in results if not isinstance(result, BaseException)]
