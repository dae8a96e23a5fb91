"""Compares two ways of drafting on the same windows: the results of each side, and the paired differences. Failures are counted
apart and say nothing about the drafts."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from core.statistics.statistics import Interval, PairedDifference, compare_pairs, mcnemar, wilson

DRAFTED = "drafted"
FAILED = "failed"
"""The endpoint or the search failed."""


class SideDraft(NamedTuple):
    """One side's result on one window."""

    state: str
    """drafted, refused (by a gate), none (nothing worth asking), unreadable, failed."""
    decision: str
    """accept, discard, or "" before a decision."""
    edited: int
    """Characters inserted, deleted or replaced before it was accepted."""
    price: float | None
    """US dollars of all its calls, with or without a draft; None when a price is unknown."""
    seconds: float
    """Service time of its calls."""
    calls: int


class DraftPair(NamedTuple):
    """One window drafted by both sides."""

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
    """Accepted as drafted."""
    edited: int
    """Accepted with edits."""
    discarded: int
    characters: int
    """Edited characters of all accepted drafts."""
    calls: int
    cost: float | None
    seconds: float
    accepted_share: Interval
    """Of the drafts with a decision."""

    @property
    def accepted(self) -> int:
        return self.unchanged + self.edited

    @property
    def cost_each(self) -> float | None:
        """US dollars per accepted item, including the cost of the other drafts."""
        return None if self.cost is None or not self.accepted else self.cost / self.accepted

    @property
    def characters_each(self) -> float | None:
        """Edited characters per accepted item."""
        return self.characters / self.accepted if self.accepted else None


class TrialComparison(NamedTuple):
    """Both sides and their differences, b minus a."""

    a: SideSummary
    b: SideSummary
    accept: PairedDifference
    """Accepted (1) or discarded (0), on windows where both sides have a draft with a decision."""
    gain: PairedDifference
    """Accepted items per window, on all windows where neither side failed; no draft counts as no item."""
    cost: PairedDifference
    """US dollars per window, where both are known."""
    effort: PairedDifference
    """Edited characters, on windows where both drafts were accepted."""
    prefers_a: int
    prefers_b: int
    alike: int
    preference_p: float | None
    """Two-sided sign test over the preferences for one side; None without any."""


def compare_windows(windows: Sequence[DraftPair], seed: int) -> TrialComparison:
    """The sums and the differences; `seed` is that of the intervals."""

    def difference(
        value: Callable[[SideDraft], float | None], where: Callable[[DraftPair], bool] = lambda pair: True
    ) -> PairedDifference:
        values = [(value(pair.a), value(pair.b)) for pair in windows if where(pair)]
        return compare_pairs([None if a is None or b is None else b - a for a, b in values], seed=seed)

    def has_no_failure(pair: DraftPair) -> bool:
        return FAILED not in (pair.a.state, pair.b.state)

    a, b, alike = (sum(pair.preference == word for pair in windows) for word in ("a", "b", "same"))
    return TrialComparison(
        summarise_side(pair.a for pair in windows),
        summarise_side(pair.b for pair in windows),
        difference(_acceptance_value, lambda pair: pair.a.state == pair.b.state == DRAFTED),
        difference(lambda side: 0.0 if side.state != DRAFTED else _acceptance_value(side), has_no_failure),
        difference(lambda side: side.price, has_no_failure),
        difference(lambda side: float(side.edited), lambda pair: pair.a.decision == pair.b.decision == "accept"),
        a,
        b,
        alike,
        mcnemar(b, a) if a + b else None,
    )


def summarise_side(drafts: Iterable[SideDraft]) -> SideSummary:
    """The sums of one side over all windows."""
    every = list(drafts)
    states = Counter(draft.state for draft in every)
    accepted = [draft for draft in every if draft.state == DRAFTED and draft.decision == "accept"]
    discarded = sum(draft.state == DRAFTED and draft.decision == "discard" for draft in every)
    known = [draft.price for draft in every if draft.price is not None]
    edited = sum(bool(draft.edited) for draft in accepted)
    return SideSummary(
        windows=len(every),
        drafted=states[DRAFTED],
        refused=states["refused"],
        none=states["none"],
        unreadable=states["unreadable"],
        failed=states[FAILED],
        undecided=states[DRAFTED] - len(accepted) - discarded,
        unchanged=len(accepted) - edited,
        edited=edited,
        discarded=discarded,
        characters=sum(draft.edited for draft in accepted),
        calls=sum(draft.calls for draft in every),
        cost=sum(known) if len(known) == len(every) else None,
        seconds=sum(draft.seconds for draft in every),
        accepted_share=wilson(len(accepted), len(accepted) + discarded),
    )


def describe_comparison(compared: TrialComparison, a: str = "A", b: str = "B") -> str:
    """One sentence on the paired acceptance, which claims no more than the pairs show."""
    mean, low, high, n = compared.accept[:4]
    pairs = "1 pair" if n == 1 else f"{n:,} pairs"
    if mean is None:
        return "No window has a decision on both drafts yet: nothing can be said."
    if not compared.accept.wins and not compared.accept.losses:
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


def _acceptance_value(draft: SideDraft) -> float | None:
    return {"accept": 1.0, "discard": 0.0}.get(draft.decision)


def _points(share: float) -> str:
    return f"{share * 100:+.0f}".replace("-", "−")
