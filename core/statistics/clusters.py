"""Clusters of questions that are not independent: those of one item, and those with evidence in the same documents. Intervals
and tests draw a cluster as a whole."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from core.errors import BenchError

ClusterBy = Literal["document", "item"]


class Clusters(NamedTuple):
    """The clusters of all items."""

    of: Mapping[str, str]
    """Item -> its cluster, named after the cluster's first item."""
    by: str
    """How they were formed, in words."""
    n: int
    largest: int
    """Items of the largest cluster."""


def clusters(documents: Mapping[str, Sequence[str]], by: str = "document") -> Clusters:
    """The clusters of items; `documents` = item -> its evidence documents. Raises BenchError on another `by`.

    By item: each item alone. By document: items that share a document, also through other items, are one cluster. If that
    chains more than half of all items, which would leave no interval, an item belongs to the items of its first document."""
    if by not in get_args(ClusterBy):
        raise BenchError(f"Questions cannot be clustered by {by!r}: there are {', '.join(get_args(ClusterBy))}.")
    if by == "item":
        return _count_clusters({item: item for item in documents}, "item")
    chained = _connect_items(documents)
    if len(documents) < 3 or _count_clusters(chained, "").largest * 2 <= len(documents):
        return _count_clusters(chained, "item and document")
    first = _connect_items({item: own[:1] for item, own in documents.items()})
    return _count_clusters(first, "item and first document: all documents together chain most items into one cluster")


def _connect_items(documents: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Item -> the first item of its connected component."""
    parents = {item: item for item in documents}

    def find_root(item: str) -> str:
        while parents[item] != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    holder: dict[str, str] = {}
    for item, own in documents.items():
        for document in own:
            first, second = sorted((find_root(item), find_root(holder.setdefault(document, item))))
            parents[second] = first
    return {item: find_root(item) for item in documents}


def _count_clusters(of: Mapping[str, str], by: str) -> Clusters:
    sizes = Counter(of.values())
    return Clusters(of, by, len(sizes), max(sizes.values(), default=0))
