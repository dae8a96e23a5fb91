"""Compute the formulas of section 3 of the query-variation study: similarity and diversity of answers (3.2, 3.3), stability of
the number of calls (3.4, 3.5), decisions to search (3.6), trajectories of searches (3.7), effect of retrieval on an answer
(3.8), and rank correlation (3.9).

act = 1 if at least one retrieval was executed; need = 1 if the same agent without retrieval is wrong. Undefined values are NaN
in arrays and None elsewhere, never 0. The mean of values of 0 and 1 over questions is a rate."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

_NUMBERS_PER_BLOCK = 262_144
"""Number of values that are gathered at a time (1 MB), so that they fit in the processor's cache."""
Rule = Callable[[Any, Any], Any]
DECISIONS: Mapping[str, tuple[str, Rule]] = {
    "over": ("over (needs a search, has none)", lambda need, act: need * (1.0 - act)),
    "under": ("under (needs none, searches)", lambda need, act: (1.0 - need) * act),
    "over_where_needed": ("over, of those that need one", lambda need, act: np.where(need == 1, 1.0 - act, np.nan)),
    "under_where_not_needed": ("under, of those that need none", lambda need, act: np.where(need == 0, act, np.nan)),
    "trigger_precision": ("trigger precision", lambda need, act: np.where(act == 1, need, np.nan)),
    "trigger_recall": ("trigger recall", lambda need, act: np.where(need == 1, act, np.nan)),
}
"""A dict from a rate of decisions to search to (label, its rule over need and act): act = 1 if the system searched, need = 1 if
it had to. The first two rates are computed over all questions, the other rates over a part of them, such as the questions that
need a search."""
OUTCOMES: Mapping[str, Rule] = {
    "helpful": lambda correct, without: (1.0 - without) * correct,
    "harmful": lambda correct, without: without * (1.0 - correct),
    "stable": lambda correct, without: correct * without,
    "unhelpful": lambda correct, without: (1.0 - correct) * (1.0 - without),
}
"""A dict from an effect of retrieval (helpful, harmful, ...) to its rule over an answer's correctness with and without
retrieval. The four rates sum to 1."""
FLIPS: Mapping[str, tuple[str, Rule]] = {
    "flip_on": ("none to some", lambda act, original: act * (1.0 - original)),
    "flip_off": ("some to none", lambda act, original: (1.0 - act) * original),
}
"""A dict from a kind of flip to (label, its rule over whether the rewrite and whether the original searched)."""


