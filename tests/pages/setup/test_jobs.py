"""The jobs page and the card of a job: live, and worked from any session."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import jobs
from pages.parts.ui.job_card import describe_outlook
from tests.pages.conftest import Show
from workbench import Workbench
from workbench.control import Control
from workbench.upkeep.job_words import describe_end
from workbench.upkeep.upkeep import project_rest, project_total

ASKED: dict[str, Any] = {"task": "explicit_factoid", "domain": "law", "count": 4, "agent": "offline", "seed": 1, "settings": {}}


class Slow:
    """A job's body that does one piece each time the test says so, and hears a stop between pieces."""

    def __init__(self, bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bench, self.go, self.at_work = bench, threading.Semaphore(0), threading.Event()
        monkeypatch.setattr(bench, "find_job_body", lambda kind: self.work)

    async def work(self, job: str, control: Control) -> dict[str, Any]:
        self.at_work.set()
        count = 0
        while count < 4 and not control.look():
            await asyncio.to_thread(self.go.acquire)
            count += 1
            control.say(f"{count} of 4 drafted")
        self.at_work.clear()
        return {"drafted": count, "message": f"asked 4, drafted {count}.", "stopped": "cancelled" if count < 4 else None}

    def start(self) -> jobs.RunningJob:
        job = self.bench.drafts.plan(budget=None, **ASKED)
        running = jobs.start(self.bench).submit(job)
        assert self.at_work.wait(10)
        return running


@pytest.fixture
def slow(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    made = Slow(bench, monkeypatch)
    yield made
    made.go.release(50)


def test_a_job_is_paused_in_one_session_and_goes_on_from_another(slow: Slow, show: Show) -> None:
    running = slow.start()
    here, there = show("setup/jobs"), show("setup/jobs", person="Bo")
    assert not here.button(f"job_{running.job}_pause").disabled
    here.button(f"job_{running.job}_pause").click().run()
    assert here.button(f"job_{running.job}_pause").disabled, "its call in flight is being finished"
    slow.go.release()
    assert running.result()["stopped"] == "cancelled"
    assert slow.bench.upkeep.job(running.job).state == "paused"
    there.query_params["job"] = running.job
    there.run()
    there.button(f"job_{running.job}_resume").click().run()
    slow.go.release(10)
    again = jobs.start(slow.bench).submit(running.job)
    assert again.result()["drafted"] == 4 and slow.bench.upkeep.job(running.job).state == "done"
    assert not there.exception and not here.exception


def test_cancel_asks_once_and_is_final(slow: Slow, show: Show) -> None:
    running = slow.start()
    at = show("setup/jobs")
    at.button(f"job_{running.job}_cancel").click().run()
    assert not slow.bench.upkeep.is_cancelled(running.job), "it asks first"
    at.button(f"job_{running.job}_no").click().run()
    at.button(f"job_{running.job}_cancel").click().run()
    at.button(f"job_{running.job}_yes").click().run()
    slow.go.release()
    running.result()
    assert slow.bench.upkeep.job(running.job).state == "cancelled"
    later = show("setup/jobs", job=running.job)
    assert not [b for b in later.button if (b.key or "").endswith(("_resume", "_cancel", "_pause"))]


def test_the_card_says_how_far_a_job_is_while_it_goes(slow: Slow, show: Show) -> None:
    running = slow.start()
    at = show("setup/jobs")
    slow.go.release()
    while not slow.bench.upkeep.job(running.job).message:
        pass
    at.run()
    assert any("1 of 4 drafted" in c.value for c in at.caption)
    assert slow.bench.upkeep.job(running.job).message == "1 of 4 drafted"


def test_a_press_that_comes_too_late_is_a_sentence(bench: Workbench, show: Show) -> None:
    job = bench.drafts.plan(budget=None, **ASKED)
    at = show("setup/jobs", job=job)
    jobs.start(bench).submit(job).result()
    at.button(f"job_{job}_resume").click().run()
    assert not at.exception and any("can be resumed" in e.value for e in at.error)


def test_the_page_lists_filters_and_counts(bench: Workbench, show: Show) -> None:
    job = bench.drafts.plan(budget=None, **ASKED)
    jobs.start(bench).submit(job).result()
    bench.drafts.plan(budget=None, **(ASKED | {"domain": "tech"}))
    at = show("setup/jobs")
    table = at.dataframe[0].value
    assert list(table["State"]) == ["Waiting", "Done"] and list(table["Done"]) == [0, 4]
    assert table["Took"][0] == "–" and table["Cost"][0] == "–", "what never began has no time and no cost, not a zero"
    assert at.dataframe[1].value["Agent"].tolist() == ["offline"]


def test_a_job_stopped_by_its_budget_takes_a_higher_one(bench: Workbench, show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    job = bench.drafts.plan(budget=0.5, **ASKED)
    bench.upkeep.begin(job, "app")
    bench.upkeep.end(job, {"stopped": "budget", "drafted": 1, "message": "asked 4, drafted 1. Stopped (budget)."})
    at = show("setup/jobs", job=job)
    assert any("Stopped" in w.value for w in at.warning)
    at.number_input(f"job_{job}_budget").set_value(2.0)
    at.button(f"job_{job}_raise").click().run()
    jobs.start(bench).submit(job).result()
    found = bench.upkeep.job(job)
    assert (found.budget, found.state, found.done) == (2.0, "done", 4)


def test_a_sentence_that_begins_with_an_agent_keeps_its_name() -> None:
    assert describe_end("endpoint", None, "openai:m answered 401.") == "openai:m answered 401."
    assert describe_end("failed", None, "nothing was done.") == "Nothing was done."


@pytest.mark.parametrize("stopped", ["budget", "endpoint", "cancelled"])
def test_a_cancel_holds_however_the_job_came_to_its_end(bench: Workbench, stopped: str) -> None:
    job = bench.drafts.plan(**ASKED, budget=None)
    bench.upkeep.begin(job, "test")
    bench.upkeep.cancel(job)
    bench.upkeep.end(job, {"stopped": stopped})
    assert bench.upkeep.job(job).state == "cancelled"


def test_a_job_on_its_way_says_what_it_reserved_and_what_it_will_come_to(slow: Slow) -> None:
    row = replace(slow.bench.upkeep.job(slow.start().job), reserved_usd=0.02, projected_usd=1.5, left_seconds=90.0, done=12)
    assert describe_outlook(row) == (
        "0.0200 USD reserved for calls under way · about 1.50 USD in all · about 1 min 30 s left, going by the first 12"
    )
    assert describe_outlook(replace(row, reserved_usd=None, projected_usd=None, left_seconds=None)) == ""
    assert (project_total(0.5, 10, 40), project_rest(30.0, 10, 40)) == (2.0, 90.0)
    assert (
        project_total(None, 10, 40)
        is project_total(0.5, 0, 40)
        is project_total(0.5, 40, 40)
        is project_total(0.5, 3, None)
        is None
    )


def test_the_card_tells_the_money_that_calls_under_way_can_cost(slow: Slow) -> None:
    running = slow.start()
    budget = slow.bench.agents.budget(2.0, running.job)
    budget.reserve(0.25)
    assert slow.bench.upkeep.job(running.job).reserved_usd == 0.25
    budget.settle(0.25, 0.1)
    assert slow.bench.upkeep.job(running.job).reserved_usd == 0.0
    del budget
    assert slow.bench.upkeep.job(running.job).reserved_usd is None, "nothing of it is at work here"
