"""Divides entities into buckets by popularity, as in Head-to-Tail and CRAG: each bucket (head, torso, tail) has about a third
of the total popularity, not a third of the entities."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from core.errors import BenchError

Bucket = Literal["head", "torso", "tail"]
BUCKETS: tuple[Bucket, ...] = ("head", "torso", "tail")
UNKNOWN_POPULARITY = 1
"""Popularity that is assumed for an entity whose value is not known."""


class Cuts(NamedTuple):
    """Limits of the popularity buckets: the highest popularity in the bucket tail, and the highest in the bucket torso.
    Entities with equal popularity are in the same bucket; if equal entities would be split between two buckets, all are put
    into the lower bucket."""

    tail: float
    torso: float

    def bucket(self, value: float | None) -> Bucket:
        number = UNKNOWN_POPULARITY if value is None else value
        return "tail" if number <= self.tail else "torso" if number <= self.torso else "head"


def find_cuts(values: Sequence[float | None]) -> Cuts:
    """Return the highest popularity of the buckets tail and torso, which are the values at which the cumulative share reaches
    1/3 and 2/3. Raises BenchError if a value is negative.

    If the total popularity is 0, all entities belong to the tail."""
    numbers = sorted(UNKNOWN_POPULARITY if value is None else value for value in values)
    if numbers and numbers[0] < 0:
        raise BenchError(f"A popularity of {numbers[0]} is below 0: choose another popularity column, or none.")
    is_whole = all(isinstance(number, int) for number in numbers)
    exact: list[Any] = numbers if is_whole else [Fraction(number) for number in numbers]
    total, reached = sum(exact), 0
    limits: list[float] = []
    for number, share in zip(numbers, exact, strict=True):
        reached += share
        while len(limits) < 2 and reached * 3 >= total * (len(limits) + 1):
            limits.append(number)
    return Cuts(*limits) if limits else Cuts(UNKNOWN_POPULARITY, UNKNOWN_POPULARITY)


def assign_buckets(values: Sequence[float | None]) -> list[Bucket]:
    """Return the bucket (head, torso or tail) of each value."""
    return list(map(find_cuts(values).bucket, values))
