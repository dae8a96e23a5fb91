"""Whether a system searches, whether it needed to, whether another wording changes that (study, section 3.6), and what
retrieval did to the answer (section 3.8). act = 1 where at least one retrieval was executed; need = 1 where the same agent
without retrieval is wrong. Everything is by question, NaN = not known; its mean is the rate."""

from typing import Any

import numpy as np


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


def rate_overconfident(needs: Any, acts: Any) -> Any:
    """Returns 1[need = 1 and act = 0], a joint rate over all questions."""
    return needs * (1.0 - acts)


def rate_underconfident(needs: Any, acts: Any) -> Any:
    """Returns 1[need = 0 and act = 1], a joint rate over all questions."""
    return (1.0 - needs) * acts


def rate_over_where_needed(needs: Any, acts: Any) -> Any:
    """Returns the conditional rate: of the questions that need a search, those without one."""
    return np.where(needs == 1, 1.0 - acts, np.nan)


def rate_under_where_not_needed(needs: Any, acts: Any) -> Any:
    """Returns the conditional rate: of the questions that need no search, those with one."""
    return np.where(needs == 0, acts, np.nan)


def rate_precision(needs: Any, acts: Any) -> Any:
    """Of the questions with a search, those that needed it."""
    return np.where(acts == 1, needs, np.nan)


def rate_recall(needs: Any, acts: Any) -> Any:
    """Of the questions that need a search, those with one."""
    return np.where(needs == 1, acts, np.nan)


def mark_flips(acts: Any, originals: Any) -> Any:
    """Returns 1[act(rewrite) != act(original)]."""
    return np.where(np.isnan(acts) | np.isnan(originals), np.nan, (acts != originals).astype(np.float64))


def mark_flips_on(acts: Any, originals: Any) -> Any:
    """Returns 1[the original does not search and the rewrite does]."""
    return acts * (1.0 - originals)


def mark_flips_off(acts: Any, originals: Any) -> Any:
    """Returns 1[the original searches and the rewrite does not]."""
    return (1.0 - acts) * originals


def mark_flipped_families(flips: Any, families: Any, n: int) -> Any:
    """Returns by family 0..n-1: 1 where any rewrite flips; NaN without a rewrite of which it is known."""
    valued = ~np.isnan(flips)
    counts = np.bincount(families[valued], minlength=n)
    flipped = np.bincount(families[valued], flips[valued], minlength=n)
    return np.where(counts > 0, (flipped > 0).astype(np.float64), np.nan)


def rate_helpful(correct: Any, without: Any) -> Any:
    """Wrong without retrieval, right with it. The four gains add up to 1."""
    return (1.0 - without) * correct


def rate_harmful(correct: Any, without: Any) -> Any:
    """Right without, wrong with."""
    return without * (1.0 - correct)


def rate_stable(correct: Any, without: Any) -> Any:
    """Right both times."""
    return correct * without


def rate_unhelpful(correct: Any, without: Any) -> Any:
    """Wrong both times."""
    return (1.0 - correct) * (1.0 - without)
