"""Measure how far reviews can be trusted: which share of the errors in control items each person finds, and how much a visible
draft influences people's answers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from builders.injected_error import injected_errors
from core.statistics.statistics import Interval, bootstrap, bootstrap_derived, wilson
from core.text.text import token_f1
from store.reviews.control_answers import ControlCount
from store.reviews.own_answers import ComparedAnswer, FirstDecision

MIN_DECISIONS = 10
"""Minimum number of own answers, of decisions after an own answer, and of decisions without one, for results about one
person."""


@dataclass(frozen=True, slots=True)
class ControlResults:
    """How many control items (items with a known error) one person decided on rightly."""

    person: str
    n: int
    right: int
    share: Interval
    by_error: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Dict from the label of an injected error to (number of right decisions, number of decisions)."""


@dataclass(frozen=True, slots=True)
class DraftBias:
    """How much seeing the draft first influences one person, or all people together."""

    person: str | None
    """Name of the person, or None for all people together."""
    to_draft: Interval
    """Token F1 between the answers that people wrote before seeing the draft and the answers of the drafts."""
    to_accepted: Interval
    """Token F1 between the answers that people wrote before seeing the draft and the accepted answers. If there are several
    accepted answers, the most similar one counts."""
    blind: Interval
    """Share of decisions that accepted the draft unchanged after the person had written an answer without seeing it."""
    seen: Interval
    """Share of decisions that accepted the draft unchanged if the person saw it from the start."""
    difference: Interval
    """The share `seen` minus the share `blind`."""
    few: str = ""
    """Reason why there are no results for this person (too few answers); "" if there are results."""


def count_control_results(counts: Sequence[ControlCount], is_qualification: bool) -> list[ControlResults]:
    """Return each person's results on control items, in qualification or in the queue, beginning with the person who had most
    control items."""
    people: dict[str, list[ControlCount]] = {}
    for one in counts:
        if one.is_qualification == is_qualification:
            people.setdefault(one.person, []).append(one)
    results = []
    for person, own in people.items():
        n, right = sum(one.n for one in own), sum(one.right for one in own)
        by_error = {injected_errors()[one.injected_error].label: (one.right, one.n) for one in own}
        results.append(ControlResults(person, n, right, wilson(right, n), by_error))
    return sorted(results, key=lambda one: (-one.n, one.person))


def measure_biases(answers: Sequence[ComparedAnswer], decisions: Sequence[FirstDecision]) -> list[DraftBias]:
    """Measure how much seeing the draft first influences people: all people together, then each person who wrote answers before
    seeing drafts, sorted by name."""
    if not answers:
        return []
    people = sorted({one.person for one in answers})
    return [_measure_bias(None, answers, decisions), *(_measure_own_bias(name, answers, decisions) for name in people)]


def _measure_own_bias(name: str, answers: Sequence[ComparedAnswer], decisions: Sequence[FirstDecision]) -> DraftBias:
    own_answers = [one for one in answers if one.person == name]
    own_decisions = [one for one in decisions if one.person == name]
    blind = sum(one.is_blind for one in own_decisions)
    if min(len(own_answers), blind, len(own_decisions) - blind) >= MIN_DECISIONS:
        return _measure_bias(name, own_answers, own_decisions)
    none = Interval(None, None, None, 0, "too few")
    few = f"too few: {len(own_answers)} own answers, {blind} decisions after one, {len(own_decisions) - blind} without"
    return DraftBias(name, none, none, none, none, none, few)


def _measure_bias(name: str | None, answers: Sequence[ComparedAnswer], decisions: Sequence[FirstDecision]) -> DraftBias:
    blind = [one.is_unchanged for one in decisions if one.is_blind]
    seen = [one.is_unchanged for one in decisions if not one.is_blind]
    return DraftBias(
        name,
        _compare(answers, lambda one: one.drafted),
        _compare([one for one in answers if one.accepted], lambda one: one.accepted),
        wilson(sum(blind), len(blind)),
        wilson(sum(seen), len(seen)),
        _measure_difference(decisions),
    )


def _compare(answers: Sequence[ComparedAnswer], golds: Callable[[ComparedAnswer], Iterable[str] | None]) -> Interval:
    values = [max((token_f1(one.text, gold, one.language) for gold in golds(one) or ()), default=None) for one in answers]
    return bootstrap(values, [one.item for one in answers])


def _measure_difference(decisions: Sequence[FirstDecision]) -> Interval:
    if len({one.is_blind for one in decisions}) < 2:
        return Interval(None, None, None, 0, "nothing to compare")
    nan = float("nan")
    table = [[nan, float(one.is_unchanged)] if one.is_blind else [float(one.is_unchanged), nan] for one in decisions]
    return bootstrap_derived(table, lambda means: means[..., 0] - means[..., 1], [one.item for one in decisions])
