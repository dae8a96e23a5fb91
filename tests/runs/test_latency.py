"""What seconds of a run mean: a limit for each question, a run under load and a latency probe told apart, and the wait for a
place and failed attempts beside the service time, down to the report."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.engine.database import Database
from store.ledger.calls import Ledger
from store.runs import runs
from tests.conftest import Bench
from tests.openai_server import Running, running

RUN = ("run", "v1", "--system", "vanilla", "--agent", "openai:m", "--metrics", "exact_match,seconds")


@pytest.fixture(scope="module")
def one_server() -> Iterator[Running]:
    with running(latency=0.05) as server:
        yield server


@pytest.fixture
def server(one_server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setenv("OPENAI_BASE_URL", one_server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    one_server.script([])
    one_server.reset()
    return one_server


def test_a_question_past_its_limit_has_failed_and_the_limit_is_part_of_the_run(
    bw: Bench, world: dict[str, str], server: Running
) -> None:
    plain = bw(*RUN).json  # the first run of a process takes seconds for what it imports
    server.script([{"contains": "did the mill of Orvel burn", "fault": "slow", "seconds": 9}])
    limited = bw(*RUN, "--set", "item_timeout=6", "--set", "seed=3").json
    server.script([])
    unlimited = bw(*RUN, "--set", "seed=3").json
    assert len({plain["run"], limited["run"], unlimited["run"]}) == 3, "only what is set is part of an identity"
    assert (limited["answered"], limited["failed"]) == (1, 1) and (unlimited["answered"], unlimited["failed"]) == (2, 0)
    report = bw("report", limited["run"], "--format", "json").json
    assert report["runs"][0]["failures"] == {"timeout": 1}
    assert bw(*RUN, "--set", "timeout=5").code == 1, "one limit, one name"


def test_a_probe_asks_anew_one_at_a_time_and_says_so(bw: Bench, world: dict[str, str], server: Running) -> None:
    loaded = bw(*RUN, "--set", "concurrency=2").json
    before = server.count()["requests"]
    probe = bw(*RUN, "--set", "mode=probe", "--sample", "2").json
    assert server.count()["requests"] == before + 2, "nothing of a probe comes from the ledger"
    assert server.count()["asked_again"] == 2 and probe["run"] != loaded["run"]
    again = bw(*RUN, "--set", "mode=probe", "--sample", "2").json
    assert again["run"] == probe["run"] and server.count()["requests"] == before + 2
    wider = bw(*RUN, "--set", "mode=probe", "--set", "concurrency=2", "--sample", "2").json
    assert wider["run"] != probe["run"], "a probe at another load is another probe"
    found = {run["run"]: run["latency"] for run in bw("report", loaded["run"], probe["run"], "--format", "json").json["runs"]}
    assert (found[loaded["run"]]["mode"], found[loaded["run"]]["measured"]) == ("throughput", "under load, window 2")
    assert (found[probe["run"]]["mode"], found[probe["run"]]["measured"]) == ("probe", "probe, 1 at once")
    assert found[probe["run"]]["n"] == 2 and found[probe["run"]]["mean"] >= 0.05
    assert bw(*RUN, "--set", "mode=slow").code == 1
    assert bw(*RUN, "--set", "mode=throughput").json["run"] == bw(*RUN).json["run"], "the usual mode is not a setting"


def test_failed_attempts_and_the_queue_stand_beside_the_service_time(
    bw: Bench, world: dict[str, str], server: Running, tmp_path: Path
) -> None:
    server.script([{"requests": [1], "fault": "status", "status": 500}])
    done = bw(*RUN, "--set", "agent.concurrency=1", "--set", "concurrency=2").json
    latency = bw("report", done["run"], "--format", "json").json["runs"][0]["latency"]
    assert latency["retrying"] > 0 and latency["queued"] > 0
    with Database.open(tmp_path / "w.duckdb") as database:
        traces = runs.load_traces(database, done["run"])
        calls = [Ledger(database).get(step.call).completion for trace in traces for step in trace.steps if step.call]
    assert sorted(trace.retrying > 0 for trace in traces) == [False, True]
    assert latency["mean"] == pytest.approx(sum(trace.seconds for trace in traces) / 2), "neither is part of it"
    assert sum(call.retrying for call in calls) == pytest.approx(sum(trace.retrying for trace in traces))
    assert sum(call.waited for call in calls) == pytest.approx(sum(t.queued + t.retrying for t in traces))
