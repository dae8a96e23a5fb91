"""shared_words: ranks passages by the number of the query's words that they contain."""

from collections.abc import Mapping
from typing import Any

from benchwright import Hit, Passages, Retriever, RetrieverContext, Search


def build(passages: Passages, settings: Mapping[str, Any], context: RetrieverContext) -> Search:
    words = [set(text.lower().split()) for text in passages.texts]

    def search(query: str, k: int) -> list[Hit]:
        wanted = set(query.lower().split())
        hits = [Hit(span, float(len(wanted & own))) for span, own in zip(passages.spans, words, strict=True)]
        return sorted(hits, key=lambda hit: -hit.score)[:k]

    return search


RETRIEVER = Retriever(label="Shared words", build=build)
