"""How steady the number of calls is over wordings, for retriever and language model alike: relative error against the original
(study, section 3.4) and variation over the family (section 3.5). Undefined is NaN, never 0."""

from typing import Any, NamedTuple


class Variation(NamedTuple):
    """Of one family's counts, one entry a family."""

    cv: Any
    """Coefficient of variation, population deviation over mean; 0 where every count is 0."""
    cvr: Any
    """1 / (1 + CV), from 0 (not reached) to 1 = the same number every time."""
    is_zero: Any
    """Every count is 0, so that the CV is 0 by definition alone."""


def measure_error(counts: Any, originals: Any) -> Any:
    """|c - c_o| / max(c_o, 1), unbounded above (study, section 3.4). The paper divides by c_o and does not say what happens
    where that is 0."""
    import numpy as np

    return np.abs(counts - originals) / np.maximum(originals, 1.0)


def measure_error_skipping_zero(counts: Any, originals: Any) -> Any:
    """|c - c_o| / c_o, undefined where c_o = 0: the other reading of section 3.4."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(originals == 0, np.nan, np.abs(counts - originals) / originals)


def measure_variation(counts: Any, families: Any, n: int) -> Variation:
    """By family 0..n-1 over all its wordings, the original among them (study, section 3.5): CVR_i = 1 / (1 + sigma_i / mu_i).
    A family with fewer than two counts is undefined; one of zeros has CV 0."""
    import numpy as np

    there = ~np.isnan(counts)
    own, values = families[there], counts[there]
    sizes = np.bincount(own, minlength=n)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(own, values, minlength=n) / sizes
        variance = np.bincount(own, (values - mean[own]) ** 2, minlength=n) / sizes
        cv = np.where(mean == 0, 0.0, np.sqrt(variance) / mean)
    cv = np.where(sizes >= 2, cv, np.nan)
    return Variation(cv, 1.0 / (1.0 + cv), (sizes >= 2) & (mean == 0))
