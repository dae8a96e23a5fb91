"""Whether a system searches, whether it needed to, and whether another wording changes its mind (study, section 3.6). act = 1
where at least one retrieval was executed; need = 1 where the same agent without retrieval is wrong. NaN = not known."""

from typing import Any


def has_searched(searches: Any) -> Any:
    """1 where at least one retrieval was executed, else 0."""
    import numpy as np

    return np.where(np.isnan(searches), np.nan, (searches >= 1).astype(np.float64))


def needs_search(without: Any) -> Any:
    """0 where the answer without retrieval is correct, else 1 (`without` = its correctness)."""
    return 1.0 - without


def is_constant(acts: Any) -> bool:
    """Whether it always, or never, searches: then no flip can be seen, and a rate of 0 would say nothing."""
    import numpy as np

    known = acts[~np.isnan(acts)]
    return len(known) == 0 or bool((known == known[0]).all())


def rate_overconfident(needs: Any, acts: Any) -> Any:
    """Overconfident: 1[need = 1 and act = 0], a joint rate over all questions."""
    return needs * (1.0 - acts)


def rate_underconfident(needs: Any, acts: Any) -> Any:
    """Underconfident: 1[need = 0 and act = 1], a joint rate over all questions."""
    return (1.0 - needs) * acts


def rate_over_where_needed(needs: Any, acts: Any) -> Any:
    """The conditional rate: of the questions that need a search, those without one."""
    import numpy as np

    return np.where(needs == 1, 1.0 - acts, np.nan)


def rate_under_where_not_needed(needs: Any, acts: Any) -> Any:
    """The conditional rate: of the questions that need no search, those with one."""
    import numpy as np

    return np.where(needs == 0, acts, np.nan)


def rate_precision(needs: Any, acts: Any) -> Any:
    """Of the questions with a search, those that needed it."""
    import numpy as np

    return np.where(acts == 1, needs, np.nan)


def rate_recall(needs: Any, acts: Any) -> Any:
    """Of the questions that need a search, those with one."""
    import numpy as np

    return np.where(needs == 1, acts, np.nan)


def mark_flips(acts: Any, originals: Any) -> Any:
    """1[act(rewrite) != act(original)]."""
    import numpy as np

    return np.where(np.isnan(acts) | np.isnan(originals), np.nan, (acts != originals).astype(np.float64))


def mark_flips_on(acts: Any, originals: Any) -> Any:
    """1[the original does not search and the rewrite does]."""
    return acts * (1.0 - originals)


def mark_flips_off(acts: Any, originals: Any) -> Any:
    """1[the original searches and the rewrite does not]."""
    return (1.0 - acts) * originals


def mark_flipped_families(flips: Any, families: Any, n: int) -> Any:
    """By family 0..n-1: 1 where any rewrite flips; NaN without a rewrite of which it is known."""
    import numpy as np

    there = ~np.isnan(flips)
    known = np.bincount(families[there], minlength=n)
    flipped = np.bincount(families[there], flips[there], minlength=n)
    return np.where(known > 0, (flipped > 0).astype(np.float64), np.nan)
