"""Ask a search provider the queries of one item, and describe each search as a step of the item."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from builders.task import FoundDocument, Kit

HITS_PER_SEARCH = 10
"""Maximum number of documents that one search for related documents returns."""


async def ask_queries(
    queries: Iterable[str], excluded: str, kit: Kit
) -> tuple[list[tuple[str, list[FoundDocument]]], list[FoundDocument]]:
    """Return each query with the documents that it found, and every found document once, in the order of the results; the
    document with the id `excluded` is not found. Raises SearchFailed if a search fails."""
    asked = [(query, await kit.find_documents(query, HITS_PER_SEARCH, frozenset({excluded}))) for query in queries]
    first: dict[str, FoundDocument] = {}
    for _, hits in asked:
        for hit in hits:
            first.setdefault(hit.document.id, hit)
    return asked, list(first.values())


def describe_search(query: str, hits: Sequence[Mapping[str, Any]], limit: Mapping[str, Any], kit: Kit) -> dict[str, Any]:
    """Return the step of an item for one search; `hits` say what was found, and why it was kept or dropped."""
    return {
        "kind": "search",
        "query": query,
        "provider": kit.provider,
        "k": HITS_PER_SEARCH,
        "limits": dict(limit),
        "hits": hits,
    }
