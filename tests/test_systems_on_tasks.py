"""Every system that asks an agent answers an item of each of the ten tasks, in both languages, through the local endpoint, and
its trace shows its steps. A building that is killed goes on without asking again."""

from collections.abc import Iterator
from typing import Any

import pytest

import jobs
from core.ids import content_hash
from core.nouns import LANGUAGES, Document, Trace
from eval.system import systems
from store import documents, items, run_pages, runs
from store.calls import Ledger
from tests.openai_server import Running, running
from tests.test_ten_tasks import DRAFTED, TEXTS, item
from workbench import Workbench

ASKED = sorted(name for name, system in systems().items() if system.needs_agent)
STEPS = {
    "closed_book": ["call"], "compressed": ["observation", "call"], "graph": ["observation"] * 3 + ["call"],
    "hyde": ["call", "retrieve", "call"], "long_context": ["call", "observation"],
    "memory": ["call", "observation", "retrieve", "observation", "call"], "oracle": ["call"],
    "query_decomposition": ["call", "retrieve", "observation", "call"], "vanilla": ["retrieve", "call"],
}  # fmt: skip
"""Kinds of step in their order; a search may stand several times."""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture(scope="module")
def bench(endpoint: Running) -> Iterator[Workbench]:
    """An item of each task in each language, accepted and frozen, and an endpoint to ask."""
    with pytest.MonkeyPatch.context() as patch, Workbench.open(":memory:") as bench:
        patch.setenv("OPENAI_BASE_URL", endpoint.url)
        patch.setenv("OPENAI_API_KEY", "test-key")
        for language in LANGUAGES:
            made = [
                Document(content_hash(text), text, text[:20], "news", language, licence="CC0-1.0") for text in TEXTS[language]
            ]  # fmt: skip
            documents.add(bench.database, made)
            items.add(bench.database, [item(name, language, made) for name in DRAFTED])
        bench.releases.freeze("v1")
        yield bench
        jobs.stop(bench, seconds=0)


def ran(bench: Workbench, system: str, *, budget: float | None = None, **settings: Any) -> dict[str, Any]:
    job = bench.runs.plan("v1", system=system, agent="openai:test-model", retriever=None, metrics=["length"], judges=[],
                          votes=1, budget=budget, settings=settings, variants=False, repeat=1, sample=None, seed=0)  # fmt: skip
    done: dict[str, Any] = jobs.start(bench).submit(job).result()
    return done


def collapsed(trace: Trace) -> list[str]:
    """Its steps' kinds, a run of searches as one."""
    kinds = [step.kind for step in trace.steps]
    return [kind for place, kind in enumerate(kinds) if kind != "retrieve" or kinds[place - 1 : place] != ["retrieve"]]


def test_no_system_is_left_out() -> None:
    assert set(STEPS) == set(ASKED)


@pytest.mark.parametrize("system", ASKED)
def test_a_system_answers_every_task_it_can_and_its_traces_show_its_steps(bench: Workbench, system: str) -> None:
    done = ran(bench, system)
    traces = runs.traces(bench.database, done["run"])
    assert len(traces) == 2 * len(DRAFTED) and done["stopped"] is None, done["message"]
    failed = {(trace.item, trace.stop) for trace in traces if trace.answer is None}
    assert {stop for _, stop in failed} <= {"no_documents"}, failed
    assert len(failed) <= 4, failed
    ledger = Ledger(bench.database)
    for trace in traces:
        if trace.answer is not None:
            assert collapsed(trace) == STEPS[system], trace.item
            assert all(ledger.get(step.call).completion for step in trace.steps if step.call)
    built = run_pages.building(bench.database, done["run"])
    assert (built is not None) == (systems()[system].build is not None)
    assert built is None or (built["calls"] >= 2 and built["seconds"] > 0)


@pytest.mark.parametrize("system", ["memory", "graph"])
def test_a_building_that_is_cut_short_goes_on_from_the_ledger_and_a_second_run_pays_nothing_for_it(
    bench: Workbench, endpoint: Running, system: str
) -> None:
    own = {"memory": {"memory_chunk_tokens": 20}, "graph": {"chunk_tokens": 20}}[system]
    endpoint.reset()
    endpoint.script([{"from": 6, "fault": "status", "status": 401}])
    first = ran(bench, system, **own)
    assert first["stopped"] == "endpoint" and first["answered"] == 0 and first["failed"] == 0, "no question has failed"
    kept = bench.agents.ledger.calls()
    endpoint.script([])
    second = ran(bench, system, **own)
    assert second["run"] == first["run"] and second["stopped"] is None and second["answered"] > 0
    assert endpoint.count()["asked_again"] == 0 and bench.agents.ledger.calls() > kept
    paid = endpoint.count()["requests"]
    other = ran(bench, system, max_tokens=77, **own)
    building = run_pages.building(bench.database, other["run"])
    assert other["run"] != second["run"] and building is not None
    assert building["calls"] == run_pages.building(bench.database, second["run"])["calls"]  # type: ignore[index]
    asked = sum(trace.calls for trace in runs.traces(bench.database, other["run"]))
    assert endpoint.count()["requests"] - paid <= asked, "only questions were asked, the building was there"
    assert endpoint.count()["asked_again"] == 0
