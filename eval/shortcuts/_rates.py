"""Compute how many questions of a release each shortcut answers, and how often it would be right by chance."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.as_json import Json
from core.statistics.statistics import Interval, bootstrap, wilson
from eval.page import Table, figure, interval_cell, tabulate
from eval.shortcut import ANY, ProbeKey, shortcuts

NOTES = (
    "rate: share of the n questions that the shortcut answers [Wilson's 95 % interval]. chance: how often it is right by the "
    "gold answers of other questions, or by a guess. above chance: mean difference [95 % bootstrap interval over clusters of "
    "questions that share a document].",
    "undecided: questions to which the shortcut does not apply; failed: questions for which it failed. Neither counts as a "
    "miss.",
)


class ItemResult(NamedTuple):
    """Whether a shortcut answers one question, as a certificate stores it."""

    item: str
    probe: ProbeKey
    is_right: bool | None
    chance: float | None
    why: str
    has_failed: bool


class ShortcutRate(NamedTuple):
    """Number of questions of a group that a shortcut answers, and how often it is right by chance."""

    probe: ProbeKey
    group: tuple[str, ...]
    """Values that all questions of the group share, such as a level and a domain; () = the group contains all questions."""
    rate: Interval
    """Share of the decided questions that the shortcut answers, with Wilson's interval; its n is the number of decided
    questions."""
    chance: float | None
    """Mean share of right answers by gold answers of other questions, or by a guess, over `chance_n` questions."""
    chance_n: int
    excess: Interval
    """Mean difference between being right (1, else 0) and chance over the questions that have both, with a bootstrap interval
    over the clusters of questions that share a document."""
    undecided: Mapping[str, int]
    """A dict from the reason why a question is undecided to the number of such questions."""
    failed: int
    """Number of questions for which the shortcut failed; not in `undecided`."""


def compute_rates(
    results: Sequence[ItemResult],
    clusters: Mapping[str, str],
    seed: int,
    groups: Mapping[str, tuple[str, ...]] | None = None,
) -> list[ShortcutRate]:
    """Return the rate of each shortcut, shortcuts together last, group by group in the order of their values. `clusters` is a
    dict from item to its cluster, `groups` from item to the values that its group has; None = all questions are one group."""
    members: defaultdict[tuple[tuple[str, ...], ProbeKey], list[ItemResult]] = defaultdict(list)
    for result in results:
        members[groups[result.item] if groups is not None else (), result.probe].append(result)
    order = {probe: number for number, probe in enumerate(dict.fromkeys(result.probe for result in results))}
    ordered = sorted(members.items(), key=lambda pair: (pair[0][0], order[pair[0][1]]))
    return [_compute_rate(probe, group, own, clusters, seed) for (group, probe), own in ordered]


def _compute_rate(
    probe: ProbeKey, group: tuple[str, ...], results: Sequence[ItemResult], clusters: Mapping[str, str], seed: int
) -> ShortcutRate:
    decided = [result.is_right for result in results if result.is_right is not None]
    compared = [one for one in results if one.is_right is not None and one.chance is not None]
    chances = [one.chance for one in compared if one.chance is not None]
    excess = [float(bool(one.is_right)) - (one.chance or 0.0) for one in compared]
    return ShortcutRate(
        probe=probe,
        group=group,
        rate=wilson(sum(decided), len(decided)),
        chance=sum(chances) / len(chances) if chances else None,
        chance_n=len(chances),
        excess=bootstrap(excess, [clusters[one.item] for one in compared], seed=seed),
        undecided=dict(Counter(one.why for one in results if one.is_right is None and not one.has_failed).most_common()),
        failed=sum(one.has_failed for one in results),
    )


def name_probe(probe: ProbeKey) -> str:
    """Return the name of a shortcut for people, with its agent."""
    if probe.shortcut == ANY:
        return "At least one"
    known = shortcuts()
    label = known[probe.shortcut].label if probe.shortcut in known else probe.shortcut
    return f"{label} ({probe.agent})" if probe.agent else label


def tabulate_rates(rates: Sequence[ShortcutRate], by: Sequence[str] = ()) -> Table:
    """Return the rates as a table with a row for each shortcut; `by` names the columns of the groups."""
    records = [
        {
            **dict(zip(by, rate.group, strict=True)),
            "shortcut": name_probe(rate.probe),
            "n": rate.rate.n,
            "rate": interval_cell(rate.rate),
            "chance": figure(rate.chance),
            "above chance": interval_cell(rate.excess),
            "undecided": sum(rate.undecided.values()),
            "failed": rate.failed,
        }
        for rate in rates
    ]
    reasons = dict.fromkeys((name_probe(rate.probe), why) for rate in rates for why in rate.undecided)
    counts = Counter[tuple[str, str]]()
    for rate in rates:
        counts.update({(name_probe(rate.probe), why): n for why, n in rate.undecided.items()})
    notes = [f"{name}: undecided for {counts[name, why]:,} questions ({why})." for name, why in reasons]
    columns = [*by, "shortcut", "n", "rate", "chance", "above chance", "undecided", "failed"]
    return tabulate("Shortcuts", records, [*NOTES, *notes], columns)


def record_rate(rate: ShortcutRate, by: Sequence[str] = ()) -> dict[str, Json]:
    """Return the rate as JSON values."""
    return {
        **dict(zip(by, rate.group, strict=True)),
        "shortcut": rate.probe.shortcut,
        "agent": rate.probe.agent or None,
        "rate": rate.rate.record(),
        "chance": {"value": rate.chance, "n": rate.chance_n},
        "above_chance": rate.excess.record(),
        "undecided": dict(rate.undecided),
        "failed": rate.failed,
    }
