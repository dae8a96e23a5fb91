"""What a rewrite does to the searches themselves, hop by hop (study, section 3.7). None = undefined, never 0."""

from collections.abc import Collection, Sequence


def average_search_similarity(cosines: Sequence[float]) -> float | None:
    """MSS: the mean cosine of the original's and the rewrite's queries at the same hop, over the hops that both have; None
    where they share none. That hops are paired by their number, up to the shorter, is our reading."""
    return sum(cosines) / len(cosines) if cosines else None


def find_gold_hops(hops: Sequence[Collection[str]], gold: Collection[str]) -> tuple[bool, ...]:
    """Whether each hop brought a gold document: one that holds evidence of the item."""
    wanted = frozenset(gold)
    return tuple(not wanted.isdisjoint(documents) for documents in hops)


def measure_retrieval_failure(found: Sequence[bool]) -> float | None:
    """RFR: the share of hops that brought no gold document; None without a hop. (Without gold documents there is nothing to
    ask: leave it out.)"""
    return 1.0 - sum(found) / len(found) if found else None


def measure_collapse(original: Sequence[Collection[str]], rewrite: Sequence[Collection[str]]) -> float | None:
    """TC: 1 - the mean Jaccard overlap of the documents at each hop, over the longer of the two; a hop that one of them lacks
    overlaps by 0, two that both found nothing are the same. None where neither searched. The formula is our reading of
    "retrieved documents diverge from those of the original"."""
    most = max(len(original), len(rewrite))
    shared = min(len(original), len(rewrite))
    return 1.0 - sum(measure_overlap(original[hop], rewrite[hop]) for hop in range(shared)) / most if most else None


def measure_unordered_collapse(original: Sequence[Collection[str]], rewrite: Sequence[Collection[str]]) -> float | None:
    """As collapse, over the documents of all hops together, whatever their order."""
    if not original and not rewrite:
        return None
    return 1.0 - measure_overlap(*({document for hop in hops for document in hop} for hops in (original, rewrite)))


def measure_overlap(a: Collection[str], b: Collection[str]) -> float:
    """Shared over all; two empty sets are the same."""
    one, other = frozenset(a), frozenset(b)
    together = len(one | other)
    return len(one & other) / together if together else 1.0
