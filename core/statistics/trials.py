"""Compares two methods of drafting items (sides a and b of a trial) on the same document excerpts (windows): the results of
each side, and paired differences. Windows for which drafting failed are counted separately and do not affect the comparison of
drafts."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from core.statistics.statistics import Interval, PairedDifference, compare_pairs, mcnemar, wilson

DRAFTED = "drafted"
FAILED = "failed"
"""State of a draft if the endpoint or the search failed."""


class SideDraft(NamedTuple):
    """The result of one side (drafting method) of a trial for one window, an excerpt of documents."""

    state: str
    """State of the draft: drafted, refused (by a gate), none (the window gives no question), unreadable or failed."""
    decision: str
    """Decision on the draft: accept, discard, or "" = not decided."""
    edited: int
    """Number of characters of the draft that were inserted, deleted or replaced before it was accepted."""
    price: float | None
    """Cost in US dollars of all calls for the window, whether they gave a draft or not, or None if a price is unknown."""
    seconds: float
    """Seconds of all calls for the window, without waiting for permission to call the agent."""
    calls: int


class DraftPair(NamedTuple):
    """One window (excerpt of documents) with the drafts of both sides of a trial."""

    a: SideDraft
    b: SideDraft
    preference: str
    """Side whose draft a person prefers: a, b or same; "" = no preference given."""


class SideSummary(NamedTuple):
    """Results of one side (drafting method) of a trial, summed over all windows."""

    windows: int
    drafted: int
    refused: int
    none: int
    unreadable: int
    failed: int
    undecided: int
    unchanged: int
    """Number of drafts that were accepted without edits."""
    edited: int
    """Number of drafts that were accepted with edits."""
    discarded: int
    characters: int
    """Total number of characters edited in the accepted drafts."""
    calls: int
    cost: float | None
    seconds: float
    accepted_share: Interval
    """Share of the drafts with a decision that were accepted, with its interval."""

    @property
    def accepted(self) -> int:
        return self.unchanged + self.edited

    @property
    def cost_each(self) -> float | None:
        """Cost in US dollars per accepted item, including the cost of all other drafts, or None if unknown."""
        return None if self.cost is None or not self.accepted else self.cost / self.accepted

    @property
    def characters_each(self) -> float | None:
        """Mean number of edited characters per accepted item, or None if no item was accepted."""
        return self.characters / self.accepted if self.accepted else None


class TrialComparison(NamedTuple):
    """Results of both sides of a trial, and the paired differences, b minus a."""

    a: SideSummary
    b: SideSummary
    accept: PairedDifference
    """Difference between the sides in acceptance (1 = accepted, 0 = discarded), over windows where both drafts were decided."""
    gain: PairedDifference
    """Difference between the sides in accepted items per window, over windows without failures; no draft counts as 0."""
    cost: PairedDifference
    """Difference between the sides in cost per window in US dollars, over windows where both costs are known."""
    effort: PairedDifference
    """Difference between the sides in edited characters, over windows where both drafts were accepted."""
    prefers_a: int
    prefers_b: int
    alike: int
    preference_p: float | None
    """p value of the two-sided sign test over the windows where a person prefers one side; None = nobody prefers a
    side."""


def compare_windows(windows: Sequence[DraftPair], seed: int) -> TrialComparison:
    """Compare the two sides of a trial over all windows: sums and paired differences. `seed` is the seed of the intervals."""

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
    """Return the results of one side of a trial, summed over all drafts of this side."""
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


def describe_comparison(compared: TrialComparison) -> str:
    """Return a sentence about the difference between the two sides' acceptance rates; the sentence claims no more than the data
    show."""
    mean, low, high, n = compared.accept[:4]
    pairs = "1 pair" if n == 1 else f"{n:,} pairs"
    if mean is None:
        return "No window has a decision on both drafts yet: nothing can be said."
    if not compared.accept.wins and not compared.accept.losses:
        most = wilson(0, n).high or 1.0
        return (
            f"Both drafts got the same decision on all of {pairs}, so no difference is seen; a difference on up to "
            f"{most:.0%} of the windows cannot be ruled out."
        )
    if low is None or high is None:
        return f"{pairs.capitalize()}: too few for a conclusion."
    if low <= 0.0 <= high:
        seen = f"B was accepted {abs(mean) * 100:.0f} points {'more' if mean >= 0 else 'less'} often"
        return f"No difference is shown by {pairs}: {seen}, with a 95 % interval from {_points(low)} to {_points(high)} points."
    better, worse = ("B", "A") if mean > 0 else ("A", "B")
    least, most = sorted((abs(low), abs(high)))
    return (
        f"{better} was accepted more often than {worse}: by {abs(mean) * 100:.0f} points, {least * 100:.0f} to "
        f"{most * 100:.0f} with 95 % confidence, over {pairs}."
    )


def _acceptance_value(draft: SideDraft) -> float | None:
    return {"accept": 1.0, "discard": 0.0}.get(draft.decision)


def _points(share: float) -> str:
    return f"{share * 100:+.0f}".replace("-", "−")
