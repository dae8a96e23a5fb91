"""The command line says what a paid run will come to before it asks anything; one that costs nothing starts at once."""

from collections.abc import Iterator

import pytest

from tests.openai_server import Running, running

PRICED = ("--set", "agent.price_in=1", "--set", "agent.price_out=2", "--set", "judge.price_in=1", "--set", "judge.price_out=2")


@pytest.fixture(scope="module")
def one_server() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture
def server(one_server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setenv("OPENAI_BASE_URL", one_server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    one_server.reset()
    return one_server


def test_a_paid_run_tells_calls_tokens_price_time_and_what_can_be_seen_before_it_asks(bw, world, server):
    said = bw(
        "run",
        "v1",
        "--system",
        "vanilla",
        "--agent",
        "openai:m",
        "--judge",
        "openai:j",
        "--metrics",
        "token_f1,context_recall",
        *PRICED,
    )
    assert said.code == 0 and said.json["answered"] == 2
    told = said.err.splitlines()
    at = next(n for n, line in enumerate(told) if line.startswith("Before it starts"))
    assert told[at] == "Before it starts: 2 questions, 2 calls of the system, 4 calls of judges."
    assert "input tokens" in told[at + 1] and "USD" in told[at + 1] and "parallel calls" in told[at + 1]
    assert any(
        line.startswith(
            "token_f1, context_recall: a difference of 1.401 is detected with a power of 80 % (n = 2); a difference of 0.05 "
            "needs 1,570 questions"
        )
        for line in told
    )
    assert not any("answered" in line for line in told[:at]), "it is told before anything is asked"
    assert said.json["calls"] == 6
    again = bw(
        "run",
        "v1",
        "--system",
        "vanilla",
        "--agent",
        "openai:m",
        "--judge",
        "openai:j",
        "--metrics",
        "token_f1,context_recall",
        *PRICED,
    )
    assert f"Run {said.json['run']} has the same configuration: 2 answers of it are stored and used again." in again.err


def test_prices_that_nobody_knows_are_said_and_a_run_that_costs_nothing_is_not_held_up(bw, world, server):
    assert "unknown price" in bw("run", "v1", "--system", "closed_book", "--agent", "openai:m", "--metrics", "token_f1").err
    assert "Before it starts" not in bw("run", "v1", "--system", "closed_book", "--agent", "offline").err
