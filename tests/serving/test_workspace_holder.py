"""Jobs that the end of the app cut short, and those that a person stopped."""

from pathlib import Path

import pytest

import jobs
from tests.openai_server import Running
from tests.orvel import write_corpus
from tests.waiting import stop_in_flight, until
from workbench import Workbench


@pytest.fixture
def bench(tmp_path: Path, server: Running):
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.corpus.add([write_corpus(tmp_path / "in")], domain="arts", language="en")
        yield bench
        jobs.stop(bench)


def plan(bench: Workbench, seed: int = 0) -> str:
    return bench.drafts.plan(
        task="explicit_factoid",
        domain="arts",
        count=6,
        agent="openai:m",
        seed=seed,
        budget=None,
        settings={"rag_check": False, "run_on": False, "agent.concurrency": 1},
    )


def state(bench: Workbench, job: str) -> str:
    return next(row.state for row in bench.upkeep.jobs() if row.id == job)


def test_a_job_that_the_app_cut_short_is_left_for_its_next_start(bench, server):
    server.script([{"fault": "hold"}])
    job = plan(bench)
    running = jobs.start(bench).submit(job)
    until(lambda: server.count()["requests"] >= 1)
    stop_in_flight(bench, running, server, goes_on=True)
    assert running.result()["stopped"] == "cancelled" and state(bench, job) == "queued"
    assert bench.upkeep.list_left_over() == [job]
    jobs.start(bench).submit(job).result()
    assert state(bench, job) == "done" and bench.upkeep.list_left_over() == [] and server.count()["asked_again"] == 0


@pytest.mark.parametrize("by", ["app", "terminal"])
def test_what_a_person_paused_or_a_terminal_began_is_not_left_over(bench, server, by):
    server.script([{"fault": "hold"}])
    job = plan(bench)
    running = jobs.start(bench).submit(job, by=by)
    until(lambda: server.count()["requests"] >= 1)
    if by == "app":
        running.cancel()
    stop_in_flight(bench, running, server, goes_on=True)
    assert state(bench, job) == "paused" and bench.upkeep.list_left_over() == []


def test_who_asks_for_a_job_that_runs_hears_it_too(bench, server):
    server.script([{"from": 2, "fault": "hold"}])
    first: list[str] = []
    second: list[str] = []
    job, runner = plan(bench), jobs.start(bench)
    running = runner.submit(job, first.append)
    until(lambda: first)
    assert runner.submit(job, second.append) is running
    server.script([])
    running.result()
    assert second and second == first[-len(second) :]
