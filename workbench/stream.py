"""Store results while they arrive. One writer commits together all results that have arrived, so that a killed process loses
only the calls that were still running."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, TypeVar

from workbench.control import Control

P = TypeVar("P")
T = TypeVar("T")


async def store_pieces(
    results: AsyncIterator[T],
    find_end: Callable[[T], str],
    store: Callable[[list[T]], object],
    done: int,
    total: int,
    control: Control,
) -> T | None:
    """Pass the results of pieces that are done to `store`, and report how many of the `total` items are done; `done` items were
    done before. `find_end` returns why the job ends at a result, "batch" if the piece waits for a batch, or "" if it is done.
    Return the result at which the job ends, else a result that waits for a batch, else None."""
    ended: list[T] = []

    def commit(batch: list[T]) -> None:
        nonlocal done
        ended.extend(result for result in batch if find_end(result))
        finished = [result for result in batch if not find_end(result)]
        store(finished)
        done += len(finished)
        control.say(f"{done:,} of {total:,} items")
        control.look()

    await store_as_they_come(results, commit)
    return min(ended, key=lambda result: find_end(result) == "batch", default=None)


async def store_as_they_come(results: AsyncIterator[T], commit: Callable[[list[T]], None]) -> int:
    """Pass all `results` to `commit` in batches, and return their number. A batch has the results that arrived during the
    previous commit. If reading `results` raises an error, the error is raised again after all earlier results are committed."""
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
        await asyncio.gather(puller, return_exceptions=True)  # lets the task that reads the results close its resources
        raise
    await puller
    return stored


async def work_side_by_side(
    pieces: Iterator[P], work: Callable[[P], Coroutine[Any, Any, T]], width: int, control: Control, is_last: Callable[[T], bool]
) -> AsyncGenerator[T, None]:
    """Run `work` on each piece, on at most `width` pieces at the same time, and yield each result when it is ready. No piece is
    started after `control` has stopped the job, or after a result for which `is_last` is true. Iterate within
    `contextlib.aclosing`, so that running work is cancelled if the caller stops early."""
    pending: set[asyncio.Task[T]] = set()
    is_over = False
    try:
        while True:
            while not is_over and len(pending) < width:
                piece = None if control.stopping else next(pieces, None)
                if piece is None:
                    is_over = True
                else:
                    pending.add(asyncio.create_task(work(piece)))
            if not pending:
                return
            finished, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for task in finished:
                result = task.result()
                is_over = is_over or is_last(result)
                yield result
    finally:  # tasks are left only after an error or if the caller stops early
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
