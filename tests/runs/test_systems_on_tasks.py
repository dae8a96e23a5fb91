"""Every system answers an item of each of the eleven tasks, in both languages, through the local endpoint, with each retriever
that it can search with, and without a model; its trace shows its steps, and an endpoint that stumbles changes none of them. A
building that is killed goes on without asking again."""

from collections.abc import Iterator
from typing import Any

import pytest

import jobs
from core.ids import content_hash
from core.nouns import Document, Trace
from core.text.language import FULL_LANGUAGES
from eval.retriever import retrievers
from eval.system import systems
from store.corpus import documents
from store.items import items
from store.ledger.calls import Ledger
from store.runs import run_pages, runs
from tests.eval.tiny_model import tiny_cross_encoder
from tests.openai_server import Running, running
from tests.runs.test_every_task import DRAFTED, TEXTS, item
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest

ASKED = sorted(name for name, system in systems().items() if system.needs_agent and system.capability != "attention")
KEYLESS = sorted(name for name in ASKED if systems()[name].capability is None)
STEPS = {
    **{key: ["call", "action", "observation", "call", "action"] for key in ("dfsdt", "function_calling")},
    "pal": ["call", "action", "action", "observation", "action"],
    "react": ["call", "thought", "action", "observation", "call", "thought", "action"],
    "closed_book": ["call"],
    "compressed": ["observation", "call"],
    "flare": ["call", "query", "retrieve", "call", "output"],
    "search_o1": ["call", "query", "retrieve", "call", "call", "output"],
    "graph": ["observation"] * 3 + ["call"],
    "hyde": ["call", "retrieve", "call"],
    "long_context": ["call", "observation"],
    "memory": ["call", "observation", "retrieve", "observation", "call"],
    "oracle": ["call"],
    "query_decomposition": ["call", "retrieve", "observation", "call"],
    "vanilla": ["retrieve", "call"],
}
"""Kinds of step in their order; a search may stand several times."""
OUTSIDE = {"endpoint", "program", "recorded", "dragin"}
"""Systems that ask no agent of ours and search nothing of ours, or look into a local model; tests of their own."""
SEARCHING = {
    "closed_book": False,
    "compressed": True,
    **dict.fromkeys(("dfsdt", "function_calling", "pal", "react"), False),
    "echo": True,
    "flare": True,
    "graph": False,
    "hyde": True,
    "long_context": False,
    "memory": True,
    "oracle": False,
    "query_decomposition": True,
    "search_o1": True,
    "vanilla": True,
}
ON_SERVERS = {"opensearch", "pgvector"}
"""Retrievers that need a server, with which tests/eval/retrievers/test_engines.py searches."""
EMBEDDED = {"lancedb", "qdrant"}
"""Retrievers on engines beside the workspace, which keep no vectors that are fitted on each corpus anew."""
FAULTS = [
    {"requests": [2], "fault": "status", "status": 429, "retry_after": 0.1},
    {"requests": [5], "fault": "status", "status": 500},
    {"requests": [8], "fault": "hang"},
    {"requests": [11], "fault": "cut"},
    {"requests": [13], "fault": "drop"},
]


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
        for language in FULL_LANGUAGES:
            made = [
                Document(content_hash(text), text, text[:20], "news", language, licence="CC0-1.0") for text in TEXTS[language]
            ]
            documents.add(bench.database, made)
            items.add(bench.database, [item(name, language, made) for name in DRAFTED])
        bench.releases.freeze("v1")
        yield bench
        jobs.stop(bench, seconds=0)


@pytest.fixture(scope="module")
def reranker(tmp_path_factory: pytest.TempPathFactory) -> str:
    texts = [*TEXTS["en"], *TEXTS["zh"]]
    return str(tiny_cross_encoder(tmp_path_factory.mktemp("cross") / "model", texts))


def ran(
    bench: Workbench, system: str, retriever: str | None = None, agent: str | None = "openai:test-model", **settings: Any
) -> dict[str, Any]:
    job = bench.runs.plan(
        RunRequest(release="v1", system=system, agent=agent, retriever=retriever, metrics=["length"], settings=settings)
    )
    done: dict[str, Any] = jobs.start(bench).submit(job).result()
    return done


def collapsed(trace: Trace) -> list[str]:
    """Its steps' kinds, a run of searches as one."""
    kinds = [step.kind for step in trace.steps]
    return [kind for place, kind in enumerate(kinds) if kind != "retrieve" or kinds[place - 1 : place] != ["retrieve"]]


def test_no_system_is_left_out() -> None:
    assert set(STEPS) == set(ASKED) and set(SEARCHING) | OUTSIDE == set(systems())


@pytest.mark.parametrize("system", ASKED)
def test_a_system_answers_every_task_it_can_and_its_traces_show_its_steps(bench: Workbench, system: str) -> None:
    done = ran(bench, system)
    traces = runs.load_traces(bench.database, done["run"])
    assert len(traces) == 2 * len(DRAFTED) and done["stopped"] is None, done["message"]
    failed = {(trace.item, trace.stop) for trace in traces if trace.answer is None}
    assert {stop for _, stop in failed} <= {"no_documents"}, failed
    assert len(failed) <= 4, failed
    ledger = Ledger(bench.database)
    for trace in traces:
        if trace.answer is not None:
            assert collapsed(trace) == STEPS[system], f"{trace.item} {[(s.kind, s.text[:150]) for s in trace.steps]}"
            assert all(ledger.get(step.call).completion for step in trace.steps if step.call)
    built = run_pages.load_building_cost(bench.database, done["run"])
    assert (built is not None) == (systems()[system].build is not None)
    assert built is None or (built["calls"] >= 2 and built["seconds"] > 0)


