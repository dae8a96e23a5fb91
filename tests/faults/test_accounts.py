"""Every item and every cent is accounted for, through the fault server: a cap holds to the cent and nothing is paid twice, and
what two hundred calls with faults came to adds up in one sentence."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.engine.database import Database
from store.jobs import jobs
from store.ledger.calls import Ledger
from tests.openai_server import Running, running
from tests.orvel import TEXT

ASKED = 200
PRICE_IN, PRICE_OUT = 3.0, 15.0
DRAFT = (
    "draft",
    "--task",
    "explicit_factoid",
    "--domain",
    "arts",
    "--agent",
    "openai:m",
    "--set",
    "run_on=false",
    "--set",
    "rag_check=false",
)
PRICED = ("--set", f"agent.price_in={PRICE_IN}", "--set", f"agent.price_out={PRICE_OUT}")


@pytest.fixture(scope="module")
def one_server() -> Iterator[Running]:
    with running(seed=5) as server:
        yield server


@pytest.fixture
def server(one_server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setenv("OPENAI_BASE_URL", one_server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    one_server.script([])
    one_server.reset()
    return one_server


@pytest.fixture
def corpus(bw, tmp_path: Path) -> None:
    """260 towns, each with its own bridge."""
    (tmp_path / "in").mkdir()
    for n in range(260):
        name = f"Or{'aeiouy'[n % 6]}{'bdfgklmnprst'[n // 6 % 12]}{'aeiou'[n // 72]}n"
        words = TEXT.format(name=name, year=1700 + n, begun=1698 + n, length=312 + 17 * n)
        (tmp_path / "in" / f"{n}.md").write_text(words, encoding="utf-8")
    assert bw("add", tmp_path / "in", "--domain", "arts", "--licence", "CC0-1.0").code == 0


def paid(path: Path, job: str) -> tuple[float, int]:
    """What the ledger's tokens cost at those prices, and how many answers it holds."""
    with Database.open(path) as database:
        rows = database.rows("SELECT tokens_in, tokens_out, charged FROM call WHERE job = ? AND error IS NULL", [job])
    assert all(abs(charged - (i * PRICE_IN + o * PRICE_OUT) / 1e6) < 1e-12 for i, o, charged in rows)
    return sum(i * PRICE_IN + o * PRICE_OUT for i, o, _ in rows) / 1e6, len(rows)


def test_a_cap_holds_to_the_cent_with_many_calls_in_flight_and_nothing_is_paid_twice(bw, server, corpus, tmp_path):
    command = (*DRAFT, *PRICED, "--count", 30, "--set", "agent.concurrency=16")
    spent, stops = 0.0, 0
    for cap in (0.03, 0.045, 0.06):
        said = bw(*command, "--budget", cap)
        cost, answers = paid(tmp_path / "w.duckdb", said.json["job"])
        assert spent < cost <= cap + 1e-9 and said.json["cost_usd"] == pytest.approx(cost, abs=1e-9)
        assert server.count()["requests"] == answers == said.json["calls"], "each request is one stored answer"
        assert said.code == 1 and said.json["stopped"] == "budget" and "higher --budget" in said.sentence
        [row] = bw("jobs").json
        assert (row["state"], row["done"]) == ("budget", said.json["drafted"])
        spent, stops = cost, stops + 1
    assert stops == 3, "the cap was met on the way each time"
    done = bw(*command, "--budget", 5)
    cost, answers = paid(tmp_path / "w.duckdb", done.json["job"])
    assert done.code == 0 and done.json["drafted"] == 30 and server.count()["requests"] == answers
    assert server.count()["asked_again"] == 0 and done.json["cost_usd"] == pytest.approx(cost, abs=1e-9)


def test_what_is_reserved_is_given_back_when_a_cap_stops_the_job(bw, server, corpus, tmp_path, monkeypatch):
    from store.ledger import budget

    made = []
    init = budget.Budget.__init__
    monkeypatch.setattr(budget.Budget, "__init__", lambda self, *a, **k: (made.append(self), init(self, *a, **k))[1])
    said = bw(*DRAFT, *PRICED, "--count", 30, "--set", "agent.concurrency=16", "--budget", 0.03)
    assert said.json["stopped"] == "budget"
    [one] = [b for b in made if b.spent > 0]
    assert one.reserved == 0.0 and one.spent == pytest.approx(said.json["cost_usd"], abs=1e-9)


