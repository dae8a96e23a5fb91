"""What a run promises: one trace a question, failures as states, a stop that loses nothing."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import pytest

from core.agent import Completion, Sampling
from core.errors import AgentError, BenchError, BudgetReached, EngineFailed
from core.nouns import Document, Hit, Message, Prompt, Span, Trace
from eval.running.retrieval import make_tools
from eval.running.runner import RunStopped, answer_all
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools

PROMPT = Prompt("answer/short.en", "answer", (Message("user", "$question $context"),), ("question", "context"))
DOCUMENT = Document("d1", "The bridge is old. It was built in 1890.", "Bridge")


def question(name: str, text: str = "How old?") -> Question:
    return Question(name, text, text, "en", "explicit_factoid", PROMPT, 32)


async def collect(questions: list[Question], adapter: SystemAdapter, **given: Any) -> list[Trace]:
    tools = given.pop("tools", make_tools([DOCUMENT], {}, None, None))
    return [trace async for trace in answer_all(questions, adapter, {}, tools, run_id="r", **given)]


def system(answer: Any, **given: Any) -> SystemAdapter:
    return SystemAdapter(label="Test", family="outside", answer=answer, **given)


def completion(**given: Any) -> Completion:
    return Completion("1890", **{"tokens_in": 7, "tokens_out": 1, "seconds": 2.0, "call": "c1", **given})


async def test_every_question_gets_one_trace_with_its_steps_tokens_and_calls() -> None:
    async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        return completion()

    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        assert tools.retrieve and tools.ask
        hits = tools.retrieve(q.query, 1)
        got = [await tools.ask(PROMPT, {"question": "q", "context": "c"}, Sampling()) for _ in range(2)]
        return Answer(got[0].text, retrieved=tuple(hit.span for hit in hits))

    span = Span("d1", 0, 18)
    tools = make_tools([DOCUMENT], {"en": lambda query, k: [Hit(span, 1.0)]}, ask, None)
    traces = await collect([question("a"), question("b")], system(answer), tools=tools)
    assert {t.item for t in traces} == {"a", "b"}
    first = traces[0]
    assert (first.answer, first.calls, first.tokens_in, first.tokens_out, first.stop) == ("1890", 2, 14, 2, "answered")
    assert [step.kind for step in first.steps] == ["retrieve", "call", "call"]
    assert first.steps[0].spans == first.retrieved == (span,) and first.steps[1].call == "c1"
    assert first.steps[0].scores == (1.0,)


async def test_waiting_is_no_service_time_and_a_call_from_the_ledger_counts_as_it_once_took() -> None:
    replies = iter([completion(seconds=0.0, waited=100.0), completion(seconds=30.0, cached=True)])

    async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        return next(replies)

    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        assert tools.ask
        return Answer((await tools.ask(PROMPT, {"question": "q", "context": "c"}, Sampling())).text)

    tools = make_tools([DOCUMENT], {}, ask, None)
    waited, cached = await collect([question("a"), question("b")], system(answer), tools=tools, concurrency=1)
    assert waited.seconds == pytest.approx(0.0, abs=0.05) and cached.seconds == pytest.approx(30.0, abs=0.05)
    assert (waited.queued, waited.retrying) == (100.0, 0.0) and (cached.queued, cached.retrying) == (0.0, 0.0)
    assert cached.seconds is not None and 30.0 <= cached.seconds < 31.0


@pytest.mark.parametrize(
    ("raised", "stop", "words"),
    [
        (SystemFailed("no evidence here", stop="no_evidence"), "no_evidence", "no evidence here"),
        (AgentError("took too long", kind="timeout", attempts=3), "timeout", "took too long"),
        (BenchError("no such chunk"), "tool_error", "no such chunk"),
        (ZeroDivisionError("division by zero"), "crashed", "ZeroDivisionError: division by zero"),
    ],
)
async def test_a_failure_is_a_state_and_never_an_answer(raised: Exception, stop: str, words: str) -> None:
    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        if q.item == "bad":
            raise raised
        return Answer("")

    bad, good = sorted(await collect([question("bad"), question("good")], system(answer)), key=lambda t: t.item)
    assert (bad.answer, bad.stop, bad.error) == (None, stop, words)
    assert (good.answer, good.stop) == ("", "answered")


@pytest.mark.fault(56)
@pytest.mark.parametrize("then", ["raises", "answers", "fails in its own way"])
async def test_a_search_engine_that_fails_fails_the_question_whatever_the_system_makes_of_it(then: str) -> None:
    def search(query: str, k: int) -> list[Hit]:
        raise EngineFailed("Shelf failed.")

    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        try:
            assert tools.retrieve and tools.retrieve(q.query, 1)
        except BenchError as error:
            if then == "raises":
                raise
            if then != "answers":
                raise SystemFailed("I lost my way.", stop="lost") from error
        return Answer("from memory")

    [trace] = await collect([question("a")], system(answer), tools=make_tools([DOCUMENT], {"en": search}, None, None))
    assert (trace.answer, trace.stop, trace.error) == (None, "engine", "Shelf failed.")


async def test_a_question_that_hangs_is_a_timeout() -> None:
    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        await asyncio.Event().wait()
        return Answer("never")

    (trace,) = await collect([question("a")], system(answer), timeout=0.01)
    assert (trace.answer, trace.stop, trace.error) == (None, "timeout", "No answer within 0.01 seconds.")


async def test_an_answer_that_came_too_late_is_a_timeout_although_nobody_could_break_it_off() -> None:
    """A search holds the loop: no other task gets a turn until it is done."""

    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        time.sleep(0.05)
        return Answer("late")

    (trace,) = await collect([question("a")], system(answer), timeout=0.01)
    assert (trace.answer, trace.stop) == (None, "timeout")


async def test_what_the_ledger_needs_to_store_a_call_is_no_service_time() -> None:
    async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        await asyncio.sleep(0.3)
        return completion(seconds=0.1, waited=0.0)

    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        assert tools.ask
        return Answer((await tools.ask(PROMPT, {"question": "q", "context": "c"}, Sampling())).text)

    (trace,) = await collect([question("a")], system(answer), tools=make_tools([DOCUMENT], {}, ask, None))
    assert trace.seconds == pytest.approx(0.1, abs=0.1)


async def test_a_failed_attempt_costs_time_of_its_own() -> None:
    async def ask(prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        return completion(seconds=0.0, waited=30.0, retrying=20.0)

    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        assert tools.ask
        return Answer((await tools.ask(PROMPT, {"question": "q", "context": "c"}, Sampling())).text)

    (trace,) = await collect([question("a")], system(answer), tools=make_tools([DOCUMENT], {}, ask, None))
    assert (trace.queued, trace.retrying) == (10.0, 20.0) and trace.seconds == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize(
    ("raised", "reason"),
    [
        (BudgetReached("the budget of 1 USD is used up"), "budget"),
        (AgentError("the key was refused", kind="refused", attempts=1, stops_job=True), "endpoint"),
    ],
)
async def test_a_stop_yields_what_is_in_flight_and_says_why(raised: Exception, reason: str) -> None:
    late = asyncio.Event()

    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        if q.item == "stops":
            late.set()
            raise raised
        await late.wait()
        return Answer("late but whole")

    traces = []
    with pytest.raises(RunStopped, match=str(raised)) as stopped:
        names = ["slow", "stops", *(f"later{i}" for i in range(20))]
        async for trace in answer_all(
            [question(n) for n in names], system(answer), {}, make_tools([], {}, None, None), run_id="r", concurrency=2
        ):
            traces.append(trace)
    assert [t.item for t in traces][:1] == ["slow"] and len(traces) <= 2
    assert stopped.value.reason == reason


async def test_cancel_finishes_what_is_in_flight_and_starts_nothing() -> None:
    cancel = asyncio.Event()

    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        await asyncio.sleep(0)
        cancel.set()
        return Answer("done")

    traces = []
    with pytest.raises(RunStopped, match="Cancelled after 2 of 9 questions"):
        async for trace in answer_all(
            [question(str(i)) for i in range(9)],
            system(answer),
            {},
            make_tools([], {}, None, None),
            run_id="r",
            concurrency=2,
            cancel=cancel,
        ):
            traces.append(trace)
    assert [t.answer for t in traces] == ["done", "done"]


async def test_no_more_than_the_window_is_in_flight_and_the_dearest_start_first() -> None:
    running, most, started = 0, 0, []

    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        nonlocal running, most
        running += 1
        most = max(most, running)
        started.append(q.item)
        await asyncio.sleep(0)
        running -= 1
        return Answer("x")

    questions = [question(str(i), "x" * i) for i in range(10)]
    await collect(questions, system(answer), concurrency=3, cost=lambda q: len(q.text))
    assert most == 3
    assert started[:3] == ["9", "8", "7"]


async def test_a_system_is_opened_before_and_closed_after_even_when_the_reader_leaves() -> None:
    seen: list[str] = []

    async def close(settings: Mapping[str, Any]) -> None:
        seen.append(f"closed {settings['handle']}")

    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        return Answer(str(settings["handle"]))

    adapter = system(answer, open=lambda questions, settings: {"handle": 7, "messages": ["line 3 is odd"]}, close=close)
    questions, tools = [question(str(i)) for i in range(5)], make_tools([], {}, None, None)
    traces = answer_all(questions, adapter, {}, tools, run_id="r", report_progress=seen.append)
    assert (await anext(traces)).answer == "7"
    await traces.aclose()
    assert seen == ["line 3 is odd", "closed 7"]


@pytest.mark.fault(6)
async def test_half_a_surrogate_in_an_answer_can_still_be_stored() -> None:
    async def answer(q: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
        return Answer("ab\ud83d")

    (trace,) = await collect([question("a")], system(answer))
    assert trace.answer == "ab?"
