"""Search the workspace's own documents by BM25; each document is indexed as a whole. The index is cached, and rebuilt when a
document is added or removed. A query searches the documents in its own language; if the query finds no document there, or if
its language is unclear, the documents in the other languages are searched, the most frequent language first."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any

from builders.provider import Provider, ProviderContext
from builders.task import FindDocuments, FoundDocument
from core.ids import content_hash
from core.nouns import Document, Span
from core.retrieval.search import Bm25Index
from core.text.text import detect_language


class CorpusIndex:
    """A search index of the corpus at one point in time; each language has an index of its own, which is built when the
    language is first searched."""

    def __init__(self, documents: list[Document]) -> None:
        self._documents = documents
        self._languages = [language for language, _ in Counter(document.language for document in documents).most_common()]
        self._by_id = {document.id: document for document in documents}
        self._indexes: dict[str, Bm25Index] = {}

    def search(self, query: str, k: int, without: frozenset[str]) -> list[FoundDocument]:
        own = detect_language(query)
        for language in dict.fromkeys((own, *self._languages)):
            hits = self._index(language).search(query, k + len(without))
            documents = [
                FoundDocument(self._by_id[hit.span.document], hit.score) for hit in hits if hit.span.document not in without
            ]
            if documents:
                return documents[:k]
        return []

    def _index(self, language: str) -> Bm25Index:
        if language not in self._indexes:
            own = [document for document in self._documents if document.language == language]
            spans = [Span(document.id, 0, len(document.text)) for document in own]
            self._indexes[language] = Bm25Index(spans, [f"{d.title}\n{d.text}" for d in own], language)
        return self._indexes[language]


def open_(settings: Mapping[str, Any], means: ProviderContext) -> FindDocuments:
    turn = asyncio.Lock()
    opened: list[CorpusIndex] = []

    def load_index() -> CorpusIndex:
        documents = list(means.documents())
        state = content_hash(sorted(document.id for document in documents))
        if state not in means.kept:
            means.kept.clear()
            means.kept[state] = CorpusIndex(documents)
        index: CorpusIndex = means.kept[state]
        return index

    async def find(query: str, k: int, without: frozenset[str]) -> list[FoundDocument]:
        async with turn:  # a single thread builds the index once
            if not opened:
                opened.append(await asyncio.to_thread(load_index))
            return await asyncio.to_thread(opened[0].search, query, k, without)

    return find


PROVIDER = Provider(label="This workspace's corpus", open=open_)
