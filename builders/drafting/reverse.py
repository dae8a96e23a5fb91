"""What reverse construction shares: the search for other documents that tell of the same event, every hit judged against the
source and kept in a step, and the item that leaves its source out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from builders.near_duplicates.near_copies import JudgedHit, judge, limits
from builders.task import FoundDocument, Kit, Window
from core.nouns import Document, Item

HITS = 10
"""Hits of one search."""
SOURCE = "source"
"""The label that names the source document."""


class SourceSearch(NamedTuple):
    """What the searches came to."""

    kept: tuple[Document, ...]
    """Each once, in the order they were found."""
    steps: tuple[Mapping[str, Any], ...]
    """One per query, with every hit and why it was kept or dropped."""


async def search(queries: Sequence[str], window: Window, kit: Kit) -> SourceSearch:
    """The documents that the queries find, the source and its near copies left out; those kept are in the corpus then. Raises
    SearchFailed."""
    source = window.given_documents[0]
    text = "\n".join(sentence.text for sentence in window.sentences.sentences)
    limit = limits(kit, window.language)
    asked: list[tuple[str, list[FoundDocument]]] = []
    for query in queries:
        asked.append((query, await kit.find_documents(query, HITS, frozenset({source}))))
    found = {one.document.id: one for _, hits in reversed(asked) for one in reversed(hits)}
    order = dict.fromkeys(one.document.id for _, hits in asked for one in hits)
    judged = judge(text, source, window.language, [found[name] for name in order], limit, kit.similarity)
    verdicts = {one.found.document.id: one for one in judged}
    kept = tuple(replace(one.found.document, domain=window.domain) for one in judged if one.kept)
    await kit.add_documents(kept)
    return SourceSearch(kept, tuple(_step(query, hits, verdicts, limit, kit) for query, hits in asked))


def left_out(item: Item) -> tuple[str, ...]:
    """TASK.excluded_documents of both tasks: the source."""
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
        "k": HITS,
        "limits": dict(limit),
        "hits": [one.step for one in own],
    }
