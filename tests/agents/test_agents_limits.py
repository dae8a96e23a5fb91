"""The gate's width, its circuit, and that it loses no place."""

import asyncio
from contextlib import ExitStack

import pytest

from agents.openai.limits import Circuit, Limits
from core.errors import BenchError


async def enter(limits: Limits, inside: list[int], leave: asyncio.Event) -> None:
    async with limits.place():
        inside.append(1)
        await leave.wait()


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_no_more_than_the_width_are_inside():
    limits, inside, leave = Limits(start=3), [], asyncio.Event()
    tasks = [asyncio.create_task(enter(limits, inside, leave)) for _ in range(10)]
    await settle()
    assert len(inside) == 3
    leave.set()
    await asyncio.gather(*tasks)
    assert len(inside) == 10


def test_25_successes_make_one_more_place_up_to_the_maximum():
    limits = Limits(start=8, maximum=9)
    for _ in range(24):
        limits.note_success()
    assert limits.width == 8
    limits.note_success()
    assert limits.width == 9
    for _ in range(100):
        limits.note_success()
    assert limits.width == 9


def test_429_takes_a_quarter_once_per_cool_down_and_leaves_one_place():
    limits = Limits(start=8, cool_down=60)
    limits.note_refusal(0)
    limits.note_refusal(0)
    assert limits.width == 6
    eager = Limits(start=1, cool_down=0)
    eager.note_refusal(0)
    assert eager.width == 1


def test_circuit_opens_at_more_than_half_failures_of_the_last_twenty_questions():
    circuit = Circuit()
    for n in range(10):
        circuit.note_failure(f"bad {n}")
        circuit.note_answer(f"good {n}")
    assert not circuit.is_open  # 10 of 20
    circuit.note_failure("bad 10")  # pushes out the oldest failure: still 10
    assert not circuit.is_open
    circuit.note_failure("bad 11")  # pushes out an answer: 11
    assert circuit.is_open


def test_circuit_counts_one_question_once_however_often_it_is_asked():
    circuit = Circuit()
    for n in range(100):
        circuit.note_failure(n % 10)
    assert not circuit.is_open
    for n in range(10):
        circuit.note_answer(n)
    circuit.note_failure("another")
    assert not circuit.is_open, "what was answered in the end is not a failure"


def test_circuit_keeps_the_order_of_asking_when_failures_are_slow():
    circuit, under_way = Circuit(), ExitStack()
    for n in range(96):
        under_way.enter_context(circuit.track(n))
    for n in range(96):
        if n % 8:
            circuit.note_answer(n)
    for n in range(0, 96, 8):
        circuit.note_failure(n)  # twelve come last, but were asked between the others
    under_way.close()
    assert not circuit.is_open


def test_circuit_forgets_a_question_that_nobody_waits_for():
    circuit = Circuit()
    for n in range(50):
        with circuit.track(n):
            pass
    assert circuit._questions == {}


def test_circuit_closes_after_its_pause_with_a_clean_record():
    circuit = Circuit(pause=0)
    for n in range(11):
        circuit.note_failure(n)
    assert not circuit.is_open
    circuit.note_failure("one more")
    assert not circuit.is_open


async def test_circuit_asks_nothing_new_while_the_failing_questions_would_open_it():
    circuit, order = Circuit(), []

    async def ask(name: str) -> None:
        await circuit.wait_for_turn(name)
        order.append(name)

    with ExitStack() as under_way:
        for n in range(12):
            under_way.enter_context(circuit.track(n))
            circuit.note_failing(n)
        assert [n for n in range(12) if circuit.may_ask(n)] == list(range(11)), "eleven failures open it"
        waiting = [asyncio.create_task(ask(name)) for name in (11, "new")]
        await settle()
        assert order == []
        circuit.note_answer(0)
        await settle()
        assert order == [11], "eleven are failing still"
        circuit.note_answer(1)
        await settle()
        assert order == [11, "new"] and not circuit.is_open
        await asyncio.gather(*waiting)


