"""A sliding window over pieces of work: so many at once, each result as it comes, and an end that loses none."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


async def run_in_window(
    waiting: Iterator[T], work: Callable[[T], Awaitable[R]], width: int, cancel: asyncio.Event | None = None
) -> AsyncGenerator[R, None]:
    """The results in the order they finish, `width` pieces at a time. After an exception, or once `cancel` is set, no piece is
    taken any more; those in flight are finished and yielded, and then the first exception is raised. What was not begun is
    left in `waiting`. Close it (contextlib.aclosing) where reading may end early."""
    finished: asyncio.Queue[R | None] = asyncio.Queue(maxsize=4 * width)
    failed: list[Exception] = []

    async def worker() -> None:
        try:
            while not failed and not (cancel and cancel.is_set()) and (piece := next(waiting, None)) is not None:
                await finished.put(await work(piece))
        except Exception as error:  # noqa: BLE001 - raised to the reader at the end
            failed.append(error)
        await finished.put(None)

    workers = [asyncio.create_task(worker()) for _ in range(width)]
    left = width
    try:
        while left:
            result = await finished.get()
            if result is None:
                left -= 1
            else:
                yield result
        if failed:
            raise failed[0]
    finally:
        for one in workers:
            one.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
