"""The window slides: so many at once, each result as it comes, and what was begun is never lost."""

import asyncio
from contextlib import aclosing

import pytest

from eval.running.window import run_in_window


async def test_never_more_than_the_width_at_once_and_all_of_them_in_the_end() -> None:
    now, most = 0, 0

    async def work(n: int) -> int:
        nonlocal now, most
        now, most = now + 1, max(most, now + 1)
        for _ in range(n % 3):
            await asyncio.sleep(0)
        now -= 1
        return n

    assert sorted([n async for n in run_in_window(iter(range(1, 50)), work, 4)]) == list(range(1, 50))
    assert most == 4


async def test_a_quick_one_does_not_wait_for_a_slow_one() -> None:
    late = asyncio.Event()

    async def work(n: int) -> int:
        if n == 1:
            await late.wait()
        elif n == 5:
            late.set()
        return n

    assert [n async for n in run_in_window(iter(range(1, 6)), work, 2)] == [2, 3, 4, 5, 1]


@pytest.mark.parametrize("count", [3, 9])
async def test_once_cancelled_what_was_not_begun_is_left(count: int) -> None:
    cancel, waiting = asyncio.Event(), iter(range(1, count + 1))

    async def work(n: int) -> int:
        await asyncio.sleep(0)
        cancel.set()
        return n

    assert sorted([n async for n in run_in_window(waiting, work, 2, cancel)]) == [1, 2]
    assert list(waiting) == list(range(3, count + 1))


async def test_the_first_exception_comes_after_the_results_in_flight() -> None:
    failed = asyncio.Event()
    waiting, found = iter(range(1, 10)), []

    async def work(n: int) -> int:
        if n == 2:
            failed.set()
            raise ValueError("two")
        await failed.wait()
        return n

    with pytest.raises(ValueError, match="two"):
        async for n in run_in_window(waiting, work, 2):
            found.append(n)
    assert found == [1] and next(waiting) == 3


async def test_a_reader_who_leaves_ends_the_work_though_results_wait_for_him() -> None:
    begun, ended = 0, 0

    async def work(n: int) -> int:
        nonlocal begun, ended
        begun += 1
        try:
            await asyncio.sleep(0)
        finally:
            ended += 1
        return n

    async with aclosing(run_in_window(iter(range(1, 1000)), work, 2)) as results:
        async for _ in results:
            for _ in range(50):
                await asyncio.sleep(0)
            break
    assert begun == ended < 20
