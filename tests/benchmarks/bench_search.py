"""Search: BM25 against rank_bm25 at 50,000 passages, and dense search in blocks against one query at a time."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.nouns import Span
from core.search import Bm25Index, nearest
from tests.benchmarks.table import by_turns, head, row

PASSAGES, VOCABULARY = 50_000, 30_000
K = 10


def bm25() -> None:
    from rank_bm25 import BM25Okapi

    generator = np.random.default_rng(0)
    chances = 1 / np.arange(1, VOCABULARY + 1)
    chances /= chances.sum()
    words = [f"w{i}" for i in range(VOCABULARY)]
    drawn = iter(generator.choice(VOCABULARY, PASSAGES * 100, p=chances).tolist())
    texts = [[words[next(drawn)] for _ in range(100)] for _ in range(PASSAGES)]
    queries = [["w0", *(words[i] for i in generator.choice(VOCABULARY, 7, p=chances).tolist())] for _ in range(200)]
    peer = BM25Okapi(texts)
    index = Bm25Index.of_words([Span("d", i, i + 1) for i in range(PASSAGES)], texts, "en")

    def theirs() -> None:
        for query in queries[:4]:
            np.argsort(peer.get_scores(query))[::-1][:K]

    slow, ours = by_turns(theirs, lambda: [index.search_words(query, K) for query in queries])
    row(f"BM25 query, {PASSAGES:,} passages, top {K}", "rank_bm25", slow / 4, ours / 200, 700)


def dense() -> None:
    generator = np.random.default_rng(1)
    corpus = generator.normal(size=(100_000, 384)).astype(np.float32)
    queries = generator.normal(size=(200, 384)).astype(np.float32)

    def one_by_one() -> list[list[int]]:
        found = []
        for query in queries:
            scores = corpus @ query
            top = np.argpartition(scores, -K)[-K:]
            found.append(top[np.argsort(-scores[top])].tolist())
        return found

    if one_by_one() != [places for places, _ in nearest(corpus, queries, K)]:
        raise SystemExit("the blocked search finds other passages")
    theirs, ours = by_turns(one_by_one, lambda: nearest(corpus, queries, K))
    row(f"dense search, 100,000 x 384, top {K}", "numpy, query by query", theirs / 200, ours / 200, 4)


def main() -> None:
    head()
    bm25()
    dense()


if __name__ == "__main__":
    main()
