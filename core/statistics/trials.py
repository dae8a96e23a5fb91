"""Two ways of drafting on the same windows, compared: what became of each side's drafts, and their differences in pairs. What a
side failed at is counted apart and is no verdict on its words."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from core.statistics.statistics import Interval, PairedDifference, compare_pairs, mcnemar, wilson

DRAFTED = "drafted"
FAILED = "failed"
"""The endpoint or the search failed: nobody's words are to blame."""


class SideDraft(NamedTuple):
    """What one side came to on one window."""

    state: str
    """drafted, refused (by a gate), none (nothing worth asking), unreadable, failed."""
    decision: str
    """accept, discard, or "" while nobody decided."""
    edited: int
    """Characters put in, taken out or changed before it was accepted."""
    price: float | None
    """US dollars of its calls, those without a draft too; None when a price is unknown."""
    seconds: float
    """Service time of its calls."""
    calls: int


class DraftPair(NamedTuple):
    """One window, drafted on both sides."""

    a: SideDraft
    b: SideDraft
    preference: str
    """a, b, same, or "" for none."""


class SideSummary(NamedTuple):
    """One side over all windows."""

    windows: int
    drafted: int
    refused: int
    none: int
    unreadable: int
    failed: int
    undecided: int
    unchanged: int
    """Accepted as it was drafted."""
    edited: int
    """Accepted with other words."""
    discarded: int
    characters: int
    """Edited, of all accepted ones together."""
    calls: int
    cost: float | None
    seconds: float
    accepted_share: Interval
    """Of the drafts decided on."""

    @property
    def accepted(self) -> int:
        return self.unchanged + self.edited

    @property
    def cost_each(self) -> float | None:
        """US dollars for an accepted item, whatever was thrown away included."""
        return None if self.cost is None or not self.accepted else self.cost / self.accepted

    @property
    def characters_each(self) -> float | None:
        """Edited, of an accepted item."""
        return self.characters / self.accepted if self.accepted else None


class TrialComparison(NamedTuple):
    """Both sides, and their differences, b less a."""

    a: SideSummary
    b: SideSummary
    accept: PairedDifference
    """Accepted (1) or discarded (0), on windows where both drafted and both were decided on."""
    gain: PairedDifference
    """Accepted items of a window, on all windows where neither side failed; no draft is no item."""
    cost: PairedDifference
    """US dollars of a window, where both are known."""
    effort: PairedDifference
    """Characters edited, on windows where both were accepted."""
    prefers_a: int
    prefers_b: int
    alike: int
    preference_p: float | None
    """Two-sided sign test over those who prefer one; None when nobody does."""


def compare_windows(windows: Sequence[DraftPair], seed: int) -> TrialComparison:
    """The sums and the differences; `seed` draws the intervals."""

    def difference(
        value: Callable[[SideDraft], float | None], where: Callable[[DraftPair], bool] = lambda pair: True
    ) -> PairedDifference:
        values = [(value(pair.a), value(pair.b)) for pair in windows if where(pair)]
        return compare_pairs([None if a is None or b is None else b - a for a, b in values], seed=seed)

    a, b, alike = (sum(pair.preference == word for pair in windows) for word in ("a", "b", "same"))
    return TrialComparison(
        summarise_side(pair.a for pair in windows),
        summarise_side(pair.b for pair in windows),
        difference(_acceptance_value, lambda pair: pair.a.state == pair.b.state == DRAFTED),
        difference(
            lambda came: 0.0 if came.state != DRAFTED else _acceptance_value(came),
            lambda pair: FAILED not in (pair.a.state, pair.b.state),
        ),
        difference(lambda came: came.price, lambda pair: FAILED not in (pair.a.state, pair.b.state)),
        difference(lambda came: float(came.edited), lambda pair: pair.a.decision == pair.b.decision == "accept"),
        a,
        b,
        alike,
        mcnemar(b, a) if a + b else None,
    )


def summarise_side(came: Iterable[SideDraft]) -> SideSummary:
    """One side over all windows."""
    every = list(came)
    drafts = [one for one in every if one.state == DRAFTED]
    accepted = [one for one in drafts if one.decision == "accept"]
    discarded = sum(one.decision == "discard" for one in drafts)
    prices = [one.price for one in every]
    known = [price for price in prices if price is not None]
    refused, none, unreadable, failed = (
        sum(one.state == state for one in every) for state in ("refused", "none", "unreadable", FAILED)
    )
    return SideSummary(
        len(every),
        len(drafts),
        refused,
        none,
        unreadable,
        failed,
        len(drafts) - len(accepted) - discarded,
        sum(not one.edited for one in accepted),
        sum(bool(one.edited) for one in accepted),
        discarded,
        sum(one.edited for one in accepted),
        sum(one.calls for one in every),
        sum(known) if len(known) == len(prices) else None,
        sum(one.seconds for one in every),
        wilson(len(accepted), len(accepted) + discarded),
    )


def describe_comparison(found: TrialComparison, a: str = "A", b: str = "B") -> str:
    """What the pairs show about acceptance, in a sentence; it claims no more than they can show."""
    n, mean, low, high = found.accept.n, found.accept.mean, found.accept.low, found.accept.high
    pairs = "1 pair" if n == 1 else f"{n:,} pairs"
    if mean is None:
        return "No window has a decision on both drafts yet: nothing can be said."
    if not found.accept.wins and not found.accept.losses:
        most = wilson(0, n).high or 1.0
        return (
            f"Both were decided alike on all of {pairs}: no difference that {pairs} could show; one that touches up to "
            f"{most:.0%} of the windows cannot be ruled out."
        )
    if low is None or high is None:
        return f"{pairs.capitalize()} is too little to say anything."
    if low <= 0.0 <= high:
        seen = f"{b} was accepted {abs(mean) * 100:.0f} points {'more' if mean >= 0 else 'less'} often"
        return (
            f"No difference that {pairs} could show: {seen}, and anything from {_points(low)} to {_points(high)} points fits."
        )
    better, worse = (b, a) if mean > 0 else (a, b)
    least, most = sorted((abs(low), abs(high)))
    return (
        f"{better} was accepted more often than {worse}: by {abs(mean) * 100:.0f} points, {least * 100:.0f} to "
        f"{most * 100:.0f} with 95 % confidence, over {pairs}."
    )


def _acceptance_value(came: SideDraft) -> float | None:
    return {"accept": 1.0, "discard": 0.0}.get(came.decision)


def _points(share: float) -> str:
    return f"{share * 100:+.0f}".replace("-", "−")
