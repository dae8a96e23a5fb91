"""What the rest of a target takes, in hours of people and money for agents, once READ drafts were read: each with its range, or
why nobody can say. A range goes from all ends that are cheap to all that are dear (acceptance: Wilson's 95 %; means: 1.96
standard errors), so that it holds more often than 95 %."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.nouns import Level
from core.statistics.statistics import wilson
from store.reviews.progress import DraftEffort

READ = 50
"""Drafts that were read, at least: of the target's own kind, else of its task and level, else of all."""
Z = 1.96


class Between(NamedTuple):
    """A figure with its range."""

    mid: float
    low: float
    high: float | None
    """None = no upper end can be told."""


HOUR = Between(1 / 3_600, 1 / 3_600, 1 / 3_600)
"""Seconds in hours."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What `left` items more take."""

    hours: Between | None = None
    """Of active work; None where it cannot be told."""
    money: Between | None = None
    """US dollars for drafts that are still to be made."""
    basis: str = ""
    """Which drafts it rests on, in words; "" when nothing can be told."""
    read: int = 0
    """How many of them were read."""
    why: str = ""
    """Why something is missing."""


def effort(left: int, waiting: int, task: str, level: Level, domain: str, efforts: Sequence[DraftEffort]) -> Effort:
    """For one target. Of the drafts that have to be read `waiting` are there already, and cost no money any more."""
    if not left:
        return Effort(Between(0.0, 0.0, 0.0), Between(0.0, 0.0, 0.0))
    groups = [
        ("drafts of its own kind", [e for e in efforts if (e.task, e.level, e.domain) == (task, level, domain)]),
        ("drafts of its task and level", [e for e in efforts if (e.task, e.level) == (task, level)]),
        ("all drafts", list(efforts)),
    ]
    for basis, group in groups:
        found = _together(group)
        read = found.accepted + found.discarded
        if read >= READ:
            return _told(left, waiting, basis, read, found)
    return Effort(read=read, why=f"{read} drafts were read so far, and it takes {READ}")


def together(efforts: Iterable[Effort]) -> Effort:
    """Those of several targets: hours and money added up; nothing where one of them cannot be told."""
    every = list(efforts)
    why = next((one.why for one in every if one.why), "")
    return Effort(_sum([one.hours for one in every]), _sum([one.money for one in every]), "each target's own", 0, why)


def _told(left: int, waiting: int, basis: str, read: int, found: DraftEffort) -> Effort:
    share = wilson(found.accepted, read)
    if not found.accepted or share.mean is None or share.high is None:
        return Effort(basis=basis, read=read, why=f"none of {read} drafts that were read was accepted")
    reads = Between(left / share.mean, left / share.high, left / share.low if share.low else None)
    seconds, price = (_mean(found.timed, found.seconds, found.squares), _mean(found.priced, found.price, found.price_squares))
    let_by = 1 - found.refused / found.drafts
    made = Between(
        max(0.0, reads.mid - waiting) / let_by,
        max(0.0, reads.low - waiting) / let_by,
        None if reads.high is None else max(0.0, reads.high - waiting) / let_by,
    )
    hours = None if seconds is None else _times(_times(reads, seconds), HOUR)
    money = Between(0.0, 0.0, 0.0) if made.high == 0 else None if price is None else _times(made, price)
    lacking = [
        word
        for word, value in (("the time of fewer than two is known", hours), ("the price of fewer than two is known", money))
        if value is None
    ]
    return Effort(hours, money, basis, read, " and ".join(lacking))


def _mean(n: int, total: float, squares: float) -> Between | None:
    """The mean of that many values with its range; None of fewer than two."""
    if n < 2:
        return None
    mean = total / n
    error = Z * math.sqrt(max(0.0, (squares - n * mean * mean) / (n - 1)) / n)
    return Between(mean, max(0.0, mean - error), mean + error)


def _times(a: Between, b: Between) -> Between:
    high = None if a.high is None or b.high is None else a.high * b.high
    return Between(a.mid * b.mid, a.low * b.low, high)


def _sum(every: Sequence[Between | None]) -> Between | None:
    found = [one for one in every if one is not None]
    if len(found) < len(every):
        return None
    highs = [one.high for one in found]
    high = None if None in highs else sum(one for one in highs if one is not None)
    return Between(sum(one.mid for one in found), sum(one.low for one in found), high)


def _together(group: Sequence[DraftEffort]) -> DraftEffort:
    sums = [sum(values) for values in zip(*(one[3:] for one in group), strict=True)] if group else [0] * 10
    return DraftEffort("", None, "", *sums)
