"""Runs of systems that decide themselves whether to search, as the command line makes them: their hops in the stored traces,
their thresholds in the stored run, and one sentence where the agent cannot do what they need."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.nouns import Trace
from eval.workflows.hops import is_extracted, list_hops
from store.engine.database import Database
from store.runs import runs
from tests.conftest import Bench
from tests.eval.tiny_llama import tiny_llama
from tests.eval.trace_reading import count_searches, find_raw_output
from tests.openai_server import Running, running


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as one:
        yield one


def stored(tmp_path: Path, run: str) -> list[Trace]:
    with Database.open(tmp_path / "w.duckdb") as database:
        return runs.load_traces(database, run)


def config(tmp_path: Path, run: str) -> Any:
    with Database.open(tmp_path / "w.duckdb") as database:
        return runs.get(database, run).config


def test_searches_and_calls_are_counted_from_the_traces(bw: Bench, world: dict[str, str], tmp_path: Path) -> None:
    found = {}
    for system in ("closed_book", "vanilla", "search_o1"):
        done = bw("run", "v1", "--system", system, "--agent", "offline", "--metrics", "in_accuracy").json
        assert done["answered"] == 2 and done["offline"] == ["answer"] and done["stopped"] is None
        found[system] = {trace.item: trace for trace in stored(tmp_path, done["run"])}
    counts = {system: {(count_searches(trace), trace.calls) for trace in traces.values()} for system, traces in found.items()}
    assert counts == {"closed_book": {(0, 1)}, "vanilla": {(1, 1)}, "search_o1": {(1, 3)}}
    mill = found["search_o1"][world["1902"]]
    (hop,) = list_hops(mill)
    assert hop.query == "mill orvel burn" and len(hop.spans) == len(hop.scores) == 2 and hop.scores[0] > hop.scores[1]
    assert mill.answer == "1902" and is_extracted(mill) and "\\boxed{1902}" in (find_raw_output(mill) or "")
    assert mill.retrieved == hop.spans


def test_limits_and_thresholds_stand_in_the_run_and_change_what_it_is(bw: Bench, world: dict[str, str], tmp_path: Path) -> None:
    words = ("run", "v1", "--system", "search_o1", "--agent", "offline")
    one, same = bw(*words).json, bw(*words).json
    other = bw(*words, "--set", "searches=3", "--set", "max_turns=5").json
    assert one["run"] == same["run"] != other["run"] and same["reused"] == 2
    told = config(tmp_path, other["run"])
    assert told["settings"] == {"searches": 3, "max_turns": 5} and told["defaults"]["top_k"] == 10
    assert {name.partition("@")[0] for name in told["prompts"]} >= {"workflow/search_loop.en", "workflow/search_findings.en"}
    said = bw(*words, "--set", "max_turns=4")
    assert said.code == 1 and "max_turns is 4, and 5 searches need at least 7" in said.sentence


@pytest.mark.parametrize(("system", "needs"), [("flare", "the probabilities of tokens"), ("dragin", "attention weights")])
@pytest.mark.parametrize("agent", ["offline", "recorded"])
def test_an_agent_that_never_gives_what_a_system_needs_is_said_before_a_run_begins(
    bw: Bench, world: dict[str, str], system: str, needs: str, agent: str
) -> None:
    said = bw("run", "v1", "--system", system, "--agent", agent)
    assert said.code == 1 and needs in said.sentence and f"the agent {agent} does not return" in said.sentence
    assert "unsupported: " in said.sentence and bw("jobs").json == []


def test_an_endpoint_without_probabilities_is_asked_for_one_token_and_no_question(
    bw: Bench, world: dict[str, str], server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    server.reset()
    server.script([{"no_logprobs": True}])
    words = ("run", "v1", "--system", "flare", "--agent", "openai:test-model")
    said = bw(*words)
    assert said.code == 1 and said.sentence.startswith("unsupported: flare needs"), said.err
    assert server.count()["requests"] == 1 and server.last()["max_tokens"] == 1
    assert bw(*words).code == 1 and server.count()["requests"] == 2, "it is asked anew: it may have been set up since"
    server.script([])
    assert bw(*words).json["answered"] == 2


def test_flare_over_an_endpoint_keeps_every_hop(
    bw: Bench, world: dict[str, str], server: Running, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    server.reset()
    sure = {"contains": "The mill of Orvel burnt", "fault": "text", "text": "So the answer is 1902.", "unsure": {}}
    server.script([sure, {"fault": "text", "text": "It burnt in 1899.", "unsure": {"1899": 0.1}}])
    done = bw("run", "v1", "--system", "flare", "--agent", "openai:test-model").json
    traces = stored(tmp_path, done["run"])
    assert {(trace.answer, len(list_hops(trace)), trace.calls) for trace in traces} == {("1902", 1, 2)}
    assert all(
        list_hops(trace)[0].trigger["token"] == " 1899." and list_hops(trace)[0].query == "It burnt in" for trace in traces
    )
    asked = server.count()["requests"]
    assert asked == 5, "one probe, two calls for each of two questions"
    assert bw("run", "v1", "--system", "flare", "--agent", "openai:test-model").json["reused"] == 2
    assert server.count()["requests"] == asked


def test_dragin_runs_on_a_local_model_folder(bw: Bench, world: dict[str, str], tmp_path: Path) -> None:
    folder = tiny_llama(tmp_path / "llama", seed=8)
    settings = ("theta=0.5", "look_ahead=12", "max_steps=2", f"query_loss.model={folder}")
    words = (
        "--system",
        "dragin",
        "--agent",
        f"huggingface:{folder}",
        "--set",
        "agent.template=plain",
        "--metrics",
        "query_loss",
    )
    done = bw("run", "v1", *words, *(word for setting in settings for word in ("--set", setting))).json
    traces = stored(tmp_path, done["run"])
    assert done["answered"] == 2 and all(trace.steps[-1].kind == "output" for trace in traces)
    assert any(list_hops(trace) and list_hops(trace)[0].trigger["threshold"] == 0.5 for trace in traces)
    cells = bw("report", done["run"]).json["runs"][0]["cells"]
    assert next(cell["mean"] for cell in cells if cell["metric"] == "query_loss") > 0