@pytest.mark.fault(27)
def test_two_hundred_drafts_with_faults_end_with_every_item_accounted_for_in_one_sentence(bw, server, corpus, tmp_path):
    server.script(
        [
            {"share": 0.06, "fault": "status", "status": 429, "retry_after": 0},
            {"share": 0.06, "fault": "status", "status": 500},
            {"share": 0.03, "fault": "hang", "times": 3},
            {"share": 0.05, "fault": "cut"},
            {"contains": "Orad", "fault": "status", "status": 500, "times": 6},
            {"contains": "Oreg", "fault": "prose"},
        ]
    )
    said = bw(*DRAFT, "--count", ASKED, "--set", "agent.concurrency=16", "--set", "agent.timeout=10")
    assert said.code == 0 and said.json["stopped"] is None
    sentence = said.json["message"].split(". ")[0]
    asked, drafted = map(int, re.match(r"asked (\d+), drafted (\d+)", sentence).groups())
    parts = Counter({what: int(n) for n, what in re.findall(r"(\d+) ([a-z_ ]+)", sentence.partition(":")[2])})
    with Database.open(tmp_path / "w.duckdb") as database:
        states = Counter(result["state"] for _, result in jobs.load_results(database, said.json["job"]))
        ledger = Ledger(database).sum_spending(said.json["job"])
    assert (asked, drafted) == (ASKED, states["drafted"]) and drafted + sum(parts.values()) == sum(states.values())
    assert parts["failed"] == states["failed"] > 0 and parts["unreadable"] == states["unreadable"] > 0
    assert said.json["message"].count("First failure: ") == 1
    faults = server.count()["by_status"]
    assert faults.keys() >= {"429", "500", "hang", "cut", "200"} and min(faults.values()) > 2
    assert server.count()["requests"] == ledger.attempts, "each request that left is counted once"


def test_a_window_that_two_gates_refuse_is_one_in_the_sentence() -> None:
    from workbench.build.drafting.drafts import describe_shortfall

    results = [
        {"state": "drafted", "gates": [], "message": ""},
        {"state": "refused", "gates": ["referent", "evidence"]},
        {"state": "refused", "gates": ["evidence"]},
    ]
    assert describe_shortfall(2, results) == "asked 2, drafted 1: 1 evidence and referent, 1 evidence, no further window."


def test_a_budget_of_zero_sends_nothing_and_can_be_raised(bw, server, corpus):
    said = bw(*DRAFT, *PRICED, "--count", 3, "--budget", 0)
    assert said.code == 1 and (said.json["stopped"], said.json["drafted"], said.json["calls"]) == ("budget", 0, 0)
    assert server.count()["requests"] == 0 and "budget of 0 USD is reached: 0.0000 spent" in said.sentence
    assert "higher --budget" in said.sentence and said.json["cost_usd"] == 0
    raised = bw(*DRAFT, *PRICED, "--count", 3, "--budget", 1)
    assert raised.code == 0 and (raised.json["job"], raised.json["drafted"]) == (said.json["job"], 3)


def test_a_budget_of_zero_lets_an_agent_that_costs_nothing_work(bw, server, corpus):
    free = ("draft", "--task", "explicit_factoid", "--domain", "arts", "--agent", "offline", "--count", 2)
    said = bw(*free, "--budget", 0)
    assert said.code == 0 and (said.json["drafted"], said.json["cost_usd"]) == (2, 0)


def test_without_prices_the_money_is_unknown_and_a_cap_is_refused_in_one_sentence(bw, server, corpus):
    said = bw(*DRAFT, "--count", 2)
    assert said.code == 0 and said.json["drafted"] == 2 and said.json["cost_usd"] is None
    assert bw("jobs").json[0]["cost_usd"] is None
    capped = bw(*DRAFT, "--count", 2, "--seed", 9, "--budget", 1)
    assert capped.code == 1 and capped.sentence.count(". ") == 0 and "agent.price_in" in capped.sentence
    half = bw(*DRAFT, "--count", 2, "--seed", 9, "--budget", 1, "--set", "agent.price_in=3")
    assert half.code == 1 and "agent.price_out" in half.sentence and len(bw("jobs").json) == 1
