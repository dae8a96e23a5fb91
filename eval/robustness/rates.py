"""Whether a system searches, whether it needed to, whether another wording changes that (study, section 3.6), and what
retrieval did to the answer (section 3.8). act = 1 where at least one retrieval was executed; need = 1 where the same agent
without retrieval is wrong. Everything is by question, NaN = not known; its mean is the rate."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

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
    """Returns by family 0..n-1: 1 where any rewrite flips; NaN without a rewrite of which it is known."""
    valued = ~np.isnan(flips)
    counts = np.bincount(families[valued], minlength=n)
    flipped = np.bincount(families[valued], flips[valued], minlength=n)
    return np.where(counts > 0, (flipped > 0).astype(np.float64), np.nan)
