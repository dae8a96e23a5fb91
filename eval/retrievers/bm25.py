"""bm25: Lucene's BM25 over words (jieba's in Chinese), k1 1.5, b .75. Downloads nothing, knows both languages."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.nouns import Span
from core.search import Bm25Index
from eval.retriever import Means, Retriever, Search


def build(spans: Sequence[Span], texts: Sequence[str], language: str, _settings: Mapping[str, Any], _means: Means) -> Search:
    return Bm25Index(spans, texts, language).search


RETRIEVER = Retriever(label="BM25", build=build)
"""Tokenizer and weights are core.search's; they are part of a run's identity by the retriever's name."""
