"""Runs over an endpoint whose model thinks or takes less than is asked: figures are those of the replies without thoughts, and
what was not taken stands at each of them."""

import json
from pathlib import Path

import pytest

from store.engine.database import Database
from store.runs import runs
from tests.conftest import Bench
from tests.openai_server import Running

RUN = ("run", "v1", "--system", "vanilla", "--metrics", "token_f1,context_recall")
TEMPERATURE = "temperature 0 requested, but not adjustable on this model"


@pytest.fixture
def server(server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return server


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("endpoint", ["llama_cpp", "deepseek", "mistral"])
def test_scores_are_those_of_the_same_replies_without_thoughts(
    bw: Bench, server: Running, tmp_path: Path, endpoint: str
) -> None:
    means = []
    for model, acts_as in (("plain", ""), ("thinking", endpoint)):
        server.script([{"as": acts_as}] if acts_as else [])
        done = bw(*RUN, "--agent", f"openai:{model}", "--judge", f"openai:{model}").json
        assert (done["answered"], done["failed"]) == (2, 0), done
        (run,) = bw("report", done["run"]).json["runs"]
        means.append({cell["metric"].replace(model, ""): (cell["mean"], cell["n"]) for cell in run["cells"]})
        with Database.open(tmp_path / "w.duckdb") as database:
            answers = [trace.answer or "" for trace in runs.load_traces(database, done["run"])]
            thoughts = [bool(thought) for (thought,) in database.rows("SELECT thinking FROM call WHERE agent LIKE '%thinking'")]
        assert not any("think" in answer or "score" in answer for answer in answers)
    assert means[0] == means[1] and all(thoughts) and thoughts


@pytest.mark.usefixtures("world")
def test_what_is_not_taken_stands_at_the_figures_and_is_learned_once(bw: Bench, server: Running, tmp_path: Path) -> None:
    server.script([{"as": "openai_reasoning"}])
    done = bw(*RUN, "--agent", "openai:m", "--judge", "openai:m").json
    refused = server.count()["by_status"]["refused"]
    (run,) = bw("report", done["run"]).json["runs"]
    assert run["not_taken"] == [TEMPERATURE, f"of a judge, {TEMPERATURE}"]
    assert (run["latency"]["tokens_thinking"], run["latency"]["tokens_out"] > 64) == (64, True)
    tables = bw("report", done["run"], json_too=False).out.split("\n\n")
    assert all(f"{TEMPERATURE}." in table for table in tables if table.startswith(("Scores", "Averages")))
    with Database.open(tmp_path / "w.duckdb") as database:
        assert {trace.not_taken for trace in runs.load_traces(database, done["run"])} == {(TEMPERATURE,)}
        [(endpoint, profile)] = database.rows("SELECT endpoint, profile FROM profile")
        known = {"token_limit": "max_completion_tokens", "temperature": False, "thinking": "hidden"}
        assert endpoint == server.url and known.items() <= json.loads(profile).items()
    again = bw(*RUN, "--agent", "openai:m", "--judge", "openai:m", "--set", "top_k=3").json
    assert again["answered"] == 2 and server.count()["by_status"]["refused"] == refused, "another process knows it too"


@pytest.mark.usefixtures("world")
def test_the_estimate_counts_room_for_thinking_at_its_upper_end(bw: Bench, server: Running) -> None:
    priced = ("--set", "agent.price_in=1", "--set", "agent.price_out=1")
    server.script([{"as": "llama_cpp"}])
    first = bw("run", "v1", "--system", "closed_book", "--agent", "openai:m", *priced, json_too=False)
    assert first.code == 0 and "thinks" not in first.err + first.out
    later = bw("run", "v1", "--system", "vanilla", "--agent", "openai:m", *priced, json_too=False)
    assert (
        "openai:m is a thinking model: the upper estimate counts 4,096 tokens of thinking with every reply."
        in later.err + later.out
    )


@pytest.mark.usefixtures("world")
def test_a_judge_has_a_limit_of_its_own(bw: Bench, server: Running) -> None:
    words = (*RUN, "--agent", "offline", "--judge", "openai:m")
    assert bw(*words).code == 0 and server.last()["max_tokens"] == 1536
    assert bw(*words, "--set", "top_k=2", "--set", "judge.max_tokens=77").code == 0 and server.last()["max_tokens"] == 77
    extra = '{"chat_template_kwargs": {"enable_thinking": false}}'
    assert bw(*words, "--set", "top_k=3", "--set", f"judge.extra={extra}", "--set", "judge.reasoning=low").code == 0
    last = server.last()
    assert last["chat_template_kwargs"] == {"enable_thinking": False} and last["reasoning_effort"] == "low"
    said = bw(*words, "--set", "judge.reasoning=much")
    assert said.code == 1 and "reasoning is 'much': write one of default, none, minimal" in said.sentence
