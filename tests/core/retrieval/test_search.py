"""Search is exact and stable; its edges give empty lists, not errors."""

import math
import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from core.nouns import Hit, Span
from core.retrieval.embedding_options import Side, Similarity
from core.retrieval.search import Bm25Index, DenseIndex, find_nearest_rows, fuse


def spans(n: int) -> list[Span]:
    return [Span("d", i, i + 1) for i in range(n)]


def places(hits: list[Hit]) -> list[int]:
    return [hit.span.start for hit in hits]


def lucene(texts: list[list[str]], query: list[str]) -> list[float]:
    """The formula, written out."""
    n, mean = len(texts), sum(map(len, texts)) / len(texts)
    scores = [0.0] * n
    for word in query:
        having = sum(word in text for text in texts)
        for i, text in enumerate(texts):
            count = text.count(word)
            if count:
                idf = math.log(1 + (n - having + 0.5) / (having + 0.5))
                scores[i] += idf * count / (count + 1.5 * (0.25 + 0.75 * len(text) / mean))
    return scores


def test_bm25_is_lucenes_formula_and_ties_stand_in_corpus_order() -> None:
    draw = random.Random(3)
    vocabulary = [f"w{i}" for i in range(40)]
    texts = [draw.choices(vocabulary, [1 / (i + 1) for i in range(40)], k=draw.randrange(1, 12)) for _ in range(300)]
    texts += texts[:50]  # exact ties
    index = Bm25Index.from_words(spans(350), texts, "en")
    for _ in range(60):
        query = draw.choices([*vocabulary, "unknown"], k=draw.randrange(1, 6))
        k = draw.choice([1, 5, 40, 1_000])
        wanted = lucene(texts, query)
        hits = index.search_words(query, k)
        assert len(hits) == min(k, sum(score > 0 for score in wanted))
        assert [hit.score for hit in hits] == pytest.approx(sorted(wanted, reverse=True)[: len(hits)], rel=1e-5)
        for left, right in pairwise(hits):
            assert left.score > right.score or (left.score == right.score and left.span < right.span)


def test_a_query_without_a_known_word_finds_nothing() -> None:
    index = Bm25Index(spans(2), ["The mill burned.", "The tower stands."], "en")
    assert index.search("zebra", 5) == index.search("", 5) == index.search("mill", 0) == []
    assert places(index.search("Which mill?", 5)) == [0]


def test_a_corpus_of_nothing_finds_nothing() -> None:
    assert Bm25Index([], [], "en").search("mill", 3) == []
    assert Bm25Index(spans(2), ["...", ""], "en").search("mill", 3) == []
    assert places(Bm25Index(spans(2), ["", "mill"], "en").search("mill", 3)) == [1]


def test_chinese_is_searched_by_words() -> None:
    index = Bm25Index(spans(3), ["北京大学成立于1898年。", "南京是江苏省会。", "大学生活很忙。"], "zh")
    assert places(index.search("北京大学什么时候成立？", 2))[0] == 0


class Letters:
    """Vectors of letter counts; zeros for a text without letters."""

    def __init__(self, similarity: Similarity = "cosine") -> None:
        self.similarity = similarity

    def encode(self, texts: Sequence[str], side: Side = "text") -> Any:
        return np.array([[text.count(letter) for letter in "abc"] for text in texts], np.float32).reshape(-1, 3)


def test_dense_search_orders_by_cosine() -> None:
    index = DenseIndex(spans(4), ["aab", "b", "a", "c"], Letters())
    hits = index.search("a", 3)
    assert places(hits) == [2, 0, 1] and hits[1].score == pytest.approx(2 / 5**0.5)
    assert places(index.search("b", 99)) == [1, 0, 2, 3]
    assert [places(hits) for hits in index.search_many(["c", "xyz"], 1)] == [[3], []]
    assert DenseIndex([], [], Letters()).search("a", 2) == []


def test_expected_queries_are_encoded_together() -> None:
    asked: list[tuple[str, list[str]]] = []

    class Noting(Letters):
        def encode(self, texts: Sequence[str], side: Side = "text") -> Any:
            asked.append((side, list(texts)))
            return super().encode(texts)

    index = DenseIndex(spans(3), ["a", "b", "c"], Noting(), ["bbc", "a", "a"])
    assert [places(hits) for hits in index.search_many(["a", "c", "bbc"], 1)] == [[0], [2], [1]]
    assert asked == [("document", ["a", "b", "c"]), ("query", ["bbc", "a"]), ("query", ["c"])]
    assert places(index.search("a", 1)) == [0] and len(asked) == 3
    known = DenseIndex(spans(3), [], Noting(), ["a"], index.vectors)
    assert places(known.search("a", 1)) == [0] and asked[3:] == [("query", ["a"])], (
        "vectors that are at hand are not made again"
    )


@pytest.mark.parametrize(
    ("similarity", "order"),
    [("cosine", [1, 3, 0, 2]), ("dot", [0, 1, 3, 2]), ("euclidean", [3, 1, 2, 0]), ("manhattan", [3, 1, 2, 0])],
)
def test_each_similarity_orders_as_sentence_transformers_does(similarity: Similarity, order: list[int]) -> None:
    """A long text wins by its inner product, a near one by its distance."""
    from sentence_transformers import SimilarityFunction

    texts = ["aaaabbbbcccccc", "aabbc", "ccc", "abc"]
    hits = DenseIndex(spans(4), texts, Letters(similarity)).search("ab", 4)
    theirs = SimilarityFunction.to_similarity_fn(similarity)(*(Letters().encode(some) for some in (["ab"], texts)))[0]
    assert places(hits) == order
    assert [hit.score for hit in hits] == pytest.approx([float(theirs[place]) for place in order], abs=1e-5)


def test_blocked_search_equals_sorting_everything() -> None:
    draw = np.random.default_rng(1)
    corpus = draw.integers(-2, 3, (9_000, 4)).astype(np.float32)  # many ties
    queries = draw.integers(-2, 3, (300, 4)).astype(np.float32)
    for k in (1, 7, 10_000):
        for scores, (found, values) in zip(queries @ corpus.T, find_nearest_rows(corpus, queries, k), strict=True):
            order = np.argsort(-scores, kind="stable")[:k]
            assert found == order.tolist() and values == scores[order].tolist()


def test_fusion_adds_reciprocal_ranks() -> None:
    a, b, c = spans(3)
    fused = fuse([[Hit(a, 9.0), Hit(b, 8.0)], [Hit(b, 0.5), Hit(c, 0.4)]], 5)
    assert [hit.span for hit in fused] == [b, a, c]
    assert fused[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert [hit.span for hit in fuse([[Hit(c, 1.0)], [Hit(a, 1.0)]], 1)] == [c]
    assert fuse([], 3) == []
