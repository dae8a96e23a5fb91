"""The list of jobs, for people."""

from dataclasses import replace

from terminal.verbs.upkeep import format_job
from workbench.upkeep.upkeep import JobView

JOB = JobView(
    id="4dab24c033924994",
    kind="run",
    about="Run vanilla over bm25 with offline on v1",
    state="done",
    is_cancelling=False,
    params={"system": "vanilla", "retriever": "bm25", "agent": "offline", "release": "v1"},
    budget=None,
    done=60,
    total=60,
    calls=0,
    reserved_usd=None,
    projected_usd=None,
    seconds=None,
    left_seconds=None,
    cost_usd=None,
    message="",
    created="",
    error=None,
    result={"run": "1509fce2b00e86de"},
    end="",
)


def test_a_run_in_the_list_of_jobs_ends_with_the_id_that_report_takes() -> None:
    assert format_job(JOB).endswith(" with offline on v1: run 1509fce2b00e86de")
    assert format_job(replace(JOB, state="running", result=None)).endswith(" Run vanilla over bm25 with offline on v1")


def test_a_job_that_is_being_cancelled_is_listed_so() -> None:
    line = format_job(replace(JOB, state="running", is_cancelling=True, result=None))
    assert " run    cancelling 60/60" in line
