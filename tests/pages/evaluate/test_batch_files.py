"""A run in a batch, as a person meets it: the job waits with both prices, is sent, and goes on from the replies."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import jobs
from agents.saved import SavedAgent
from tests.openai_server import Running
from tests.pages.conftest import Show
from tests.pages.evaluate.test_run import PAGE, press_start, settled, words
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest

REQUEST = RunRequest(release="working", system="closed_book", agent="town", metrics=["token_f1"], sample=3)


@pytest.fixture
def saved(bench: Workbench, server: Running, monkeypatch: pytest.MonkeyPatch) -> Workbench:
    """A workspace with a saved agent of the test endpoint."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    prices = {"price_in": 2.0, "price_out": 10.0}
    bench.agent_list.save(SavedAgent("town", model="test-model", base_url=server.url, settings=prices).record)
    return bench


def wait_for_batch(bench: Workbench) -> str:
    """A job that waits for its batch in a folder of its own."""
    job = bench.runs.plan(REQUEST)
    bench.batches.assign_own_folder(job)
    assert jobs.start(bench).submit(job).result()["stopped"] == "batch"
    return job


def card(show: Show, job: str) -> AppTest:
    return settled(show(PAGE, job=job))


def test_a_run_in_a_batch_waits_with_both_prices_and_goes_on(saved: Workbench, show: Show, server: Running) -> None:
    at = show(PAGE, run_view="Full run")
    at.selectbox(key="run_system").select("closed_book").run()
    at.selectbox(key="run_agent").select("town").run()
    at.multiselect(key="run_metrics").select("token_f1").run()
    at.number_input(key="run_sample").set_value(3).run()
    at.toggle(key="run_batch").set_value(True).run()
    assert settled(at).code[0].value.endswith(" --batch OUT")
    press_start(at, "run_start")
    (row,) = saved.upkeep.jobs()
    jobs.start(saved).submit(row.id).result()
    live = card(show, row.id)
    shown = words(live).replace("\\", "")
    assert "3 requests wait: at most 0.0" in shown and " USD in a batch, 0.0" in shown and "USD asked now." in shown
    assert "requests.jsonl: 3 of 3 requests" in shown and "not sent" in shown and server.count()["requests"] == 0
    live.button(key=f"job_{row.id}_send").click().run()
    assert "batch batch_1, validating" in words(live).replace("\\", "") and live.button(key=f"job_{row.id}_send").disabled
    live.button(key=f"job_{row.id}_collect").click().run()
    assert jobs.start(saved).submit(row.id).result()["answered"] == 3
    assert "Answered 3 of 3" in words(card(show, row.id)) and server.count()["requests"] == 0
    assert Path(saved.batches.list_folders()[0]).parent.name == "w.duckdb.batches"


def test_a_job_that_waits_can_ask_now_instead(saved: Workbench, show: Show, server: Running) -> None:
    job = wait_for_batch(saved)
    live = card(show, job)
    live.button(key=f"job_{job}_collect").click().run()
    assert "has no replies yet" in words(live)
    live.button(key=f"job_{job}_now").click().run()
    assert jobs.start(saved).submit(job).result()["answered"] == 3 and server.count()["requests"] == 3
