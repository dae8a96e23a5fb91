"""bm25: Lucene's BM25 over words (jieba's in Chinese), k1 1.5, b .75. Downloads nothing, knows both languages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.nouns import Span
from core.progress_reporter import ProgressReporter
from core.retrieval.search import Bm25Index, bm25_arrays
from core.text.words import words
from eval.retriever import Retriever, RetrieverContext, Search

INDEX = {"retriever": "bm25", "version": 1}
"""What its kept index is; the version goes up when core.retrieval.search or core.text.words makes another one of the same
texts."""


def build(
    spans: Sequence[Span], texts: Sequence[str], language: str, _settings: Mapping[str, Any], means: RetrieverContext
) -> Search:
    def cut() -> Iterator[list[str]]:
        telling = ProgressReporter(means.tell, "index: words of", "passages", len(texts))
        for done, text in enumerate(texts, 1):
            yield words(text, language)
            telling.report_progress(done)

    return Bm25Index.from_arrays(spans, language, means.load_arrays(INDEX, lambda: bm25_arrays(cut()))).search


RETRIEVER = Retriever(label="BM25", build=build)
"""Tokenizer and weights are core.retrieval.search's; they are part of a run's identity by the retriever's name."""
