"""Results on their way into the store: one writer that commits whatever has come in, at once and without a timer, so that a
kill loses no more than the calls in flight."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

T = TypeVar("T")


async def store_as_they_come(results: AsyncIterator[T], commit: Callable[[list[T]], None]) -> int:
    """Drain `results` into `commit`, in batches of what has arrived while the last batch was written; returns how many there
    were. An error of `results` is raised after everything before it is stored."""
    queue: asyncio.Queue[T | None] = asyncio.Queue()

    async def pull() -> None:
        try:
            async for result in results:
                await queue.put(result)
        finally:
            await queue.put(None)

    puller = asyncio.create_task(pull())
    stored = 0
    ended = False
    try:
        while not ended:
            batch = [await queue.get()]
            while not queue.empty():
                batch.append(queue.get_nowait())
            ended = None in batch
            found = [result for result in batch if result is not None]
            if found:
                await asyncio.to_thread(commit, found)
                stored += len(found)
    except BaseException:
        puller.cancel()
        await asyncio.gather(puller, return_exceptions=True)  # let it close what it opened
        raise
    await puller
    return stored
