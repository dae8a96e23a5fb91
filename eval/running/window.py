"""Run pieces of work with at most `width` at the same time, yield results as they finish, and stop early without losing a
result."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


async def run_in_window(
    pieces: Iterator[T], work: Callable[[T], Awaitable[R]], width: int, cancel: asyncio.Event | None = None
) -> AsyncGenerator[R, None]:
    """Yield the results of `work` in the order in which they finish, with at most `width` pieces in progress.

    After an exception, or once `cancel` is set, no further piece is started; the pieces in progress are finished, their results
    are yielded, and then the first exception is raised. Pieces of work that were not started stay in the iterator `pieces`.
    Close the generator (contextlib.aclosing) if you may stop reading early."""
    finished: asyncio.Queue[R | None] = asyncio.Queue(maxsize=4 * width)
    errors: list[Exception] = []

    async def worker() -> None:
        try:
            while not errors and not (cancel and cancel.is_set()) and (piece := next(pieces, None)) is not None:
                await finished.put(await work(piece))
        except Exception as error:  # noqa: BLE001 - raised at the end, after all results were yielded
            errors.append(error)
        await finished.put(None)

    workers = [asyncio.create_task(worker()) for _ in range(width)]
    running = width
    try:
        while running:
            result = await finished.get()
            if result is None:
                running -= 1
            else:
                yield result
        if errors:
            raise errors[0]
    finally:
        for task in workers:
            task.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