def measure_similarity(vectors: Any, left: Any, right: Any) -> Any:
    """Return the cosine of each pair of vectors; `left` and `right` are row indexes into `vectors`, whose rows have length 1.
    NaN if an index is -1, i.e. a text is empty or the model cannot read it."""
    cosines = np.full(len(left), np.nan)
    pairs = np.flatnonzero((left >= 0) & (right >= 0))
    height = max(1, _NUMBERS_PER_BLOCK // max(1, vectors.shape[1] if len(vectors) else 1))
    for first in range(0, len(pairs), height):
        here = pairs[first : first + height]
        a, b = vectors.take(left[here], axis=0), vectors.take(right[here], axis=0)
        cosines[here] = np.clip(np.einsum("ij,ij->i", a, b), -1.0, 1.0)
    return cosines


def measure_diversity(vectors: Any, rows: Any, families: Any, n: int) -> Any:
    """Return, for each family 0..n-1, 1 - the mean cosine of all pairs of its answers, or NaN for a family with fewer than two
    answers (study, section 3.3; lower is more stable). `rows` has the index of each answer's vector, or -1; `families` has each
    answer's family."""
    present = np.flatnonzero(rows >= 0)
    present = present[np.argsort(families[present], kind="stable")]
    rows, owners = rows[present], families[present]
    sizes = np.bincount(owners, minlength=n)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    spreads = np.full(n, np.nan)
    squares = np.einsum("ij,ij->i", vectors, vectors)
    for size in np.unique(sizes[sizes >= 2]).tolist():  # families of the same size form one array
        same_size = np.flatnonzero(sizes == size)
        height = max(1, _NUMBERS_PER_BLOCK // (size * vectors.shape[1]))
        for first in range(0, len(same_size), height):
            here = same_size[first : first + height]
            own = rows[starts[here][:, None] + np.arange(size)]
            total = vectors.take(own, axis=0).sum(axis=1)
            # |sum of e|^2 contains every pair twice, and each vector with itself
            pairs = (np.einsum("fj,fj->f", total, total) - squares[own].sum(axis=1)) / (size * (size - 1))
            spreads[here] = 1.0 - np.clip(pairs, -1.0, 1.0)
    return spreads


class Variation(NamedTuple):
    """Variation of a count, such as the number of searches, within each family; arrays have one entry per family."""

    cv: Any
    """Coefficient of variation: population standard deviation over mean; 0 if every count is 0."""
    cvr: Any
    """Stability 1 / (1 + CV), above 0 and at most 1; 1 = the same count for every wording."""
    is_zero: Any
    """Whether every count of the family is 0; its coefficient of variation (CV) is then 0 only by definition."""


def measure_error(counts: Any, originals: Any) -> Any:
    """Return the relative error of each rewrite's count c to the original's c_o: |c - c_o| / max(c_o, 1), without upper bound
    (study, section 3.4). The paper divides by c_o and does not define the case c_o = 0."""
    return np.abs(counts - originals) / np.maximum(originals, 1.0)


def measure_error_skipping_zero(counts: Any, originals: Any) -> Any:
    """Return the relative error of each rewrite's count c to the original's c_o: |c - c_o| / c_o, or NaN if c_o = 0 (another
    reading of the study's section 3.4)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(originals == 0, np.nan, np.abs(counts - originals) / originals)


def measure_variation(counts: Any, families: Any, n: int) -> Variation:
    """Return how much the counts vary within each family 0..n-1, over all wordings of the family: CVR = 1 / (1 + sigma / mu)
    (study, section 3.5). The variation of a family with fewer than two counts is undefined; a family with only zeros has CV
    0."""
    counted = ~np.isnan(counts)
    own, values = families[counted], counts[counted]
    sizes = np.bincount(own, minlength=n)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(own, values, minlength=n) / sizes
        variance = np.bincount(own, (values - mean[own]) ** 2, minlength=n) / sizes
        cv = np.where(mean == 0, 0.0, np.sqrt(variance) / mean)
    cv = np.where(sizes >= 2, cv, np.nan)
    return Variation(cv, 1.0 / (1.0 + cv), (sizes >= 2) & (mean == 0))


def has_searched(searches: Any) -> Any:
    """Return the value act for each answer: 1 if the system searched at least once, else 0."""
    return np.where(np.isnan(searches), np.nan, (searches >= 1).astype(np.float64))


def needs_search(without: Any) -> Any:
    """Return `need` for each answer: 0 if the answer without retrieval is correct, else 1. `without` says for each answer
    whether the answer without retrieval is correct."""
    return 1.0 - without


def is_constant(acts: Any) -> bool:
    """Check whether the system searches always or never. The decisions of such a system cannot flip, so a flip rate of 0 has no
    meaning."""
    valued = acts[~np.isnan(acts)]
    return len(valued) == 0 or bool((valued == valued[0]).all())


def mark_flips(acts: Any, originals: Any) -> Any:
    """Return, for each rewrite, 1 if the decision to search differs between the rewrite and its original, else 0; NaN if either
    decision is unknown."""
    return np.where(np.isnan(acts) | np.isnan(originals), np.nan, (acts != originals).astype(np.float64))


def mark_flipped_families(flips: Any, families: Any, n: int) -> Any:
    """Return, for each family 0..n-1, 1 if any of its rewrites flips the decision to search, else 0; NaN if no rewrite has a
    known result."""
    valued = ~np.isnan(flips)
    counts = np.bincount(families[valued], minlength=n)
    flipped = np.bincount(families[valued], flips[valued], minlength=n)
    return np.where(counts > 0, (flipped > 0).astype(np.float64), np.nan)


def average_search_similarity(cosines: Sequence[float]) -> float | None:
    """Return MSS, the mean cosine between the queries of the original and the rewrite over their common hops, or None if they
    have no common hop. The paper does not say how hops are paired: here, hops with the same number are paired, up to the end of
    the shorter trajectory."""
    return sum(cosines) / len(cosines) if cosines else None


def find_gold_hops(hops: Sequence[Collection[str]], gold: Collection[str]) -> tuple[bool, ...]:
    """Return, for each hop, whether it found a gold document, i.e. one with evidence of the item."""
    relevant = frozenset(gold)
    return tuple(not relevant.isdisjoint(documents) for documents in hops)


def measure_retrieval_failure(hits: Sequence[bool]) -> float | None:
    """Return RFR, the share of hops that found no gold document, or None if there are no hops. (RFR is undefined for an item
    without gold documents: leave such items out.)"""
    return 1.0 - sum(hits) / len(hits) if hits else None


def measure_collapse(original: Sequence[Collection[str]], rewrite: Sequence[Collection[str]]) -> float | None:
    """Return TC, the trajectory collapse: 1 - the mean Jaccard overlap of the documents of the original and the rewrite at each
    hop, over the longer trajectory; None if neither of the two wordings led to a search. A hop that only one of the two
    trajectories has counts as overlap 0; two paired hops that both found no documents count as overlap 1. This formula is one
    interpretation of the study's words "retrieved documents diverge from those of the original"."""
    longer = max(len(original), len(rewrite))
    overlaps = [measure_overlap(*pair) for pair in zip(original, rewrite, strict=False)]
    return 1.0 - sum(overlaps) / longer if longer else None


def measure_unordered_collapse(original: Sequence[Collection[str]], rewrite: Sequence[Collection[str]]) -> float | None:
    """Return the trajectory collapse over the documents of all hops together, whatever their order: 1 - their Jaccard
    overlap."""
    if not original and not rewrite:
        return None
    return 1.0 - measure_overlap(*({document for hop in hops for document in hop} for hops in (original, rewrite)))


def measure_overlap(a: Collection[str], b: Collection[str]) -> float:
    """Return the Jaccard overlap of two sets: intersection over union; 1 if both are empty."""
    first, second = frozenset(a), frozenset(b)
    together = len(first | second)
    return len(first & second) / together if together else 1.0


class Correlation(NamedTuple):
    """A rank correlation between two measures, with its p-value."""

    rho: float | None
    """Spearman's correlation coefficient, -1..1; None = undefined, for the reason in `why`."""
    p: float | None
    """Two-sided p-value of the correlation, from the t distribution."""
    n: int
    """Number of pairs of which both values are known."""
    why: str = ""


def correlate_ranks(x: Any, y: Any) -> Correlation:
    """Return Spearman's rank correlation over the pairs of which both values are known; ties get their mean rank."""
    from scipy.stats import spearmanr

    valued = ~(np.isnan(x) | np.isnan(y))
    x, y = x[valued], y[valued]
    if len(x) < 3:
        return Correlation(None, None, len(x), "fewer than 3 pairs")
    if (x == x[0]).all() or (y == y[0]).all():
        return Correlation(None, None, len(x), "one of the two values is the same everywhere")
    result = spearmanr(x, y)
    return Correlation(float(result.statistic), float(result.pvalue), len(x))
