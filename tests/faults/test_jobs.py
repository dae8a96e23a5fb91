"""Jobs through the terminal: the same command goes on where it was stopped, by a budget, by Ctrl-C, or by a cancel that is
for good; what was paid is not paid again."""

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

import jobs
from store.engine.database import Database
from store.ledger.calls import Ledger
from tests.as_process import child_of
from tests.conftest import call_verb
from tests.openai_server import Running, running
from tests.orvel import write_corpus
from tests.waiting import stop_in_flight, until
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest

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
    "--set",
    "agent.concurrency=2",
    "--count",
    6,
)
PRICES = ("--set", "agent.price_in=1", "--set", "agent.price_out=1")


@pytest.fixture(scope="module")
def one_server() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture
def server(one_server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setenv("OPENAI_BASE_URL", one_server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    one_server.script([])
    one_server.reset()
    return one_server


@pytest.fixture(scope="module")
def made_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace that `corpus` copies."""
    folder = tmp_path_factory.mktemp("corpus")
    call_verb(folder / "w.duckdb", "add", write_corpus(folder / "in"), "--domain", "arts", "--licence", "CC0-1.0")
    return folder / "w.duckdb"


@pytest.fixture
def corpus(made_corpus: Path, tmp_path: Path) -> None:
    shutil.copy(made_corpus, tmp_path)


def test_a_budget_stops_and_a_higher_one_goes_on(bw, server, corpus):
    first = bw(*DRAFT, *PRICES, "--budget", "0.006")
    assert first.code == 1 and first.json["stopped"] == "budget" and "higher --budget" in first.sentence
    assert 0 < first.json["drafted"] < 6 and first.json["cost_usd"] <= 0.006
    assert bw("jobs").json[0]["state"] == "budget"
    again = bw(*DRAFT, *PRICES, "--budget", "0.006")
    assert again.code == 1 and again.json["drafted"] == first.json["drafted"], "what was spent before counts"
    higher = bw(*DRAFT, *PRICES, "--budget", "1")
    assert higher.code == 0 and (higher.json["job"], higher.json["drafted"]) == (first.json["job"], 6)
    assert higher.json["calls"] == 6 == server.count()["requests"], "nothing is paid twice"
    [job] = bw("jobs").json
    assert (job["state"], job["done"], job["total"]) == ("done", 6, 6) and job["cost_usd"] == higher.json["cost_usd"]


def test_a_budget_with_unknown_prices_is_refused(bw, server, corpus):
    said = bw(*DRAFT, "--budget", "1")
    assert said.code == 1 and "agent.price_in" in said.sentence
    assert bw("jobs").json == [] and server.count()["requests"] == 0


def test_a_shortfall_is_a_sentence_and_exit_0(bw, corpus):
    said = bw("draft", "--task", "explicit_factoid", "--domain", "arts", "--agent", "offline", "--count", 500, json_too=False)
    assert said.code == 0 and said.out.startswith("asked 500, drafted ") and "no further window" in said.out
    other = bw("draft", "--task", "explicit_factoid", "--domain", "arts", "--agent", "offline", "--count", 500).json
    assert other["stopped"] is None and other["drafted"] == 0, "a finished job is not resumed: this is a new one"


def test_a_stopped_job_is_resumed_by_its_id(bw, server, corpus):
    server.script([{"from": 3, "fault": "status", "status": 401}])
    stopped = bw(*DRAFT).json
    assert stopped["stopped"] == "endpoint" and stopped["drafted"] == 2
    server.script([])
    resumed = bw("jobs", "--resume", stopped["job"][:6])
    assert resumed.code == 0 and (resumed.json["job"], resumed.json["drafted"]) == (stopped["job"], 6)
    assert server.count()["asked_again"] == 0
    said = bw("jobs", "--resume", stopped["job"])
    assert said.code == 1 and "is done" in said.sentence


def test_a_cancelled_job_never_goes_on(bw, server, corpus):
    server.script([{"fault": "status", "status": 401}])
    stopped = bw(*DRAFT).json
    [cancelled] = bw("jobs", "--cancel", stopped["job"][:6]).json
    assert (cancelled["id"], cancelled["state"]) == (stopped["job"], "cancelled")
    assert bw("jobs", "--cancel", stopped["job"]).code == 0, "twice is once"
    said = bw("jobs", "--resume", stopped["job"])
    assert said.code == 1 and "is cancelled" in said.sentence
    server.script([])
    fresh = bw(*DRAFT).json
    assert fresh["drafted"] == 6 and fresh["job"] != stopped["job"]
    assert bw("jobs", "--cancel", fresh["job"]).code == 1, "a job that is done cannot be cancelled"


@pytest.mark.parametrize("words", [("--resume", "nope"), ("--cancel", "nope"), ("--resume", ""), ("--cancel", "")])
def test_an_unknown_job_is_one_sentence(bw, words):
    said = bw("jobs", *words)
    assert said.code == 1 and "No job" in said.sentence


def started(tmp_path: Path, *words: object) -> "AbstractContextManager[subprocess.Popen[str]]":
    return child_of(*words, "--workspace", tmp_path / "w.duckdb", "--json", folder=tmp_path)


def test_ctrl_c_finishes_what_is_in_flight_and_the_job_can_go_on(bw, server, corpus, tmp_path):
    server.script([{"from": 3, "fault": "hold"}])
    with started(tmp_path, *DRAFT) as child:
        assert child.stderr is not None
        assert " of 6 drafted" in child.stderr.readline()
        child.send_signal(signal.SIGINT)
        while "Stopping: calls in flight" not in child.stderr.readline():  # the other of the two may be told before
            assert child.poll() is None
        server.script([])
        out, err = child.communicate(timeout=60)
    assert child.returncode == 1 and "Traceback" not in err
    stopped = json.loads(out)
    assert stopped["stopped"] == "cancelled" and 1 <= stopped["drafted"] < 6
    with Database.open(tmp_path / "w.duckdb") as database:
        attempts = Ledger(database).sum_spending().attempts
        assert attempts == server.count()["requests"] == stopped["calls"], "all that was asked is stored"
    server.script([])
    [job] = bw("jobs").json
    assert (job["id"], job["state"]) == (stopped["job"], "paused")
    resumed = bw("jobs", "--resume", job["id"])
    assert resumed.code == 0 and resumed.json["drafted"] == 6
    assert server.count()["asked_again"] == 0 and server.count()["requests"] == resumed.json["calls"]


def test_a_second_ctrl_c_leaves_at_once_without_a_traceback(bw, server, corpus, tmp_path):
    server.script([{"from": 3, "fault": "hang"}])
    with started(tmp_path, *DRAFT) as child:
        assert child.stderr is not None
        assert " of 6 drafted" in child.stderr.readline()
        child.send_signal(signal.SIGINT)
        while "Stopping" not in child.stderr.readline():  # the other of the two may be told before
            assert child.poll() is None
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)  # the endpoint would hang for an hour, the agent wait for minutes
    *before, last = err.splitlines()  # a draft that ended just then may be told before
    assert child.returncode == 1 and out == "" and last.startswith("Interrupted")
    assert len(before) <= 1 and all(" of 6 drafted" in line for line in before)
    server.script([])
    again = bw(*DRAFT)
    assert again.code == 0 and again.json["drafted"] == 6


def test_ctrl_c_during_a_run_keeps_its_traces(bw, server, corpus, tmp_path):
    for item in bw(*DRAFT).json["items"]:
        bw("decide", item["id"], "accept", "--as", "Ada")
    assert bw("freeze", "v1").code == 0
    server.reset()
    server.script([{"from": 2, "fault": "hold"}])
    run = ("run", "v1", "--system", "vanilla", "--agent", "openai:m", "--metrics", "length", "--set", "agent.concurrency=2")
    with started(tmp_path, *run) as child:
        assert child.stderr is not None
        while "1 of 6 answered" not in child.stderr.readline():
            assert child.poll() is None
        child.send_signal(signal.SIGINT)
        while "Stopping" not in child.stderr.readline():
            assert child.poll() is None
        server.script([{"from": 4, "fault": "slow", "seconds": 5}])  # a run hears of it at its next look around
        out, err = child.communicate(timeout=60)
    stopped = json.loads(out)
    assert child.returncode == 1 and stopped["stopped"] == "cancelled" and "Traceback" not in err
    assert 1 <= stopped["answered"] < 6 and stopped["answered"] == server.count()["requests"]
    server.script([])
    again = bw(*run)
    assert again.code == 0 and (again.json["run"], again.json["answered"]) == (stopped["run"], 6)
    assert again.json["reused"] == stopped["answered"] and server.count()["requests"] == 6


def test_progress_that_nobody_reads_does_not_stop_the_work(bw, server, corpus, tmp_path):
    server.script([{"fault": "hold"}])
    with started(tmp_path, *DRAFT) as child:
        assert child.stderr is not None and child.stdout is not None
        child.stderr.close()
        server.script([])
        assert json.loads(child.stdout.read())["drafted"] == 6
    assert child.returncode == 0


def test_one_runner_a_workbench_and_the_same_job_twice_is_one(server, tmp_path):
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.corpus.add([write_corpus(tmp_path / "in")], domain="arts", language="en")
        job = bench.drafts.plan(
            task="explicit_factoid",
            domain="arts",
            count=2,
            agent="openai:m",
            seed=0,
            budget=None,
            settings={"rag_check": False},
        )
        server.script([{"fault": "hold"}])
        runner = jobs.start(bench)
        assert jobs.start(bench) is runner
        running = runner.submit(job)
        assert runner.submit(job) is running and jobs.is_working()
        server.script([])
        assert running.result()["drafted"] == 2
        jobs.stop(bench)
        assert not jobs.is_working() and jobs.start(bench) is not runner
        jobs.stop(bench)


def test_stopping_the_runner_finishes_what_is_in_flight(server, tmp_path):
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.corpus.add([write_corpus(tmp_path / "in")], domain="arts", language="en")
        job = bench.drafts.plan(
            task="explicit_factoid",
            domain="arts",
            count=6,
            agent="openai:m",
            seed=0,
            budget=None,
            settings={"rag_check": False, "agent.concurrency": 2},
        )
        server.script([{"fault": "hold"}])
        running = jobs.start(bench).submit(job)
        until(lambda: server.count()["requests"] == 2)
        stop_in_flight(bench, running, server)
        result = running.result()
        assert result["stopped"] == "cancelled" and result["calls"] == server.count()["requests"]
        assert bench.upkeep.jobs()[0].state == "paused"


@pytest.mark.parametrize("kind", ["draft", "run", "judged run", "run of an HTTP endpoint"])
def test_a_cancelled_job_does_not_wait_for_an_endpoint_that_never_answers(bw, server, corpus, tmp_path, kind):
    address = f"{server.url}/chat/completions"
    asked = {
        "run": RunRequest(release="v1", system="vanilla", agent="openai:m", metrics=["exact_match"]),
        "judged run": RunRequest(release="v1", system="echo", retriever="bm25", metrics=["s_f1"], judges=["openai:m"]),
        "run of an HTTP endpoint": RunRequest(release="v1", system="endpoint", settings={"url": address}, metrics=["length"]),
    }
    if kind != "draft":
        server.script([])
        for item in bw(*DRAFT).json["items"]:
            bw("decide", item["id"], "accept", "--as", "Ada")
        bw("freeze", "v1")
    server.script([{"fault": "hang"}])
    server.reset()
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        drafting = {"task": "explicit_factoid", "domain": "arts", "count": 2, "agent": "openai:m", "seed": 0, "budget": None}
        job = bench.runs.plan(asked[kind]) if kind in asked else bench.drafts.plan(**drafting, settings={"rag_check": False})
        runner = jobs.start(bench)
        running = runner.submit(job)
        until(lambda: server.count()["requests"] >= 1)
        runner.pause(job)
        time.sleep(1.5)
        assert not running.is_over, "a pause waits for what may be paid already"
        began = time.monotonic()
        bench.upkeep.cancel(job)  # as `jobs --cancel` does, which does not reach the runner itself
        assert bench.upkeep.jobs()[0].is_cancelling
        until(lambda: running.is_over, seconds=5)
        assert time.monotonic() - began < 2.5, "a second on a machine that does nothing else"
        [view] = [view for view in bench.upkeep.jobs() if view.id == job]
        assert (view.state, view.is_cancelling) == ("cancelled", False)
        jobs.stop(bench)
    calls = "SELECT count(*) FROM call WHERE job = ? AND kind = 'broken_off'"
    with Database.open(tmp_path / "w.duckdb") as database:
        assert (database.rows(calls, [job])[0][0] > 0) is (kind != "run of an HTTP endpoint"), "the ledger knows of them"
        assert database.rows("SELECT count(*) FROM trace WHERE answer IS NULL") == [(0,)], "nothing failed"
