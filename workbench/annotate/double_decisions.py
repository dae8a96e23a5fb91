"""How far people agree on what to accept, where at least two decided on one item."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from core.agreement import RESAMPLES, Agreement, alpha, cohen

PAIRS = 10
"""Pairs of people that are shown, those with the most items in common."""
DRAWN = 20_000_000
"""Units drawn for an interval, about: more of them do not fit in memory."""
LEAST = 200
"""Resamples at least."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """Agreement on accept or discard."""

    items: int
    """Items that at least two people decided on."""
    same: int
    """Those on which all of them decided alike."""
    alpha: Agreement
    pairs: Sequence[tuple[str, str, Agreement]]
    """(person, person, Cohen's kappa)."""
    left_out: int
    """Pairs that are not among `pairs`."""


def agreed(rows: Sequence[tuple[str, str, str]]) -> Agreed:
    """From (item, person, decision) of every such item."""
    ratings: dict[str, dict[str, str]] = {}
    for item, person, decision in rows:
        ratings.setdefault(item, {})[person] = decision
    common = Counter(pair for row in ratings.values() for pair in combinations(sorted(row), 2))
    chosen = sorted(common, key=lambda pair: (-common[pair], pair))[:PAIRS]
    resamples = max(LEAST, min(RESAMPLES, DRAWN // max(1, len(ratings))))
    return Agreed(
        len(ratings), sum(len(set(row.values())) == 1 for row in ratings.values()), alpha(ratings, resamples=resamples),
        [(a, b, cohen(ratings, a, b, resamples=resamples)) for a, b in chosen], len(common) - len(chosen),
    )  # fmt: skip
