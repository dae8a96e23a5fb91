"""Section 3 of the query-variation study as formulas: similarity and spread of answers (3.2, 3.3), steadiness of calls (3.4
and 3.5), decisions to search (3.6), trajectories (3.7), what retrieval did to an answer (3.8), and rank correlation (3.9).

act = 1 where at least one retrieval was executed; need = 1 where the same agent without retrieval is wrong. Undefined is NaN in
an array, else None, never 0; a mean over questions is the rate."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

_NUMBERS_PER_BLOCK = 262_144
"""Numbers gathered at a time (1 MB): they stay in the processor's cache."""
Rule = Callable[[Any, Any], Any]
DECISIONS: Mapping[str, tuple[str, Rule]] = {
    "over": ("over (needs a search, has none)", lambda need, act: need * (1.0 - act)),
    "under": ("under (needs none, searches)", lambda need, act: (1.0 - need) * act),
    "over_where_needed": ("over, of those that need one", lambda need, act: np.where(need == 1, 1.0 - act, np.nan)),
    "under_where_not_needed": ("under, of those that need none", lambda need, act: np.where(need == 0, act, np.nan)),
    "trigger_precision": ("trigger precision", lambda need, act: np.where(act == 1, need, np.nan)),
    "trigger_recall": ("trigger recall", lambda need, act: np.where(need == 1, act, np.nan)),
}
"""Name -> (label, rule over need and act). The first two are joint rates over all questions; the others are conditional."""
OUTCOMES: Mapping[str, Rule] = {
    "helpful": lambda correct, without: (1.0 - without) * correct,
    "harmful": lambda correct, without: without * (1.0 - correct),
    "stable": lambda correct, without: correct * without,
    "unhelpful": lambda correct, without: (1.0 - correct) * (1.0 - without),
}
"""What retrieval did -> rule over an answer's correctness with and without it. The four add up to 1."""
FLIPS: Mapping[str, tuple[str, Rule]] = {
    "flip_on": ("none to some", lambda act, original: act * (1.0 - original)),
    "flip_off": ("some to none", lambda act, original: (1.0 - act) * original),
}
"""Name -> (label, rule over act of a rewrite and of its original)."""


def measure_similarity(vectors: Any, left: Any, right: Any) -> Any:
    """Returns cos(e(left), e(right)) for each pair of rows of `vectors`, whose length is 1.
    NaN where one of the two is -1: a text that is empty, or that the model does not read."""
    cosines = np.full(len(left), np.nan)
    pairs = np.flatnonzero((left >= 0) & (right >= 0))
    height = max(1, _NUMBERS_PER_BLOCK // max(1, vectors.shape[1] if len(vectors) else 1))
    for first in range(0, len(pairs), height):
        here = pairs[first : first + height]
        a, b = vectors.take(left[here], axis=0), vectors.take(right[here], axis=0)
        cosines[here] = np.clip(np.einsum("ij,ij->i", a, b), -1.0, 1.0)
    return cosines


def measure_diversity(vectors: Any, rows: Any, families: Any, n: int) -> Any:
    """Returns 1 - the mean cosine of all pairs of answers, by family 0..n-1; NaN for fewer than two answers. (Study, section
    3.3: answer spread, lower is more stable.) `rows` = each answer's vector, -1 for none; `families` = its family."""
    present = np.flatnonzero(rows >= 0)
    present = present[np.argsort(families[present], kind="stable")]
    rows, owners = rows[present], families[present]
    sizes = np.bincount(owners, minlength=n)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    spreads = np.full(n, np.nan)
    squares = np.einsum("ij,ij->i", vectors, vectors)
    for size in np.unique(sizes[sizes >= 2]).tolist():  # families of a size are one array
        same_size = np.flatnonzero(sizes == size)
        height = max(1, _NUMBERS_PER_BLOCK // (size * vectors.shape[1]))
        for first in range(0, len(same_size), height):
            here = same_size[first : first + height]
            own = rows[starts[here][:, None] + np.arange(size)]
            total = vectors.take(own, axis=0).sum(axis=1)
            # |sum of e|^2 holds every pair twice, and each vector with itself
            pairs = (np.einsum("fj,fj->f", total, total) - squares[own].sum(axis=1)) / (size * (size - 1))
            spreads[here] = 1.0 - np.clip(pairs, -1.0, 1.0)
    return spreads


class Variation(NamedTuple):
    """Of one family's counts, one entry a family."""

    cv: Any
    """Coefficient of variation, population deviation over mean; 0 where every count is 0."""
    cvr: Any
    """1 / (1 + CV), from 0 (not reached) to 1 = the same number every time."""
    is_zero: Any
    """Every count is 0, so that the CV is 0 by definition alone."""


def measure_error(counts: Any, originals: Any) -> Any:
    """Returns |c - c_o| / max(c_o, 1), unbounded above (study, section 3.4).
    The paper divides by c_o and does not say what happens where that is 0."""
    return np.abs(counts - originals) / np.maximum(originals, 1.0)


def measure_error_skipping_zero(counts: Any, originals: Any) -> Any:
    """Returns |c - c_o| / c_o, undefined where c_o = 0: the other reading of section 3.4."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(originals == 0, np.nan, np.abs(counts - originals) / originals)


def measure_variation(counts: Any, families: Any, n: int) -> Variation:
    """Returns CVR_i = 1 / (1 + sigma_i / mu_i) by family 0..n-1, over all its wordings (study, section 3.5).
    A family with fewer than two counts is undefined; one of zeros has CV 0."""
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
    """Returns act: 1 where at least one retrieval was executed, else 0."""
    return np.where(np.isnan(searches), np.nan, (searches >= 1).astype(np.float64))


def needs_search(without: Any) -> Any:
    """Returns need: 0 where the answer without retrieval is correct, else 1 (`without` = its correctness)."""
    return 1.0 - without


def is_constant(acts: Any) -> bool:
    """Returns whether it always, or never, searches: no flip can be seen then, and a rate of 0 says nothing."""
    valued = acts[~np.isnan(acts)]
    return len(valued) == 0 or bool((valued == valued[0]).all())


def mark_flips(acts: Any, originals: Any) -> Any:
    """Returns 1[act(rewrite) != act(original)]."""
    return np.where(np.isnan(acts) | np.isnan(originals), np.nan, (acts != originals).astype(np.float64))


def mark_flipped_families(flips: Any, families: Any, n: int) -> Any:
    """Returns for each family 0..n-1: 1 where any rewrite flips, else 0; NaN where no rewrite has a known result."""
    valued = ~np.isnan(flips)
    counts = np.bincount(families[valued], minlength=n)
    flipped = np.bincount(families[valued], flips[valued], minlength=n)
    return np.where(counts > 0, (flipped > 0).astype(np.float64), np.nan)


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


class Correlation(NamedTuple):
    """One rank correlation."""

    rho: float | None
    """None = undefined, and `why` says why."""
    p: float | None
    """Two-sided, by the t distribution."""
    n: int
    """Pairs of which both values are known."""
    why: str = ""


def correlate_ranks(x: Any, y: Any) -> Correlation:
    """Returns it over the pairs of which both are known; ties get the mean of their ranks."""
    from scipy.stats import spearmanr

    valued = ~(np.isnan(x) | np.isnan(y))
    x, y = x[valued], y[valued]
    if len(x) < 3:
        return Correlation(None, None, len(x), "fewer than 3 pairs")
    if (x == x[0]).all() or (y == y[0]).all():
        return Correlation(None, None, len(x), "one of the two is the same everywhere")
    result = spearmanr(x, y)
    return Correlation(float(result.statistic), float(result.pvalue), len(x))