@pytest.mark.parametrize("retriever", sorted(retrievers().keys() - ON_SERVERS))
@pytest.mark.parametrize("system", sorted(name for name, searches in SEARCHING.items() if searches))
def test_a_system_searches_with_every_retriever(
    bench: Workbench, endpoint: Running, reranker: str, system: str, retriever: str
) -> None:
    """Both languages, by vectors that know both."""
    model = "openai:test-embedding" if retriever in EMBEDDED else "lexical_vectors"
    own = {"embedding_model": model, "reranker": reranker} if retriever != "bm25" else {}
    known = {*retrievers()[retriever].settings, *systems()[system].settings}
    endpoint.script([])
    agent = "openai:test-model" if systems()[system].needs_agent else None
    done = ran(bench, system, retriever, agent, top_k=2, **{name: value for name, value in own.items() if name in known})
    traces = runs.load_traces(bench.database, done["run"])
    assert len(traces) == 2 * len(DRAFTED) and done["stopped"] is None and done["not_run"] == [], done["message"]
    assert {trace.stop for trace in traces} == {"answered"}
    for trace in traces:
        searches = [step for step in trace.steps if step.kind == "retrieve"]
        assert searches and all(step.text for step in searches), trace.item
        found = {span for step in searches for span in step.spans}
        assert set(trace.retrieved or ()) <= found, "what it answered from was found by a search of the trace"
        assert {span.document for span in found} <= {content_hash(text) for texts in TEXTS.values() for text in texts}
    assert any(trace.retrieved for trace in traces)


@pytest.mark.parametrize("system", ASKED)
def test_an_endpoint_that_stumbles_changes_no_answer(bench: Workbench, endpoint: Running, system: str) -> None:
    """429, 500, a hang, a reply that breaks off, a connection that drops: each is asked again. Seeds that no other run has,
    since the ledger answers what was asked before."""
    own = 10 * (1 + ASKED.index(system))
    endpoint.script([])
    calm = {t.item: t for t in runs.load_traces(bench.database, ran(bench, system, seed=own)["run"])}
    endpoint.reset()
    endpoint.script(FAULTS)
    done = ran(bench, system, seed=own + 1, **{"agent.timeout": 1.5})
    said = endpoint.count()["by_status"]
    endpoint.script([])
    stumbled = {t.item: t for t in runs.load_traces(bench.database, done["run"])}
    assert done["stopped"] is None and {"429", "500", "hang", "cut", "drop"} <= set(said), said
    assert {name: t.stop for name, t in stumbled.items()} == {name: t.stop for name, t in calm.items()}
    assert {name: collapsed(t) for name, t in stumbled.items()} == {name: collapsed(t) for name, t in calm.items()}


@pytest.mark.parametrize("system", KEYLESS)
def test_without_a_key_the_offline_agent_answers_for_every_system_and_is_labelled(bench: Workbench, system: str) -> None:
    done = ran(bench, system, agent="offline")
    traces = runs.load_traces(bench.database, done["run"])
    assert done["offline"] == ["answer"] and done["cost_usd"] == 0.0 and done["stopped"] is None
    assert {trace.stop for trace in traces} <= {"answered", "finished", "no_documents"}, {trace.error for trace in traces}
    answered = [trace for trace in traces if trace.answer is not None]
    assert len(answered) >= 2 * len(DRAFTED) - 4
    wanted = STEPS[system]
    for kinds in map(collapsed, answered):  # without an LLM react opens a page by a name, then by a title like it
        assert kinds == wanted or (system == "react" and (kinds[:4], kinds[-3:]) == (wanted[:4], wanted[-3:])), kinds


@pytest.mark.parametrize("system", ["memory", "graph"])
def test_a_building_that_is_cut_short_goes_on_from_the_ledger_and_a_second_run_pays_nothing_for_it(
    bench: Workbench, endpoint: Running, system: str
) -> None:
    own = {"memory": {"memory_chunk_tokens": 20}, "graph": {"chunk_tokens": 20}}[system]
    endpoint.reset()
    endpoint.script([{"from": 6, "fault": "status", "status": 401}])
    first = ran(bench, system, **own)
    assert first["stopped"] == "endpoint" and first["answered"] == 0 and first["failed"] == 0, "no question has failed"
    kept = bench.agents.ledger.sum_spending().calls
    endpoint.script([])
    second = ran(bench, system, **own)
    assert second["run"] == first["run"] and second["stopped"] is None and second["answered"] > 0
    assert endpoint.count()["asked_again"] == 0 and bench.agents.ledger.sum_spending().calls > kept
    paid = endpoint.count()["requests"]
    other = ran(bench, system, max_tokens=77, **own)
    building = run_pages.load_building_cost(bench.database, other["run"])
    assert other["run"] != second["run"] and building is not None
    assert building["calls"] == run_pages.load_building_cost(bench.database, second["run"])["calls"]  # type: ignore[index]
    asked = sum(trace.calls for trace in runs.load_traces(bench.database, other["run"]))
    assert endpoint.count()["requests"] - paid <= asked, "only questions were asked, the building was there"
    assert endpoint.count()["asked_again"] == 0
