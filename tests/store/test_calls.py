"""The ledger: a request is paid once, everything that left is counted, the cap stops before the call that might exceed it."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from agents.openai import openai, openai_wire
from agents.openai.limits import Circuit, Limits
from agents.openai.openai import OpenAIAgent
from agents.openai.openai_settings import OpenAISettings
from agents.scripted.scripted import Reply, ScriptedAgent
from core.agent import Completion, Sampling
from core.errors import AgentError, BenchError, BudgetReached
from core.nouns import Message, Prompt
from store.engine.database import Database
from store.ledger import calls
from store.ledger.budget import Budget
from store.ledger.calls import Ledger
from store.ledger.ledgered_agent import LedgeredAgent
from tests import openai_server

PROMPT = Prompt("answer/short.en", "answer", (Message("user", "Q: $question"),), ("question",))
PLAIN = Sampling()


class PricedAgent(ScriptedAgent):
    """A scripted agent that may cost `worst` a call, and answers only once it is let go."""

    def __init__(self, replies: list[Reply], worst: float | None = 0.0, is_open: bool = True) -> None:
        super().__init__(replies)
        self.worst, self.gate = worst, asyncio.Event()
        if is_open:
            self.gate.set()

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        messages = [{"role": m.role, "content": m.content} for m in prompt.fill(inputs)]
        return {"messages": messages, "seed": sampling.seed, "prompt": prompt.identity, "index": sampling.index}

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        return self.worst

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        completion = await super().ask(prompt, inputs, sampling)
        await self.gate.wait()
        return completion


def reply(text: str, **fields: Any) -> Completion:
    return Completion(**{"text": text, "tokens_in": 10, "tokens_out": 5, "price": 0.1, "seconds": 0.5} | fields)


async def ask(agent: LedgeredAgent, question: str, sampling: Sampling = PLAIN) -> Completion:
    return await agent.ask(PROMPT, {"question": question}, sampling)


async def test_the_same_request_is_paid_once_also_after_reopening(tmp_path: Path) -> None:
    raw = {"id": "x", "choices": [{"text": "甲 \U0001f9ea"}]}
    first = reply("甲 \U0001f9ea", raw=raw, logprobs=(("甲", -0.5),), alternatives=((-0.5, -2.0),), waited=2.0, attempts=3)
    with Database.open(tmp_path / "w.duckdb") as database:
        agent = PricedAgent([first, reply("two")])
        new = await ask(LedgeredAgent(agent, Ledger(database)), "a")
        assert (new.text, new.cached, new.attempts) == (first.text, False, 3) and new.call
        assert not (await ask(LedgeredAgent(agent, Ledger(database)), "b")).cached
    with Database.open(tmp_path / "w.duckdb") as database:
        ledger = Ledger(database)
        again = await ask(LedgeredAgent(PricedAgent([]), ledger), "a")
        assert again.cached and again.attempts == 0 and again.call == new.call
        assert (again.text, again.raw, again.logprobs, again.alternatives, again.price, again.tokens_in) == (
            first.text,
            raw,
            first.logprobs,
            ((-0.5, -2.0),),
            0.1,
            10,
        )
        stored = ledger.get(str(new.call))
        assert stored.request["messages"] == [{"role": "user", "content": "Q: a"}] and stored.prompt == PROMPT.identity
        assert ledger.sum_spending() == (2, 0, 4, 0.2, 20, 10)


@pytest.mark.parametrize("limit", [calls.MAX_KNOWN_IDS, 1])
async def test_a_new_request_needs_no_query_unless_the_workspace_has_too_many_calls(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "MAX_KNOWN_IDS", limit)
    queries: list[str] = []
    with Database.open(":memory:") as database:
        for question in "ab":
            await ask(LedgeredAgent(PricedAgent([reply(question)]), Ledger(database)), question)
        calls._ids.clear()  # as after a restart
        agent, rows = LedgeredAgent(PricedAgent([reply("c"), reply("d")]), Ledger(database)), database.rows
        monkeypatch.setattr(database, "rows", lambda sql, *params: (queries.append(sql), rows(sql, *params))[1])
        await ask(agent, "c")
        assert len(queries) == 2  # the request, and the ids
        await ask(agent, "d")
        assert len(queries) == (2 if limit > 1 else 3)
        for question in "abcd":
            stored = await ask(agent, question)
            assert (stored.text, stored.cached) == (question, True)


async def test_whatever_is_different_in_a_request_is_another_call() -> None:
    with Database.open(":memory:") as database:
        agent = PricedAgent([reply(str(n)) for n in range(5)])
        ledgered = LedgeredAgent(agent, Ledger(database))
        other = Prompt(PROMPT.name, "answer", (Message("user", "Q:  $question"),), ("question",))
        texts = [
            (await ask(ledgered, "a")).text,
            (await ask(ledgered, "b")).text,
            (await ask(ledgered, "a", Sampling(seed=1))).text,
            (await ask(ledgered, "a", Sampling(index=1))).text,
            (await ledgered.ask(other, {"question": "a"}, PLAIN)).text,
        ]
        assert texts == ["0", "1", "2", "3", "4"]


async def test_two_askers_of_one_request_share_one_answer() -> None:
    with Database.open(":memory:") as database:
        agent = PricedAgent([reply("one")], is_open=False)
        asking = [asyncio.create_task(ask(LedgeredAgent(agent, Ledger(database)), "a")) for _ in range(8)]
        while not agent.history:
            await asyncio.sleep(0)
        agent.gate.set()
        found = await asyncio.gather(*asking)
        assert {c.text for c in found} == {"one"} and len(agent.history) == 1
        assert sorted(c.cached for c in found) == [False] + [True] * 7
        assert sum(c.attempts for c in found) == Ledger(database).sum_spending().attempts == 1


def test_askers_in_several_threads_share_one_answer() -> None:
    with Database.open(":memory:") as database:
        lock, asked = threading.Lock(), []

        class Slow(PricedAgent):
            async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
                with lock:
                    asked.append(1)
                await asyncio.to_thread(both.wait, 10)
                return reply("one")

        both = threading.Barrier(2)
        found: list[Completion] = []

        def work() -> None:
            found.append(asyncio.run(ask(LedgeredAgent(Slow([]), Ledger(database)), "a")))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        both.wait(10)
        for thread in threads:
            thread.join(10)
        assert [c.text for c in found] == ["one"] * 4 and len(asked) == 1


async def test_a_call_that_is_broken_off_is_in_the_ledger_and_can_be_made_anew() -> None:
    with Database.open(":memory:") as database:
        agent = PricedAgent([reply("late"), reply("two")], is_open=False)
        ledgered = LedgeredAgent(agent, Ledger(database))
        asking = asyncio.create_task(ask(ledgered, "a"))
        while not agent.history:
            await asyncio.sleep(0)
        asking.cancel()
        ledgered.break_off()
        await ledgered.close()
        agent.gate.set()
        database.write(lambda cursor: None)  # behind all that was written before
        assert database.rows("SELECT kind, attempts FROM call") == [("broken_off", None)]
        assert (await ask(ledgered, "a")).text == "two"


async def test_a_listener_hears_a_streamed_answer_grow_and_a_stored_one_at_once() -> None:
    class Streaming(PricedAgent):
        async def stream(
            self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling, on_text: Callable[[str], None]
        ) -> Completion:
            on_text("on")
            return await self.ask(prompt, inputs, sampling)

    with Database.open(":memory:") as database:
        agent, ledger, heard = Streaming([reply("one")]), Ledger(database), []
        for _ in range(2):
            await ask(LedgeredAgent(agent, ledger, on_text=lambda prompt, text: heard.append((prompt.name, text))), "a")
        assert [text for _, text in heard] == ["on", "one", "one"] and len(agent.history) == 1


async def test_a_listener_of_an_agent_that_cannot_stream_hears_the_whole_answer() -> None:
    with Database.open(":memory:") as database:
        heard: list[str] = []
        agent = PricedAgent([reply("one")])
        done = await ask(LedgeredAgent(agent, Ledger(database), on_text=lambda prompt, text: heard.append(text)), "a")
        assert heard == ["one"] and done.call is not None


@pytest.mark.fault(27)
async def test_a_failed_call_is_stored_with_its_attempts_and_asked_again() -> None:
    with Database.open(":memory:") as database:
        trouble = AgentError("The endpoint answered 500 three times.", kind="server", attempts=3)
        agent = PricedAgent([trouble, trouble, reply("well", attempts=2)])
        ledger = Ledger(database)
        ledgered = LedgeredAgent(agent, ledger, job="j1")
        for _ in range(2):
            with pytest.raises(AgentError, match="500"):
                await ask(ledgered, "a")
        assert (await ask(ledgered, "a")).text == "well" and (await ask(ledgered, "a")).cached
        assert [ledger.sum_spending(job).attempts for job in (None, "j1", "j2")] == [8, 8, 0]
        assert ledger.sum_spending("j1")[:2] == (1, 2) and ledger.sum_spending("j2").cost == 0.0
        kinds = database.rows("SELECT kind, attempts FROM call WHERE error IS NOT NULL")
        assert kinds == [("server", 3), ("server", 3)]


async def test_a_reply_that_was_cut_is_paid_and_stored() -> None:
    with Database.open(":memory:") as database:
        ledgered = LedgeredAgent(PricedAgent([reply('{"question": "Wh', finish="length")]), Ledger(database))
        assert (await ask(ledgered, "a")).finish == "length"
        assert (await ask(ledgered, "a")) == (await ask(ledgered, "a"))
        assert (await ask(ledgered, "a")).finish == "length"


async def test_an_unknown_price_leaves_the_cost_unknown() -> None:
    with Database.open(":memory:") as database:
        ledger = Ledger(database)
        ledgered = LedgeredAgent(PricedAgent([reply("a"), reply("b", price=None)], worst=None), ledger, job="j")
        await ask(ledgered, "a")
        assert ledger.sum_spending("j").cost == 0.1
        await ask(ledgered, "b")
        assert ledger.sum_spending("j").cost is None and ledger.sum_charges("j") == (0.1, 1)
        assert ledgered.budget.charges == (0.1, 1), "an unknown price is not 0"
        with pytest.raises(BudgetReached, match=r"0\.1000 spent, besides 1 call of unknown price, the next"):
            Budget(0.15, ledger.sum_charges("j")).reserve(0.1)


async def test_a_reply_without_a_price_is_charged_at_its_worst_also_after_a_restart() -> None:
    with Database.open(":memory:") as database:
        budget, ledger = Budget(1.0), Ledger(database)
        agent = PricedAgent([reply("a", price=None), AgentError("Refused.", kind="refused", attempts=1)], worst=0.4)
        await ask(LedgeredAgent(agent, ledger, budget, "j"), "a")
        with pytest.raises(AgentError):
            await ask(LedgeredAgent(agent, ledger, budget, "j"), "b")
        assert (budget.spent, 0) == ledger.sum_charges("j") == (0.4, 0) and ledger.sum_spending("j").cost is None


async def test_a_call_goes_on_when_its_asker_stops_waiting() -> None:
    with Database.open(":memory:") as database:
        agent = PricedAgent([reply("paid")], is_open=False)
        ledgered = LedgeredAgent(agent, Ledger(database))
        asking = asyncio.create_task(ask(ledgered, "a"))
        while not agent.history:
            await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        agent.gate.set()
        await ledgered.drain()
        assert (await ask(ledgered, "a")).cached and len(agent.history) == 1


def test_a_call_that_its_loop_broke_off_is_noted_and_asked_again() -> None:
    with Database.open(":memory:") as database:

        async def leave() -> None:
            agent = PricedAgent([reply("never")], is_open=False)
            asking = asyncio.create_task(ask(LedgeredAgent(agent, Ledger(database)), "a"))
            while not agent.history:
                await asyncio.sleep(0)
            asking.cancel()

        asyncio.run(leave())
        assert asyncio.run(ask(LedgeredAgent(PricedAgent([reply("now")]), Ledger(database)), "a")).text == "now"
        assert database.rows("SELECT kind, attempts FROM call WHERE error IS NOT NULL") == [("broken_off", None)]


async def test_the_cap_stops_before_the_call_that_might_exceed_it() -> None:
    with Database.open(":memory:") as database:
        agent = PricedAgent([reply(str(n), price=0.3) for n in range(9)], worst=0.4)
        budget = Budget(1.0)
        ledgered = LedgeredAgent(agent, Ledger(database), budget, "j")
        for question in "abc":
            if question == "c":
                assert budget.spent == pytest.approx(0.6)
            await ask(ledgered, question)
        with pytest.raises(BudgetReached, match=r"budget of 1 USD is reached: 0\.9000 spent"):
            await ask(ledgered, "d")
        assert len(agent.history) == 3 and (await ask(ledgered, "a")).cached
        resumed = LedgeredAgent(agent, Ledger(database), Budget(1.3, Ledger(database).sum_charges("j")), "j")
        await ask(resumed, "d")
        with pytest.raises(BudgetReached):
            await ask(resumed, "e")
        assert Ledger(database).sum_spending("j").cost == pytest.approx(1.2)


async def test_calls_under_way_make_others_wait_and_not_stop() -> None:
    """Ten calls that may cost 0.4 and cost 0.05 each fit into 1 USD, though only two may be under way at once."""
    with Database.open(":memory:") as database:
        most: list[float] = []
        budget = Budget(1.0)

        class Watched(PricedAgent):
            async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
                most.append(budget.spent + budget.reserved)
                return await super().ask(prompt, inputs, sampling)

        agent = Watched([reply(str(n), price=0.05) for n in range(10)], worst=0.4)
        ledgered = LedgeredAgent(agent, Ledger(database), budget)
        await asyncio.gather(*(ask(ledgered, str(n)) for n in range(10)))
        assert budget.spent == pytest.approx(0.5) and budget.reserved == 0 and max(most) <= 1.0 + 1e-9


async def test_a_failed_call_gives_its_reservation_back() -> None:
    with Database.open(":memory:") as database:
        trouble = AgentError("No answer in 60 s.", kind="timeout", attempts=1)
        budget = Budget(0.5)
        ledgered = LedgeredAgent(PricedAgent([trouble, reply("a")], worst=0.5), Ledger(database), budget)
        with pytest.raises(AgentError):
            await ask(ledgered, "a")
        assert budget.reserved == 0 and (await ask(ledgered, "a")).text == "a"


async def test_a_budget_without_prices_is_refused() -> None:
    with Database.open(":memory:") as database:
        agent = PricedAgent([reply("a")], worst=None)
        with pytest.raises(BenchError, match=r"agent\.price_in"):
            await ask(LedgeredAgent(agent, Ledger(database), Budget(1.0)), "a")
        assert agent.history == []
        for limit in (-1.0, float("nan"), float("inf")):
            with pytest.raises(BenchError, match="is not possible"):
                Budget(limit)


def test_a_budget_is_kept_by_many_threads() -> None:
    budget, refused = Budget(1.0), []

    def work() -> None:
        for _ in range(50):
            try:
                budget.reserve(0.01)
            except BudgetReached:
                refused.append(1)
            else:
                budget.settle(0.01, 0.01)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.spent == pytest.approx(1.0) and budget.reserved == 0 and len(refused) >= 300


async def test_a_reply_that_utf_8_cannot_hold_is_stored_as_it_is_handed_on() -> None:
    with Database.open(":memory:") as database:
        ledgered = LedgeredAgent(PricedAgent([reply("x\ud800y", raw={"text": "x\ud800y"})]), Ledger(database))
        assert (await ask(ledgered, "a")).text == (await ask(ledgered, "a")).text == "x\ufffdy"


@pytest.mark.fault(25)
async def test_a_key_never_reaches_the_file(tmp_path: Path) -> None:
    """An endpoint that nobody listens on: the failed call is stored, the key is not."""
    key = "sk-never-to-be-stored-0123456789"
    with Database.open(tmp_path / "w.duckdb") as database:
        raw = OpenAIAgent("m", "http://user:word@127.0.0.1:9/v1", key, OpenAISettings(tries=1, timeout=5))
        with pytest.raises(AgentError):
            await ask(LedgeredAgent(raw, Ledger(database)), "a")
        await raw.close()
        assert Ledger(database).sum_spending().attempts == 1
        database.backup(tmp_path / "b.duckdb")
    bytes_stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert key.encode() not in bytes_stored and b"user:word" not in bytes_stored and b"127.0.0.1:9" in bytes_stored


@pytest.fixture(scope="module")
def endpoint() -> Iterator[openai_server.Running]:
    with openai_server.running() as server:
        yield server


@pytest.mark.parametrize(
    ("owner", "method"),
    [
        (openai, "price_reply"),
        (OpenAIAgent, "_read"),
        (Limits, "note_success"),
        (Circuit, "note_answer"),
        (openai_wire, "_finish"),
        (calls, "_pack_logprobs"),
        (calls, "replace_surrogates"),
    ],
)
async def test_a_reply_that_arrived_is_paid_once_whatever_fails_behind_it(
    endpoint: openai_server.Running, monkeypatch: pytest.MonkeyPatch, owner: Any, method: str
) -> None:
    endpoint.reset()
    settings, sampling = OpenAISettings(price_in=1.0, price_out=2.0), Sampling(logprobs=True)
    is_broken = True
    whole = getattr(owner, method)

    def broken(*given: Any) -> Any:
        if is_broken and endpoint.count()["requests"]:
            raise RuntimeError("a fault of our own")
        return whole(*given)

    monkeypatch.setattr(owner, method, broken)
    with Database.open(":memory:") as database:
        ledger = Ledger(database)
        with pytest.raises((RuntimeError, AgentError), match="a fault of our own"):
            await ask(LedgeredAgent(OpenAIAgent("m", endpoint.url, None, settings), ledger, job="j"), "a", sampling)
        assert ledger.sum_charges("j").usd > 0 and ledger.sum_spending("j")[:3] == (0, 1, 1)
        if method == "price_reply":
            with pytest.raises(AgentError, match="a fault of our own"):
                await ask(LedgeredAgent(OpenAIAgent("m", endpoint.url, None, settings), ledger, job="j"), "a", sampling)
        is_broken = False
        agent = LedgeredAgent(OpenAIAgent("m", endpoint.url, None, settings), ledger, job="j")
        done, again = await ask(agent, "a", sampling), await ask(agent, "a", sampling)
        assert endpoint.count()["requests"] == 1 and ledger.sum_spending("j")[:3] == (1, 0, 1)
        assert done.text == again.text == again.raw["choices"][0]["message"]["content"] and done.logprobs == again.logprobs
        assert done.price == ledger.sum_spending("j").cost == ledger.sum_charges("j").usd and done.cached and done.logprobs


async def test_a_listener_that_fails_within_a_stream_does_not_cost_the_reply(endpoint: openai_server.Running) -> None:
    endpoint.reset()

    def hear(prompt: Prompt, text: str) -> None:
        raise TypeError("nobody can hear that")

    with Database.open(":memory:") as database:
        agent = OpenAIAgent("m", endpoint.url, None)
        with pytest.raises(TypeError):
            await ask(LedgeredAgent(agent, Ledger(database), on_text=hear), "a")
        assert (await ask(LedgeredAgent(agent, Ledger(database)), "a")).text and endpoint.count()["requests"] == 1
