"""Workflows as the command line runs them, over the workspace's tables: what a program looked up is the answer, the tables'
snapshot is part of the run, and what is missing is one sentence."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jobs
from agents.offline.workflow import program
from store.engine.database import Database
from store.runs import runs
from tests.conftest import Bench
from tests.openai_server import Running, running
from tests.waiting import until
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest

LOOK_UP = "```python\nfound = searchPerson(name={name!r})\nfound[0]['organization']\n```"


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as one:
        yield one


@pytest.fixture
def person(tmp_path: Path, world: dict[str, str], server: Running, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A person of the sample tables, who is in the workspace beside the release `v1`."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    server.reset()
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.tables.load_samples()
        persons = bench.tables.tables()["persons"]
        names = [persons.cell(place, "name") for place in range(len(persons))]
        return next(persons.record(place) for place, name in enumerate(names) if names.count(name) == 1)


def test_a_program_over_the_tables_answers_and_every_call_stands_in_the_trace(
    bw: Bench, person: dict[str, Any], server: Running, tmp_path: Path
) -> None:
    server.script([{"fault": "text", "text": LOOK_UP.format(name=person["name"])}])
    words = ("run", "v1", "--system", "pal", "--agent", "openai:m", "--set", "environment=tables", "--metrics", "r_eval_f1")
    done = bw(*words).json
    assert (done["answered"], done["failed"], done["stopped"]) == (2, 0, None)
    with Database.open(tmp_path / "w.duckdb") as database:
        traces, config = runs.load_traces(database, done["run"]), runs.get(database, done["run"]).config
    assert {(trace.answer, trace.stop) for trace in traces} == {(person["organization"], "finished")}
    assert [step.kind for step in traces[0].steps] == ["call", "action", "action", "observation", "action"]
    assert person["name"] in traces[0].steps[3].text
    assert set(config["tables"]) >= {"persons", "publications", "companies"} and config["defaults"]["program_seconds"] == 5.0
    assert bw(*words).json["reused"] == 2
    bw("tables", "--remove", "companies")
    assert bw(*words).json["run"] != done["run"], "other tables make another run"


@pytest.mark.parametrize(
    "code",
    [
        "while True:\n    pass",
        "import time\nwhile True:\n    time.sleep(0)",
        "l = (1,)\nfor _ in range(60):\n    l = (l, l)\n{l: 1}",
    ],
    ids=["loops", "sleeps", "gives a key that shares itself"],
)
def test_a_program_without_an_end_holds_no_other_job_and_ends_with_its_own(
    person: dict[str, Any], server: Running, tmp_path: Path, code: str
) -> None:
    server.script([{"fault": "text", "text": f"```python\n{code}\n```"}])
    endless = RunRequest(
        release="v1",
        system="pal",
        agent="openai:m",
        metrics=["r_eval_f1"],
        settings={"environment": "tables", "program_seconds": 6000.0, "max_steps": 10**9},
    )
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        runner = jobs.start(bench)
        try:
            job = bench.runs.plan(endless)
            held = runner.submit(job)
            until(lambda: server.count()["requests"] == 2)
            short = RunRequest(release="v1", system="echo", retriever="bm25", metrics=["token_f1"])
            other = runner.submit(bench.runs.plan(short))
            assert other.result()["answered"] == 2 and not held.future.done()
            runner.pause(job)
            ended = held.result()
            assert (ended["stopped"], ended["answered"], ended["failed"]) == ("cancelled", 0, 0)
            assert server.count()["requests"] == 2 and bench.agents.ledger.sum_spending().calls == 2, "what was paid is kept"
        finally:
            jobs.stop(bench)


def test_a_chain_of_tool_calls_over_the_tables_is_answered(bw: Bench, person: dict[str, Any], server: Running) -> None:
    done = bw("run", "v1", "--system", "function_calling", "--agent", "openai:m", "--set", "environment=tables").json
    assert (done["answered"], done["failed"], done["stopped"]) == (2, 0, None)
    assert server.count()["asked_again"] == 0, "what asks whether there are functions is the first question's first call"


def test_what_a_workflow_lacks_is_one_sentence(bw: Bench, world: dict[str, str]) -> None:
    none = bw("run", "v1", "--system", "react", "--agent", "offline", "--set", "environment=tables")
    assert none.code == 1 and "nor the workspace has a table" in none.sentence
    assert "--set environment=documents" in none.sentence, "what to do"
    assert bw("jobs").json == [], "it is said before anything is stored"
    wrong = bw("run", "v1", "--system", "react", "--agent", "offline", "--set", "environment=oracle")
    assert wrong.code == 1 and "oracle" in wrong.sentence and "documents" in wrong.sentence
    tools = bw("run", "v1", "--system", "function_calling", "--agent", "offline")
    assert tools.code == 1 and "unsupported" in tools.sentence and "tool calls" in tools.sentence


def test_without_a_key_react_reads_documents_and_is_labelled(bw: Bench, world: dict[str, str]) -> None:
    done = bw("run", "v1", "--system", "react", "--agent", "offline", "--metrics", "r_eval_f1,token_f1").json
    assert (done["answered"], done["failed"], done["offline"]) == (2, 0, ["answer"])


def test_without_a_key_a_program_finds_the_column_that_a_question_speaks_of(person: dict[str, Any], tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        offered = bench.tables.registry(bench.tables.tables()).as_prompt()
    code = program(offered, f"At which organization does {person['name']} work?", "en")
    assert f'searchPerson(name="{person["name"]}")' in code and "row.get('organization')" in code
