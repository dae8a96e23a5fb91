"""Runs whose embedding model or reranker is an endpoint: paid once, within the budget, and part of what the run is."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store.engine.database import Database
from store.ledger.calls import Ledger
from store.runs import run_pages, runs
from tests.conftest import Bench
from tests.openai_server import Running, running


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as endpoint:
        yield endpoint


@pytest.fixture
def endpoint(server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    server.reset()
    server.script([])
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return server


def run_words(*settings: str, retriever: str = "dense") -> list[str]:
    words = ["run", "v1", "--system", "echo", "--retriever", retriever]
    return [*words, *(word for setting in settings for word in ("--set", setting))]


def load(tmp_path: Path, run: str) -> tuple[Any, list[dict[str, Any]], Any]:
    with Database.open(tmp_path / "w.duckdb") as database:
        return runs.get(database, run).config, run_pages.load_models(database, run), Ledger(database).sum_spending()


def test_vectors_of_an_endpoint_are_paid_once_and_kept(
    bw: Bench, world: dict[str, str], endpoint: Running, tmp_path: Path
) -> None:
    own = ["embedding_model=openai:embed-1", "embedding.price_in=0.5", "prompt_query=query: "]
    said = bw(*run_words(*own, "top_k=1"), "--budget", "1")
    assert re.search(r"openai:embed-1 embeds the corpus: about \d+ tokens for about [\d.e-]+ USD", said.err), said.err
    first = said.json
    assert first["answered"] == len(world) and first["stopped"] is None
    config, models, spending = load(tmp_path, first["run"])
    assert config["embedding_model"] == f"openai:embed-1 at {endpoint.url}"
    facts = {"endpoint": endpoint.url, "similarity": "cosine", "prompt_query": "query: "}
    assert models == [{"role": "embedding", "model": "openai:embed-1", **facts}]
    assert first["calls"] == spending.attempts == endpoint.count()["requests"] == 2, "the passages, and the queries"
    assert first["cost_usd"] == pytest.approx(0.5e-6 * spending.tokens_in) and spending.tokens_in > 0
    again = bw(*run_words(*own, "top_k=2"), "--budget", "1").json
    assert again["run"] != first["run"] and again["cost_usd"] == 0 and endpoint.count()["requests"] == 2
    other = bw(*run_words(*own[:2], "prompt_query=ask: ", "top_k=1")).json
    assert other["run"] != first["run"] and endpoint.count()["requests"] == 3, "the queries alone"


def test_a_saved_agent_is_an_embedding_model_with_its_own_price_and_address(
    bw: Bench, world: dict[str, str], endpoint: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    from agents.saved import SavedAgent
    from store.ledger import agents as saved_agents

    with Database.open(tmp_path / "w.duckdb") as database:
        saved_agents.put(database, SavedAgent("embed", model="embed-2", base_url=endpoint.url, settings={"price_in": 0.1}))
    result = bw(*run_words("embedding_model=embed"), "--budget", "1").json
    config, _, spending = load(tmp_path, result["run"])
    assert config["embedding_model"] == f"openai:embed-2 at {endpoint.url}"
    assert result["answered"] == 2 and result["cost_usd"] == pytest.approx(0.1e-6 * spending.tokens_in)


@pytest.mark.parametrize(
    ("settings", "budget", "words"),
    [
        (["embedding_model=openai:e"], ["--budget", "1"], "needs a price for openai:e: give --set embedding.price_in="),
        (["embedding.price_in=1"], [], "embedding.price_in belongs to an embedding_model of an endpoint, and none is named"),
        (["embedding_model=openai:e", "embedding.prise=1"], [], "has no setting 'prise'"),
        (["embedding_model=openai:e", "truncate_dim=-1"], [], "truncate_dim is -1"),
    ],
)
def test_what_does_not_fit_is_refused_before_a_request(
    bw: Bench, world: dict[str, str], endpoint: Running, settings: list[str], budget: list[str], words: str
) -> None:
    said = bw(*run_words(*settings), *budget)
    assert said.code == 1 and words in said.sentence
    assert endpoint.count()["requests"] == 0


def test_a_spent_budget_stops_the_run_and_it_goes_on_with_more(bw: Bench, world: dict[str, str], endpoint: Running) -> None:
    words = run_words("embedding_model=openai:e", "embedding.price_in=100")
    stopped = bw(*words, "--budget", "0.000001").json
    assert stopped["stopped"] == "budget" and endpoint.count()["requests"] == 0
    assert bw(*words, "--budget", "10").json["answered"] == 2


def test_an_endpoint_that_refuses_stops_the_run_in_one_sentence(bw: Bench, world: dict[str, str], endpoint: Running) -> None:
    endpoint.script([{"fault": "status", "status": 404, "message": "no such model"}])
    stopped = bw(*run_words("embedding_model=openai:e")).json
    assert stopped["stopped"] == "endpoint" and "answered 404 (no such model)" in stopped["message"]


@pytest.mark.parametrize("shape", ["documents", "texts"])
def test_a_rerank_endpoint_orders_what_was_found(
    bw: Bench, world: dict[str, str], endpoint: Running, tmp_path: Path, shape: str
) -> None:
    endpoint.script([{"shape": shape}])
    settings = ["first=bm25", f"reranker={endpoint.root}", "reranker_model=r-1", "top_k=2"]
    result = bw(*run_words(*settings, retriever="rerank"), "--budget", "1").json
    config, models, spending = load(tmp_path, result["run"])
    assert result["answered"] == 2 and result["cost_usd"] == 0.0, "an address on this machine"
    assert spending.attempts == endpoint.count()["requests"] >= 2 and config["settings"]["reranker"] == endpoint.root
    assert models == [{"role": "reranker", "model": f"rerank:{endpoint.root}/rerank"}]


def test_a_reranker_that_cannot_be_used_is_one_sentence(
    bw: Bench, world: dict[str, str], endpoint: Running, tmp_path: Path
) -> None:
    for settings, words in (
        ([f"reranker={endpoint.root}", "reranker_key=sk-pasted"], "give the name of the variable, not the key"),
        (["reranker=http://me:sk-pasted@host"], "contains a name or password"),
        ([f"reranker={endpoint.root}", "reranker_key=HOME"], "not the name of an environment variable"),
        ([f"reranker={endpoint.root}", "reranker_key=NOWHERE_API_KEY"], "No key for the reranker: set NOWHERE_API_KEY"),
    ):
        said = bw(*run_words("first=bm25", *settings, retriever="rerank"))
        assert said.code == 1 and words in said.sentence and "sk-pasted" not in said.sentence
    assert endpoint.count()["requests"] == 0
    stored = [file for file in tmp_path.rglob("*.duckdb*") if file.is_file()]
    assert stored and not [file for file in stored if b"sk-pasted" in file.read_bytes()], (
        "a pasted key or password is stored nowhere"
    )
