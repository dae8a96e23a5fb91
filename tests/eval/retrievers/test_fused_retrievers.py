"""Retrievers over two lists: fused by rank, drawn at random, and put in order by a cross-encoder (a tiny random one from a
folder)."""

from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.nouns import Document, Hit, Span
from core.retrieval.cross_encoder import cross_encoder
from core.retrieval.search import fuse
from eval.retriever import Passages, RetrieverContext, Search, retrievers
from eval.running.retrieval import make_tools, prepare_retrieval
from eval.settings import read_settings
from eval.system import Question
from tests.eval.tiny_model import tiny_cross_encoder

TEXTS = [
    "The mill by the river was sold in 1911.",
    "Ada Quill bought the mill for nine hundred crowns.",
    "The court sat in the old hall.",
    "It freed the miller after two days.",
    "A ferry crossed the river at dawn.",
    "Grain was dear in the winter of 1911.",
    "The hall burned down and was built again.",
    "Nobody appealed the verdict.",
]
SPANS = [Span("d", n, n + 1) for n in range(len(TEXTS))]


def built(name: str, **settings: Any) -> Search:
    one = retrievers()[name]
    return one.build(Passages(SPANS, TEXTS, "en"), read_settings(one.settings, settings), RetrieverContext())


@pytest.fixture(scope="module")
def reranker(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A cross-encoder of a few random weights."""
    return str(tiny_cross_encoder(tmp_path_factory.mktemp("cross") / "model", [*TEXTS, "Who bought the mill?"]))


def test_hybrid_is_the_weighted_fusion_of_both_lists() -> None:
    query, k = "Who bought the mill?", 4
    words, meaning = built("bm25")(query, k), built("dense")(query, k)
    assert built("hybrid")(query, k) == fuse([words, meaning], k, (0.5, 0.5))
    assert [hit.span for hit in built("hybrid", weight=0.0)(query, k)][: len(words)] == [hit.span for hit in words]
    assert [hit.span for hit in built("hybrid", weight=1.0)(query, k)] == [hit.span for hit in meaning]
    deep = {hit.span for hit in built("hybrid", depth=8)(query, k)}
    assert len(deep) == k and deep != {hit.span for hit in built("hybrid", weight=0.0)(query, k)}


def test_a_random_k_is_drawn_by_seed_and_query_from_what_both_find() -> None:
    query, k = "Who bought the mill?", 3
    found = {hit.span for name in ("bm25", "dense") for hit in built(name)(query, k)}
    drawn = [[hit.span for hit in built("hybrid_random_k", seed=seed)(query, k)] for seed in range(12)]
    assert all(len(one) == k and set(one) <= found for one in drawn) and len(set(map(tuple, drawn))) > 1
    assert drawn[0] == [hit.span for hit in built("hybrid_random_k", seed=0)(query, k)]


def test_rerank_orders_what_was_found_by_the_cross_encoders_scores(reranker: str) -> None:
    query, k = "Who bought the mill?", 3
    found = list(dict.fromkeys(hit.span for name in ("bm25", "dense") for hit in built(name)(query, k)))
    scores = cross_encoder(reranker).scores(query, [TEXTS[span.start] for span in found])
    wanted = sorted(zip(found, scores, strict=True), key=lambda pair: -pair[1])[:k]
    assert [(hit.span, pytest.approx(hit.score, abs=1e-5)) for hit in built("rerank", reranker=reranker)(query, k)] == wanted
    few = built("rerank", reranker=reranker, first="bm25")(query, k)
    assert {hit.span for hit in few} <= {hit.span for hit in built("bm25")(query, k)}
    assert built("rerank", reranker=reranker, first="bm25")("zzz", k) == []


@pytest.mark.parametrize(
    ("name", "settings", "why"),
    [
        ("rerank", {}, "reranker=FOLDER"),
        ("rerank", {"reranker": "/nowhere"}, "No cross-encoder in /nowhere"),
        ("hybrid", {"weight": 2}, "from 0 to 1"),
        ("given_pages", {"by": "smell"}, "bm25 or dense"),
        ("hybrid", {"depth": -1}, "at least 0"),
    ],
)
def test_a_wrong_setting_is_one_sentence(name: str, settings: dict[str, Any], why: str) -> None:
    with pytest.raises(BenchError, match=why):
        built(name, **settings)


def test_a_folder_that_is_no_cross_encoder_says_so(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "none"}')
    with pytest.raises(BenchError, match="has no tokenizer"):
        built("rerank", reranker=str(tmp_path))
    (tmp_path / "vocab.txt").write_text("[UNK]")
    with pytest.raises(BenchError, match="cannot be loaded"):
        built("rerank", reranker=str(tmp_path))


@pytest.mark.parametrize("by", ["bm25", "dense"])
def test_given_pages_searches_the_questions_own_documents_alone(by: str) -> None:
    documents = [Document(f"d{n}", text, f"d{n}") for n, text in enumerate(TEXTS)]
    pages: list[tuple[str, ...]] = [("d1", "d4"), ("d2",), ("gone",), ()]
    asked = [Question(str(given), "q", "q", "en", "t", None, 8, given=given) for given in pages]
    prepared = prepare_retrieval(documents, asked, retrievers()["given_pages"], {"by": by})
    tools = make_tools(documents, prepared.searches, None, None, prepared.own)
    searches = [tools(question).retrieve for question in asked]
    found = [{hit.span.document for hit in search("the mill and the river", 5)} for search in searches if search]
    assert found[0] == {"d1", "d4"} and found[1] <= {"d2"} and found[2:] == [set(), set()] and not prepared.not_run


def test_hits_of_one_list_alone_keep_their_order_in_a_fusion() -> None:
    hits = [Hit(span, 1.0) for span in SPANS[:3]]
    assert [hit.span for hit in fuse([hits, []], 3, (0.2, 0.8))] == SPANS[:3]
