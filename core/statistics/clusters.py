"""Groups questions that are not independent into clusters: questions of one item, and questions with evidence in the same
documents. Intervals and tests resample whole clusters."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from core.errors import BenchError

ClusterBy = Literal["document", "item"]


class Clusters(NamedTuple):
    """The assignment of all items to clusters of questions that are not independent."""

    of: Mapping[str, str]
    """Dict from item to its cluster, which is named after the first item in it."""
    by: str
    """Rule by which the clusters were formed, in words."""
    n: int
    largest: int
    """Number of items in the largest cluster."""


def clusters(documents: Mapping[str, Sequence[str]], by: str = "document") -> Clusters:
    """Divide items into clusters; `documents` maps each item to the documents of its evidence. Raises BenchError if `by` names
    no rule.

    If `by` is "item", each item is a cluster. If `by` is "document", items that share a document, directly or through other
    items, are one cluster. If shared documents join more than half of all items, so that no interval could be computed, only
    the first document of each item counts."""
    if by not in get_args(ClusterBy):
        raise BenchError(f"Questions cannot be clustered by {by!r}: choose one of {', '.join(get_args(ClusterBy))}.")
    if by == "item":
        return _count_clusters({item: item for item in documents}, "item")
    chained = _connect_items(documents)
    if len(documents) < 3 or _count_clusters(chained, "").largest * 2 <= len(documents):
        return _count_clusters(chained, "item and document")
    first = _connect_items({item: own[:1] for item, own in documents.items()})
    return _count_clusters(first, "item and first document: all documents together chain most items into one cluster")


def _connect_items(documents: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Connect items that share a document, directly or through others, and return a dict from each item to the first of the
    items that it is connected to."""
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