async def test_circuit_lets_everything_go_on_when_the_failing_questions_are_given_up_or_it_opens():
    circuit = Circuit()
    with ExitStack() as under_way:
        for n in range(11):
            under_way.enter_context(circuit.track(n))
            circuit.note_failing(n)
        waiting = asyncio.create_task(circuit.wait_for_turn("new"))
        await settle()
        assert not waiting.done()
    async with asyncio.timeout(5):
        await waiting
    assert not circuit.is_open and circuit.may_ask("new"), "the eleven are forgotten"
    for n in range(11):
        circuit.note_failing(n)
    waiting = asyncio.create_task(circuit.wait_for_turn("new"))
    await settle()
    assert not waiting.done()
    for n in range(11):
        circuit.note_failure(n)
    async with asyncio.timeout(5):
        await waiting
    assert circuit.is_open


def test_circuit_holds_nothing_back_when_few_of_many_questions_are_failing():
    circuit = Circuit()
    for n in range(40):
        if n % 3:
            circuit.note_answer(n)
        else:
            circuit.note_failing(n)
    assert circuit.may_ask("new")


async def test_another_try_comes_before_new_questions():
    limits, order, leave = Limits(start=1), [], asyncio.Event()

    async def asked(name: str, goes_first: bool = False) -> None:
        async with limits.place(goes_first=goes_first):
            order.append(name)
            await leave.wait()

    tasks = [asyncio.create_task(asked(name)) for name in ("first", "second", "third")]
    await settle()
    tasks.append(asyncio.create_task(asked("again", goes_first=True)))
    await settle()
    leave.set()
    await asyncio.gather(*tasks)
    assert order == ["first", "again", "second", "third"]


async def test_cancelled_waiters_take_no_place_with_them():
    limits, inside, leave = Limits(start=1), [], asyncio.Event()
    first = asyncio.create_task(enter(limits, inside, leave))
    await settle()
    waiting = [asyncio.create_task(enter(limits, inside, leave)) for _ in range(5)]
    await settle()
    leave.set()  # first leaves and hands its place to the first in the queue, which is cancelled in that moment
    await first
    waiting[0].cancel()
    waiting[3].cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert len(inside) in (4, 5)
    async with asyncio.timeout(5), limits.place():
        assert limits._active == 1


async def test_the_wait_after_a_429_is_reported():
    limits = Limits()
    limits.note_refusal(0.02)
    async with limits.place() as waited:
        assert waited >= 0.02


async def test_rates_never_exceed_the_minute():
    limits = Limits(start=64, rpm=100)
    inside: list[int] = []
    leave = asyncio.Event()
    tasks = [asyncio.create_task(enter(limits, inside, leave)) for _ in range(40)]
    await settle()
    assert len(inside) == 10  # a tenth at once, the rest at 90 a minute
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_call_larger_than_the_bucket_is_drawn_in_sips():
    limits = Limits(tpm=60_000_000)
    async with asyncio.timeout(5), limits.place(tokens=6_000_001):
        assert limits._active == 1


def test_a_stray_429_is_its_own_calls_wait_and_a_full_endpoint_is_everybodys():
    limits = Limits(start=64, maximum=64, cool_down=0)
    for n in range(400):
        if n % 20 == 19:
            assert n < 40 or limits.note_refusal(0.5) == 0.5, "one in twenty narrows nothing"
        else:
            limits.note_success()
    assert limits.width == 64
    waits = [limits.note_refusal(0.5) for _ in range(10)]
    assert waits[:4] == [0.5] * 4 and waits[-1] == 0.0 and limits.width < 64


async def test_a_call_that_no_minute_allows_is_refused_at_once():
    limits = Limits(tpm=100)
    with pytest.raises(BenchError, match=r"about 250 tokens, and the agent's tpm allows 100 a minute"):
        async with limits.place(250):
            pass
    async with limits.place(5):
        pass
