"""What planted items and blind answers tell: how often each person finds what was planted, and how far a draft that is seen
first draws people's answers to it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from builders.injected_error import NO_ERROR, injected_errors
from core.statistics.statistics import Interval, bootstrap, bootstrap_derived, wilson
from core.text.text import token_f1
from store.reviews.control_answers import ControlCount
from store.reviews.own_answers import ComparedAnswer, FirstDecision

LEAST = 10
"""Decisions of each kind, or answers, from which a person gets a figure of their own."""


@dataclass(frozen=True, slots=True)
class Hits:
    """How often planted items were decided on as expected."""

    person: str
    n: int
    right: int
    share: Interval
    by_error: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Label of a flaw -> (right, n)."""


@dataclass(frozen=True, slots=True)
class Bias:
    """What seeing the draft first does, of one person or of all."""

    person: str | None
    """None = of all."""
    to_draft: Interval
    """Token F1 of own answers with the drafts' hidden ones."""
    to_accepted: Interval
    """Token F1 of own answers with those that were accepted; best of several acceptable ones."""
    blind: Interval
    """Share of decisions that took the draft as it was, after an own answer."""
    seen: Interval
    """The same where the draft was seen at once."""
    difference: Interval
    """Seen less blind: what seeing it first adds."""
    few: str = ""
    """Why a person has no figures; "" when they have."""


def hits(counts: Sequence[ControlCount], is_qualification: bool) -> list[Hits]:
    """By person, whoever met most planted items first."""
    found: dict[str, list[ControlCount]] = {}
    for one in counts:
        if one.is_qualification == is_qualification:
            found.setdefault(one.person, []).append(one)
    return sorted((_hits(person, mine) for person, mine in found.items()), key=lambda one: (-one.n, one.person))


def biases(answers: Sequence[ComparedAnswer], decisions: Sequence[FirstDecision]) -> list[Bias]:
    """Of all first, then of each person who answered blind, by name."""
    whole = _bias(None, answers, decisions)
    people = sorted({one.person for one in answers})
    return [whole, *(_one(name, answers, decisions) for name in people)] if answers else []


def _hits(person: str, mine: Sequence[ControlCount]) -> Hits:
    n, right = sum(one.n for one in mine), sum(one.right for one in mine)
    by_error = {
        injected_errors()[one.injected_error].label if one.injected_error != NO_ERROR else "no error": (one.right, one.n)
        for one in mine
    }
    return Hits(person, n, right, wilson(right, n), by_error)


def _one(name: str, answers: Sequence[ComparedAnswer], decisions: Sequence[FirstDecision]) -> Bias:
    mine = [one for one in answers if one.person == name]
    own = [one for one in decisions if one.person == name]
    blind = sum(one.is_blind for one in own)
    if min(len(mine), blind, len(own) - blind) >= LEAST:
        return _bias(name, mine, own)
    none = Interval(None, None, None, 0, "too few")
    few = f"too few: {len(mine)} own answers, {blind} decisions after one, {len(own) - blind} without"
    return Bias(name, none, none, none, none, none, few)


def _bias(name: str | None, answers: Sequence[ComparedAnswer], decisions: Sequence[FirstDecision]) -> Bias:
    blind = [float(one.is_unchanged) for one in decisions if one.is_blind]
    seen = [float(one.is_unchanged) for one in decisions if not one.is_blind]
    accepted = [one for one in answers if one.accepted]
    return Bias(
        name,
        _alike(answers, lambda one: one.drafted),
        _alike(accepted, lambda one: one.accepted),
        wilson(int(sum(blind)), len(blind)),
        wilson(int(sum(seen)), len(seen)),
        _difference(decisions),
    )


def _alike(answers: Sequence[ComparedAnswer], wanted: Callable[[ComparedAnswer], Iterable[str] | None]) -> Interval:
    values = [max((token_f1(one.text, other, one.language) for other in wanted(one) or ()), default=None) for one in answers]
    return bootstrap(values, [one.item for one in answers])


def _difference(decisions: Sequence[FirstDecision]) -> Interval:
    if len({one.is_blind for one in decisions}) < 2:
        return Interval(None, None, None, 0, "nothing to compare")
    nan = float("nan")
    table = [[nan, float(one.is_unchanged)] if one.is_blind else [float(one.is_unchanged), nan] for one in decisions]
    return bootstrap_derived(table, lambda means: means[..., 0] - means[..., 1], [one.item for one in decisions])
