"""Code shared by the tasks of reverse construction. It searches for other documents about the same event, judges every hit
against the source, records it in a step, and builds the item that leaves its source out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from builders.near_duplicates.near_copies import JudgedHit, judge, limits
from builders.task import FoundDocument, Kit, Window
from core.nouns import Document, Item

HITS_PER_SEARCH = 10
"""Number of hits of one search."""
SOURCE = "source"
"""Name of the label with the source document's id."""


class SourceSearch(NamedTuple):
    """The result of the searches for other documents about the event of a source."""

    kept: tuple[Document, ...]
    """Kept documents, each once, in the order of the search results."""
    steps: tuple[Mapping[str, Any], ...]
    """Steps, one per query, with all hits and the reasons for keeping or dropping them."""


async def search(queries: Sequence[str], window: Window, kit: Kit) -> SourceSearch:
    """Search with the queries and return the documents found, without the source and its near copies. Returned documents that
    are new are added to the corpus. Raises SearchFailed."""
    source = window.given_documents[0]
    text = "\n".join(sentence.text for sentence in window.sentences.sentences)
    limit = limits(kit, window.language)
    asked: list[tuple[str, list[FoundDocument]]] = []
    for query in queries:
        asked.append((query, await kit.find_documents(query, HITS_PER_SEARCH, frozenset({source}))))
    by_document = {hit.document.id: hit for _, hits in reversed(asked) for hit in reversed(hits)}
    order = dict.fromkeys(hit.document.id for _, hits in asked for hit in hits)
    judged = judge(text, source, window.language, [by_document[name] for name in order], limit, kit.similarity)
    verdicts = {hit.found.document.id: hit for hit in judged}
    kept = tuple(replace(hit.found.document, domain=window.domain) for hit in judged if hit.kept)
    await kit.add_documents(kept)
    return SourceSearch(kept, tuple(_step(query, hits, verdicts, limit, kit) for query, hits in asked))


def left_out(item: Item) -> tuple[str, ...]:
    """Return the documents to exclude from retrieval for both tasks: the source of the item, if it has one."""
    source = item.labels.get(SOURCE)
    return (source,) if isinstance(source, str) and source else ()


def _step(
    query: str, hits: Sequence[FoundDocument], verdicts: Mapping[str, JudgedHit], limit: Mapping[str, Any], kit: Kit
) -> dict[str, Any]:
    own = [verdicts[hit.document.id]._replace(found=hit) for hit in hits]
    return {
        "kind": "search",
        "query": query,
        "provider": kit.provider,
        "k": HITS_PER_SEARCH,
        "limits": dict(limit),
        "hits": [judged_hit.step for judged_hit in own],
    }
