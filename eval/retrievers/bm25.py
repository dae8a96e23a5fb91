"""bm25: Lucene's BM25 over words (jieba's words in Chinese), with k1 1.5 and b 0.75. The retriever needs no download and
supports English, Chinese and other languages. The tokenizer and the weights are those of core.retrieval.search; a run's
identity contains only the retriever's name, not these."""

from collections.abc import Iterator

from core.progress_reporter import ProgressReporter
from core.retrieval.search import Bm25Index, bm25_arrays
from core.text.words import words
from eval.retriever import Passages, Retriever, RetrieverContext, Search
from eval.settings import Settings

INDEX = {"retriever": "bm25", "version": 1}
"""Identifies the index of bm25 in storage. Increase the version in it if core.retrieval.search or core.text.words builds
another index from the same texts."""


def build(passages: Passages, _settings: Settings, context: RetrieverContext) -> Search:
    def cut() -> Iterator[list[str]]:
        progress = ProgressReporter(context.report_progress, "index: words of", "passages", len(passages.texts))
        for done, text in enumerate(passages.texts, 1):
            yield words(text, passages.language)
            progress.report_progress(done)

    arrays = context.load_arrays(INDEX, lambda: bm25_arrays(cut()))
    return Bm25Index.from_arrays(passages.spans, passages.language, arrays).search


RETRIEVER = Retriever(label="BM25", build=build)
