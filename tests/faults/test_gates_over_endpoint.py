"""A job of gates over an endpoint: what it finds is stored and stands in the item's flags, a budget stops it at the cap, it
goes on from there, and nothing is paid twice by the server's own count. Each gate's table is put to the same server in
tests/builders/test_llm_gates.py."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from core.nouns import Document, Item, Span
from store.corpus import documents
from store.items import items
from store.items.finding import ItemSearch
from store.items.verdicts import load_verdicts
from store.jobs import jobs as stored_jobs
from store.queue.kind import ItemKind
from store.reviews.state import list_differences
from tests.builders.asked_drafts import FACTS, Fact
from tests.openai_server import Running
from workbench import Workbench
from workbench.annotate.finding.bulk import AllFound
from workbench.annotate.finding.finding import SimilarityQuery
from workbench.build.gating.gating import GateRequest

PRICES = {"price_in": 100.0, "price_out": 1000.0, "concurrency": 1}
EVERY = AllFound(ItemSearch(order="oldest"), SimilarityQuery())


@pytest.fixture
def server(server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    return server


def stock(bench: Workbench, language: str) -> list[Item]:
    """Ten drafts on ten documents."""
    made = []
    for place, fact in enumerate(FACTS[language]):
        text = " ".join(fact.evidence)
        document = Document(f"b2:{language}{place}", text, f"T{place}", "arts", language, licence="CC0-1.0")
        documents.add(bench.database, [document])
        spans = [span_of(document, words) for words in fact.evidence]
        made.append(
            Item(
                f"{language}{place}",
                "explicit_factoid",
                fact.question,
                (fact.answer,),
                tuple(spans),
                1,
                "arts",
                language,
                given=(document.id,),
            )
        )
    items.add(bench.database, made)
    return made


def span_of(document: Document, words: str) -> Span:
    start = document.text.index(words)
    return Span(document.id, start, start + len(words))


def saved(bench: Workbench) -> str:
    return bench.agent_list.save({"name": "judge", "model": "m", **PRICES})


def known(fact: Fact) -> list[dict[str, object]]:
    return [{"contains": fact.question, "fault": "text", "text": fact.answer}]


@pytest.fixture(params=["en", "zh"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as opened:
        yield opened
        jobs.stop(opened)


def run(bench: Workbench, job: str) -> dict[str, Any]:
    return jobs.start(bench).submit(job).result()


def test_what_a_job_finds_stands_on_the_items(bench: Workbench, server: Running, language: str) -> None:
    stock(bench, language)
    judge, facts = saved(bench), FACTS[language]
    server.script(
        [
            {"contains": "<prediction>", "fault": "text", "text": '{"score": 1}'},
            *(rule for fact in facts[:6] for rule in known(fact)),
            {"contains": "", "fault": "text", "text": "…"},
        ]
    )
    job = bench.gating.plan(GateRequest(("closed_book", "figures"), (judge,)), EVERY)
    result = run(bench, job)
    assert result["gates"] == {"closed_book": {"flag": 6, "pass": 4}, "figures": {"pass": 10}}
    assert result["message"] == "looked at 10 of 10 items: closed book 6 flagged, 4 passed; figures 10 passed."
    search = ItemSearch(ItemKind(flag="closed_book"), order="oldest")
    assert bench.find.ids(search, SimilarityQuery()) == [f"{language}{place}" for place in range(6)]
    (verdict,) = [v for v in load_verdicts(bench.database, [f"{language}0"]) if v.gate == "closed_book"]
    assert [row["text"] for row in verdict.details["asked"]] == [facts[0].answer] * 3
    assert verdict.details["calls"] == 3 and verdict.details["cost_usd"] > 0 and len(verdict.calls) == 3


def test_a_second_run_asks_nothing(bench: Workbench, server: Running) -> None:
    stock(bench, "en")
    wanted = GateRequest(("critic", "answerable", "necessity"), (saved(bench),))
    first = run(bench, bench.gating.plan(wanted, EVERY))
    asked = server.count()["requests"]
    assert first["calls"] == asked > 0
    again = run(bench, bench.gating.plan(wanted, EVERY))
    assert (again["calls"], server.count()["requests"], again["gates"]) == (0, asked, first["gates"])
    [(rows,)] = bench.database.rows("SELECT count(*) FROM verdict WHERE gate = 'critic'")
    assert rows == 10


def test_a_budget_stops_at_the_cap_and_a_higher_one_pays_only_the_rest(bench: Workbench, server: Running) -> None:
    stock(bench, "en")
    judge = saved(bench)
    whole = run(bench, bench.gating.plan(GateRequest(("critic",), (judge,), seed=1), EVERY))
    cost = whole["cost_usd"]
    server.reset()
    cap = cost / 2
    job = bench.gating.plan(GateRequest(("critic",), (judge,), seed=2, budget=cap), EVERY)
    stopped = run(bench, job)
    assert stopped["stopped"] == "budget" and 0 < stopped["looked"] < 10
    assert stopped["cost_usd"] <= cap
    assert stored_jobs.get(bench.database, job).state == "budget"
    assert "Stopped (budget)" in stopped["message"]
    bench.upkeep.raise_budget(job, 3 * cost)
    result = jobs.start(bench).resume(job).result()
    assert (result["looked"], result["stopped"]) == (10, None)
    counted = server.count()
    assert counted["requests"] == 10 == result["calls"]
    assert counted["asked_again"] == 0
    assert result["cost_usd"] == pytest.approx(cost)


def test_a_budget_without_prices_and_a_gate_without_an_agent_are_refused(bench: Workbench, server: Running) -> None:
    stock(bench, "en")
    with pytest.raises(BenchError, match="prices"):
        bench.gating.plan(GateRequest(("critic",), ("openai:m",), budget=1.0), EVERY)
    with pytest.raises(BenchError, match="critic asks an agent, and none is named"):
        bench.gating.plan(GateRequest(("critic",)), EVERY)
    with pytest.raises(BenchError, match="No gate is chosen"):
        bench.gating.plan(GateRequest(()), EVERY)
    with pytest.raises(BenchError, match="No item is chosen"):
        bench.gating.plan(GateRequest(("figures",)), [])
    assert server.count()["requests"] == 0


def test_a_dead_endpoint_stops_the_job_and_loses_nothing(bench: Workbench, server: Running) -> None:
    stock(bench, "en")
    server.script([{"from": 4, "fault": "status", "status": 401}])
    job = bench.gating.plan(GateRequest(("critic",), (saved(bench),)), EVERY)
    stopped = run(bench, job)
    assert (stopped["stopped"], stopped["looked"]) == ("endpoint", 3)
    server.script([])
    assert jobs.start(bench).resume(job).result()["looked"] == 10
    assert server.count()["asked_again"] == 0


def test_the_estimate_tells_calls_and_price_and_sends_nothing(bench: Workbench, server: Running) -> None:
    stock(bench, "en")
    wanted = GateRequest(("critic", "closed_book"), (saved(bench),))
    kept = bench.gating.preview(wanted, EVERY, "turn")
    while kept.value is None:
        kept = bench.gating.preview(wanted, EVERY, "turn")
    found = kept.value
    assert (found.items, found.least.calls, found.most.calls) == (10, 40, 70)
    assert 0 < found.least.price < found.most.price
    assert server.count()["requests"] == 0
    assert run(bench, bench.gating.plan(wanted, EVERY, found.mark))["calls"] in range(40, 71)


def test_offline_and_without_a_judge_it_says_so_and_flags_nothing(bench: Workbench) -> None:
    stock(bench, "en")
    result = run(bench, bench.gating.plan(GateRequest(("critic", "necessity"), ("offline",)), EVERY))
    assert result["gates"] == {"critic": {"not run": 10}, "necessity": {"not run": 10}}
    assert bench.find.ids(ItemSearch(ItemKind(flag="any")), SimilarityQuery()) == []


def test_a_verdict_that_ran_stands_before_one_that_could_not(bench: Workbench, server: Running) -> None:
    stock(bench, "en")
    server.script([{"contains": "", "fault": "text", "text": '{"category": "vague", "reason": "What about it?"}'}])
    run(bench, bench.gating.plan(GateRequest(("critic",), (saved(bench),)), ["en0"]))
    run(bench, bench.gating.plan(GateRequest(("critic",), ("offline",)), ["en0"]))
    assert [v.outcome for v in load_verdicts(bench.database, ["en0"])] == ["flag"]
    assert list_differences(bench.database) == []


def test_a_critic_on_every_draft_is_asked_within_the_job_and_its_budget(bench: Workbench, server: Running) -> None:
    text = " ".join(" ".join(fact.evidence) for fact in FACTS["en"])
    documents.add(bench.database, [Document("b2:all", text, "All", "arts", "en", licence="CC0-1.0")])
    prices = {"agent.price_in": 1.0, "agent.price_out": 1.0, "agent.concurrency": 1}
    settings = {**prices, "rag_check": False, "asks": "critic,necessity"}
    ask = {"task": "explicit_factoid", "domain": "arts", "count": 1, "agent": "openai:m", "seed": 3, "budget": 1.0}
    server.script([{"contains": "Which category", "fault": "text", "text": '{"category": "vague", "reason": "What gap?"}'}])
    result = run(bench, bench.drafts.plan(**ask, settings=settings))
    (draft,) = result["items"]
    found = {v.gate: v for v in load_verdicts(bench.database, [draft["id"]])}
    assert (found["critic"].outcome, found["critic"].why) == ("flag", "Vague: What gap?")
    assert found["critic"].details["agents"] == ["openai:m"] and found["necessity"].outcome == "not run"
    assert result["calls"] == server.count()["requests"] == 2
    assert bench.find.ids(ItemSearch(ItemKind(flag="critic")), SimilarityQuery()) == [draft["id"]]
    with pytest.raises(BenchError, match="LLM gate"):
        bench.drafts.plan(**ask, settings={**settings, "asks": "nothing"})
    with pytest.raises(BenchError, match="prices"):
        bench.drafts.plan(**ask, settings={**settings, "asks_by": "openai:n"})
    with pytest.raises(BenchError, match="judge"):
        bench.drafts.plan(**ask, settings={**settings, "judge.price_in": 1.0})


def test_the_estimate_of_a_drafting_job_counts_the_gates_that_ask(bench: Workbench, server: Running) -> None:
    text = " ".join(" ".join(fact.evidence) for fact in FACTS["en"])
    documents.add(bench.database, [Document("b2:all", text, "All", "arts", "en", licence="CC0-1.0")])
    ask = {"names": ["explicit_factoid"], "domains": ["arts"], "count": 1, "agent": saved(bench), "seed": 3, "budget": None}
    without = bench.draft_estimate.estimate(**ask, settings={"rag_check": False})
    asked = bench.draft_estimate.estimate(**ask, settings={"rag_check": False, "asks": ["critic"]})
    assert asked.least.calls == without.least.calls + 1
    assert server.count()["requests"] == 0


def test_questions_near_in_meaning_are_flagged_in_english_and_not_run_in_chinese(bench: Workbench) -> None:
    stock(bench, "en")
    stock(bench, "zh")
    twin = items.get(bench.database, "en7")
    items.add(bench.database, [replace(twin, id="twin", question="When was the last tram in Steen taken out of service?")])
    result = run(bench, bench.gating.plan(GateRequest(("near_in_meaning",)), EVERY))
    assert result["gates"] == {"near_in_meaning": {"pass": 9, "not run": 10, "flag": 2}}
    assert sorted(bench.find.ids(ItemSearch(ItemKind(flag="near_in_meaning")), SimilarityQuery())) == ["en7", "twin"]
