"""Embedding and rerank endpoints against the local server: batches, retries, shapes, prices; nothing is paid twice."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from agents.endpoints.embedding import EMBED_PROMPT, EmbeddingAgent, read_vectors
from agents.endpoints.json_endpoint import RequestSettings, is_local_address
from agents.endpoints.models import EndpointEmbedder, EndpointReranker, wait_for
from agents.endpoints.reranking import RERANK_PROMPT, RerankAgent, read_scores
from core.agent import Sampling
from core.cancellation import Cancelled, cancel_when
from core.errors import AgentError, BenchError, BudgetReached
from core.model_uses import collect_model_uses
from core.retrieval.embedding_options import EmbeddingOptions, Side
from core.retrieval.embeddings import score_texts
from core.retrieval.vector_cache import cache_embedder
from store.corpus.vectors import StoredVectors
from store.engine.database import Database
from store.ledger.budget import Budget, ImmediateBudget
from store.ledger.calls import Ledger
from store.ledger.ledgered_agent import LedgeredAgent
from tests.openai_server import Running, running

FAST = RequestSettings(backoff=0.01, cool_down=0.01)
TEXTS = [f"the mill number {n} of orvel burned in {1800 + n}" for n in range(150)]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Running]:
    with running(key="secret-key") as server:
        yield server


@pytest.fixture
def server(endpoint: Running) -> Running:
    endpoint.reset()
    endpoint.script([])
    return endpoint


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.open(":memory:") as opened:
        yield opened


def agent_of(server: Running, **options: Any) -> EmbeddingAgent:
    return EmbeddingAgent("m", server.url, "secret-key", FAST, **options)


def embedder_of(server: Running, database: Database, budget: Budget | None = None, **options: Any) -> EndpointEmbedder:
    agent = agent_of(server, price_in=options.pop("price_in", None), context=options.pop("context", None))
    limited = ImmediateBudget(budget or Budget(None))
    ask = LedgeredAgent(agent, Ledger(database), limited, "job").ask
    return EndpointEmbedder(agent.name, agent.shown_url, ask, EmbeddingOptions(**options), agent.context)


def test_texts_go_out_in_batches_and_come_back_in_their_order(server: Running, database: Database) -> None:
    server.script([{"backwards": True}])
    model = embedder_of(server, database, price_in=2.0)
    with collect_model_uses() as uses:
        vectors = model.encode(TEXTS, "document")
    assert vectors.shape == (150, 64) and vectors.dtype == np.float32
    assert np.allclose(vectors[17], model.encode([TEXTS[17]])[0]) and not np.allclose(vectors[17], vectors[18])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(150), rel=1e-6)
    spending = Ledger(database).sum_spending("job")
    assert server.count()["requests"] == 4 == spending.attempts, "three batches of at most 64, and one text"
    assert spending.tokens_in > 150 and spending.cost == pytest.approx(2e-6 * spending.tokens_in)
    assert uses == {("embedding", "openai:m"): {"endpoint": server.url, "similarity": "cosine"}}


def test_prompts_and_truncation_are_part_of_request_and_identity(server: Running, database: Database) -> None:
    model = embedder_of(server, database, prompt_query="query: ", truncate_dim=8, similarity="dot")
    assert model.encode(["who?"], "query").shape == (1, 8) and server.last()["input"] == ["query: who?"]
    assert model.encode(["who?"], "document").shape == (1, 8) and server.last()["input"] == ["who?"]
    others = [embedder_of(server, database, **options) for options in ({}, {"prompt_query": "q: "}, {"truncate_dim": 8})]
    assert len({model.identity, *(other.identity for other in others)}) == 4
    assert others[0].vector_key("document") == others[1].vector_key("document") != others[1].vector_key("query")
    assert np.argmax(score_texts(others[0], TEXTS[3], TEXTS[:9])) == 3


def test_an_endpoint_that_takes_fewer_texts_is_given_fewer(server: Running, database: Database) -> None:
    server.script([{"most": 10}])
    model = embedder_of(server, database)
    expected = embedder_of(server, database).encode(TEXTS[:1])
    assert np.allclose(model.encode(TEXTS)[0], expected[0])
    refused = server.count()["by_status"]["413"]
    model.encode([f"{text} again" for text in TEXTS])
    assert server.count()["by_status"]["413"] == refused > 0, "it is known by then how many it takes"


def test_an_endpoint_without_base64_is_asked_for_numbers(server: Running, database: Database) -> None:
    plain = embedder_of(server, database).encode(TEXTS[:3])
    server.script([{"floats": True}])
    model = embedder_of(server, database)
    assert np.allclose(model.encode([TEXTS[0], "other"])[0], plain[0]) and "encoding_format" not in server.last()
    assert Ledger(database).sum_spending("job").attempts == server.count()["requests"] == 3


def test_what_fails_for_a_while_is_tried_again_and_every_request_is_counted(server: Running, database: Database) -> None:
    server.script(
        [
            {"requests": [1], "fault": "status", "status": 429, "retry_after": 0.01},
            {"requests": [2], "fault": "drop"},
            {"requests": [3], "fault": "status", "status": 500},
        ]
    )
    assert embedder_of(server, database).encode(TEXTS[:2]).shape == (2, 64)
    assert Ledger(database).sum_spending("job").attempts == server.count()["requests"] == 4


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"fault": "status", "status": 404, "message": "no model m"}, r"answered 404 \(no model m\)\. Check its address"),
        ({"fault": "status", "status": 500, "message": "down"}, r"answered 500 \(down\) after 3 requests"),
        ({"longest": 20}, r"answered 400 .*A text of about \d+ tokens is too long for the endpoint: set chunk_tokens lower\.$"),
    ],
)
def test_what_stays_wrong_is_one_sentence_without_the_key(
    server: Running, database: Database, rule: dict[str, Any], words: str
) -> None:
    server.script([rule])
    with pytest.raises(BenchError, match=words) as error:
        embedder_of(server, database).encode([TEXTS[0]], "document")
    assert "secret-key" not in str(error.value) and "\n" not in str(error.value)


def test_a_wrong_key_is_in_no_error_and_no_ledger(server: Running, database: Database) -> None:
    agent = EmbeddingAgent("m", server.url, "wrong-key-123", FAST)
    with pytest.raises(AgentError, match="answered 401") as error:
        wait_for(LedgeredAgent(agent, Ledger(database), None, "job").ask(EMBED_PROMPT, {"texts": ["a"]}, Sampling()))
    stored = str(database.rows("SELECT * FROM call"))
    assert "wrong-key-123" not in str(error.value) and "wrong-key-123" not in stored and "answered 401" in stored


def test_the_budget_is_kept_before_a_request_is_sent(server: Running, database: Database) -> None:
    with pytest.raises(BudgetReached, match="The budget of 1e-06 USD is reached"):
        embedder_of(server, database, Budget(1e-6), price_in=100.0).encode(TEXTS[:3])
    with pytest.raises(BenchError, match="needs prices"):
        embedder_of(server, database, Budget(1.0)).encode(TEXTS[:3])
    assert server.count()["requests"] == 0


def test_vectors_are_kept_and_what_came_before_a_failure_is_not_paid_again(server: Running, database: Database) -> None:
    server.script([{"contains": "number 149", "fault": "status", "status": 400, "message": "no"}])
    cached = cache_embedder(embedder_of(server, database), StoredVectors(database))
    with pytest.raises(AgentError, match="answered 400"):
        cached.encode(TEXTS, "document")
    kept = StoredVectors(database).count()
    assert kept >= 64, "the batches without that text"
    server.script([])
    again = cache_embedder(embedder_of(server, database), StoredVectors(database))
    assert again.encode(TEXTS, "document").shape == (150, 64) and StoredVectors(database).count() == 150
    assert server.count()["asked_again"] == 0
    requests = server.count()["requests"]
    again.encode(TEXTS, "document")
    assert server.count()["requests"] == requests


def test_a_request_whose_vectors_are_gone_is_sent_again(server: Running, database: Database) -> None:
    first = embedder_of(server, database).encode(TEXTS[:2])
    assert np.array_equal(embedder_of(server, database).encode(TEXTS[:2]), first)
    assert Ledger(database).sum_spending("job").calls == 2 == server.count()["requests"]


def test_blank_texts_have_no_vector_and_are_not_sent(server: Running, database: Database) -> None:
    vectors = embedder_of(server, database).encode(["  ", "a mill", ""])
    assert vectors.any(axis=1).tolist() == [False, True, False] and server.last()["input"] == ["a mill"]
    assert embedder_of(server, database).encode([" "]).shape == (1, 64)


@pytest.mark.parametrize(
    ("side", "advice"),
    [
        ("document", "set chunk_tokens lower"),
        ("query", "use a shorter query, or an embedding model that reads longer ones"),
        ("text", "use a shorter text, or an embedding model that reads longer ones"),
    ],
)
def test_a_text_longer_than_the_known_context_is_named_before_it_is_sent(
    server: Running, database: Database, side: Side, advice: str
) -> None:
    with pytest.raises(BenchError, match=rf"Text 2 of 2 has about \d+ tokens, but openai:m accepts at most 10: {advice}\.$"):
        embedder_of(server, database, context=10).encode(["a mill", "mill " * 30], side)
    assert server.count()["requests"] == 0


def test_cancelled_work_stops_and_sends_no_more(server: Running, database: Database) -> None:
    with cancel_when(lambda: True), pytest.raises(Cancelled):
        embedder_of(server, database).encode([f"{text} {n}" for n in range(40) for text in TEXTS])
    assert server.count()["requests"] < 6000 / 64


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ({"data": [{"index": 0, "embedding": [1.0]}]}, "1 vectors for 2 texts"),
        ({"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]}, "different lengths"),
        ({"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [float("nan")]}]}, "not a number"),
        ({"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}, "different lengths"),
    ],
)
def test_a_reply_of_another_shape_is_refused(reply: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_vectors(reply, 2)


def test_a_reply_of_another_shape_is_kept_and_stops_the_job(server: Running, database: Database) -> None:
    ask = LedgeredAgent(RerankAgent(server.root, "", "secret-key", None, FAST), Ledger(database), None, "job").ask
    agent = EmbeddingAgent("m", f"{server.root}/v1", "secret-key", FAST)
    agent._endpoint.url = f"{server.root}/v1/models"
    with pytest.raises(AgentError, match="answered JSON of an unexpected shape") as error:
        wait_for(agent.ask(EMBED_PROMPT, {"texts": ["a"]}, Sampling()))
    assert error.value.raw is not None and error.value.stops_job
    assert wait_for(ask(RERANK_PROMPT, {"query": "mill", "texts": ["a mill"]}, Sampling())).price == 0.0


@pytest.mark.parametrize("shape", ["documents", "texts"])
@pytest.mark.parametrize("path", ["/rerank", "/v1", ""])
def test_passages_are_scored_in_every_shape(server: Running, database: Database, shape: str, path: str) -> None:
    server.script([{"shape": shape, "most": 4}])
    agent = RerankAgent(f"{server.root}{path}", "rerank-v3.5", "secret-key", None, FAST)
    reranker = EndpointReranker(agent.name, LedgeredAgent(agent, Ledger(database), None, "job").ask)
    passages = ["a tower", "the mill of orvel", "rain", "mill", "the ferry", "orvel", "who bought", "noon", "a mill of stone"]
    scores = reranker.scores("mill of orvel", passages)
    assert len(scores) == 9 and int(np.argmax(scores)) == 1 and scores[2] == 0.0 and scores[3] == pytest.approx(1 / 3)
    assert (server.last().get("model"), shape in server.last()) == (None if shape == "texts" else "rerank-v3.5", True)
    requests = server.count()["requests"]
    assert Ledger(database).sum_spending("job").attempts == requests
    assert EndpointReranker(agent.name, LedgeredAgent(agent, Ledger(database), None, "job").ask).scores(
        "mill of orvel", passages[:4]
    ) == pytest.approx(scores[:4]), "the ledger has it"
    assert server.count()["requests"] == requests and reranker.scores("q", []) == []


def test_scores_that_are_missing_or_no_numbers_are_refused() -> None:
    assert read_scores([{"index": 1, "score": 0.5}, {"index": 0, "score": 2}], 2) == [2.0, 0.5]
    for reply in ({"results": [{"index": 0, "relevance_score": 1}]}, [{"index": 0, "score": 1}, {"index": 1, "score": "NaN"}]):
        with pytest.raises(ValueError, match=r"1 scores for 2 passages|a score is not a number"):
            read_scores(json.loads(json.dumps(reply)), 2)


def test_an_address_of_ones_own_costs_nothing() -> None:
    local = ["http://localhost:8080", "http://127.0.0.1/rerank", "http://10.1.2.3:80", "http://reranker:8080"]
    assert all(map(is_local_address, local)) and not is_local_address("https://api.cohere.com/v2/rerank")
