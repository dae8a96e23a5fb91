"""Which questions stand or fall together: those of one item, and those whose evidence lies in the same documents. Intervals and
tests draw such a cluster as one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from core.errors import BenchError

ClusterBy = Literal["document", "item"]


class Clusters(NamedTuple):
    """Items by cluster."""

    of: Mapping[str, str]
    """Item -> its cluster, named for the first of its items."""
    by: str
    """How they were made, in words."""
    n: int
    largest: int
    """Items of the largest cluster."""


def clusters(documents: Mapping[str, Sequence[str]], by: str = "document") -> Clusters:
    """`documents` has the evidence documents of each item. By item: every item alone. By document: items that share a document,
    also through others, are one. Where that chains more than half of all items into one cluster, which would leave no interval,
    an item counts with those of its first document alone, and `by` says so. Raises BenchError on another `by`."""
    if by not in get_args(ClusterBy):
        raise BenchError(f"Questions cannot be clustered by {by!r}: there are {', '.join(get_args(ClusterBy))}.")
    if by == "item":
        return _count_clusters({item: item for item in documents}, "item")
    chained = _connect_items(documents)
    if len(documents) < 3 or _count_clusters(chained, "").largest * 2 <= len(documents):
        return _count_clusters(chained, "item and document")
    first = _connect_items({item: found[:1] for item, found in documents.items()})
    return _count_clusters(first, "item and first document: all documents together chain most items into one cluster")


def _connect_items(documents: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Connected items, each by the first item of its component."""
    above = {item: item for item in documents}

    def top(item: str) -> str:
        while above[item] != item:
            above[item] = above[above[item]]
            item = above[item]
        return item

    holder: dict[str, str] = {}
    for item, found in documents.items():
        for document in found:
            other = top(holder.setdefault(document, item))
            own = top(item)
            first, second = sorted((own, other))
            above[second] = first
    return {item: top(item) for item in documents}


def _count_clusters(of: Mapping[str, str], by: str) -> Clusters:
    sizes = Counter(of.values())
    return Clusters(of, by, len(sizes), max(sizes.values(), default=0))
