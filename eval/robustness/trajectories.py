"""What a rewrite does to the searches themselves, hop by hop (study, section 3.7). None = undefined, never 0."""

from collections.abc import Collection, Sequence


def average_search_similarity(cosines: Sequence[float]) -> float | None:
    """Returns MSS: the mean cosine of the original's and the rewrite's queries over the hops of both.
    None where they share none. That hops are paired by their number, up to the shorter, is our reading."""
    return sum(cosines) / len(cosines) if cosines else None


def find_gold_hops(hops: Sequence[Collection[str]], gold: Collection[str]) -> tuple[bool, ...]:
    """Returns whether each hop found a gold document: one that holds evidence of the item."""
    relevant = frozenset(gold)
    return tuple(not relevant.isdisjoint(documents) for documents in hops)


def measure_retrieval_failure(hits: Sequence[bool]) -> float | None:
    """RFR: returns the share of hops that found no gold document; None without a hop.
    (Without gold documents it is not defined: leave it out.)"""
    return 1.0 - sum(hits) / len(hits) if hits else None


def measure_collapse(original: Sequence[Collection[str]], rewrite: Sequence[Collection[str]]) -> float | None:
    """TC: returns 1 - the mean Jaccard overlap of the documents at each hop, over the longer of the two.
    A hop that one of them lacks overlaps by 0, two that both found nothing are the same. None where neither searched. The
    formula is our reading of "retrieved documents diverge from those of the original"."""
    longer = max(len(original), len(rewrite))
    overlaps = [measure_overlap(*pair) for pair in zip(original, rewrite, strict=False)]
    return 1.0 - sum(overlaps) / longer if longer else None


def measure_unordered_collapse(original: Sequence[Collection[str]], rewrite: Sequence[Collection[str]]) -> float | None:
    """Returns the collapse over the documents of all hops together, whatever their order."""
    if not original and not rewrite:
        return None
    return 1.0 - measure_overlap(*({document for hop in hops for document in hop} for hops in (original, rewrite)))


def measure_overlap(a: Collection[str], b: Collection[str]) -> float:
    """Returns the Jaccard overlap, shared over all; two empty sets are the same."""
    first, second = frozenset(a), frozenset(b)
    together = len(first | second)
    return len(first & second) / together if together else 1.0
