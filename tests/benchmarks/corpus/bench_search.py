"""Search: BM25 against rank_bm25 at 50,000 passages, dense search in blocks against one query at a time at 100,000 passages and
at the size of a corpus of 70,000 documents in 200,000 chunks, and that corpus opened from its kept index."""

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.nouns import Span
from core.retrieval.embedding_options import Similarity
from core.retrieval.index_files import IndexFiles
from core.retrieval.search import Bm25Index, DenseIndex, find_nearest_rows
from tests.benchmarks.table import by_turns, head, row

PASSAGES, VOCABULARY = 50_000, 30_000
VECTORS, QUERIES = 100_000, 200
DOCUMENTS, CHUNKS = 70_000, 200_000
K = 10


def bm25() -> None:
    from rank_bm25 import BM25Okapi

    generator = np.random.default_rng(0)
    chances = 1 / np.arange(1, VOCABULARY + 1)
    chances /= chances.sum()
    words = [f"w{i}" for i in range(VOCABULARY)]
    drawn = iter(generator.choice(VOCABULARY, PASSAGES * 100, p=chances).tolist())
    texts = [[words[next(drawn)] for _ in range(100)] for _ in range(PASSAGES)]
    queries = [["w0", *(words[i] for i in generator.choice(VOCABULARY, 7, p=chances).tolist())] for _ in range(QUERIES)]
    peer = BM25Okapi(texts)
    index = Bm25Index.from_words([Span("d", i, i + 1) for i in range(PASSAGES)], texts, "en")

    def theirs() -> None:
        for query in queries[:4]:
            np.argsort(peer.get_scores(query))[::-1][:K]

    slow, ours = by_turns(theirs, lambda: [index.search_words(query, K) for query in queries])
    row(f"BM25 query, {PASSAGES:,} passages, top {K}", "rank_bm25", slow / 4, ours / QUERIES, 700)


def dense() -> None:
    generator = np.random.default_rng(1)
    corpus = generator.normal(size=(VECTORS, 384)).astype(np.float32)
    queries = generator.normal(size=(QUERIES, 384)).astype(np.float32)

    def one_by_one() -> list[list[int]]:
        found = []
        for query in queries:
            scores = corpus @ query
            top = np.argpartition(scores, -K)[-K:]
            found.append(top[np.argsort(-scores[top])].tolist())
        return found

    if one_by_one() != [places for places, _ in find_nearest_rows(corpus, queries, K)]:
        raise SystemExit("the blocked search finds other passages")
    theirs, ours = by_turns(one_by_one, lambda: find_nearest_rows(corpus, queries, K))
    row(f"dense search, {VECTORS:,} x 384, top {K}", "numpy, query by query", theirs / QUERIES, ours / QUERIES, 4)


def corpus() -> None:
    """70,000 documents in 200,000 chunks, clustered vectors in a kept, memory-mapped index."""
    generator = np.random.default_rng(2)
    middles = generator.normal(size=(CHUNKS // 100, 384)).astype(np.float32)
    places = generator.integers(0, len(middles), CHUNKS)
    vectors = middles[places] + 0.5 * generator.normal(size=(CHUNKS, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    queries = vectors[generator.integers(0, CHUNKS, QUERIES)]
    spans = [Span(f"d{place}", n, n + 1) for n, place in enumerate(generator.integers(0, DOCUMENTS, CHUNKS).tolist())]
    with tempfile.TemporaryDirectory() as folder:
        IndexFiles(Path(folder)).arrays("corpus", lambda: {"vectors": vectors})
        began = time.perf_counter()
        kept = IndexFiles(Path(folder)).arrays("corpus", dict)["vectors"]
        opened = time.perf_counter() - began
        index = DenseIndex(spans, (), Given(queries), vectors=kept)
        names = [str(n) for n in range(len(queries))]

        def one_by_one() -> list[list[Span]]:
            found = []
            for query in queries:
                scores = vectors @ query
                top = np.argpartition(scores, -K)[-K:]
                found.append([spans[place] for place in top[np.argsort(-scores[top], kind="stable")]])
            return found

        found = [[hit.span for hit in hits] for hits in index.search_many(names, K)]
        same = sum(len(set(a) & set(b)) for a, b in zip(one_by_one(), found, strict=True)) / (K * len(names))
        theirs, ours = by_turns(one_by_one, lambda: index.search_many(names, K), 2)
    what = f"dense search, {DOCUMENTS:,} documents, {CHUNKS:,} chunks"
    row(what, "numpy, query by query", theirs / QUERIES, ours / QUERIES, 4)
    print(f"top {K} the same: {same:.4f}; the kept index of {vectors.nbytes / 1e6:,.0f} MB was open in {opened * 1000:.1f} ms")


class Given:
    """Vectors of queries that are there already; a query is its number."""

    similarity: Similarity = "dot"

    def __init__(self, vectors: Any) -> None:
        self._vectors = vectors

    def encode(self, texts: Sequence[str], side: str = "text") -> Any:
        return self._vectors[[int(text) for text in texts]]


def main() -> None:
    head()
    bm25()
    dense()
    corpus()


if __name__ == "__main__":
    main()
