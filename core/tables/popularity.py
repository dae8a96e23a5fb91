"""Popularity buckets by cumulative mass, as Head-to-Tail and CRAG cut them: each bucket holds about a third of all popularity,
not a third of the entities."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from core.errors import BenchError

Bucket = Literal["head", "torso", "tail"]
BUCKETS: tuple[Bucket, ...] = ("head", "torso", "tail")
UNKNOWN = 1
"""What an entity without a number counts as."""


class Cuts(NamedTuple):
    """The highest value of the tail and of the torso: equal values lie in one bucket, the lower one."""

    tail: float
    torso: float

    def bucket(self, value: float | None) -> Bucket:
        number = UNKNOWN if value is None else value
        return "tail" if number <= self.tail else "torso" if number <= self.torso else "head"


def find_cuts(values: Sequence[float | None]) -> Cuts:
    """Sorted ascending, the value at the first place where the cumulative share is at least 1/3, and 2/3. Raises BenchError on
    negative values; where nobody is known at all everything is tail."""
    numbers = sorted(UNKNOWN if value is None else value for value in values)
    if numbers and numbers[0] < 0:
        raise BenchError(f"A popularity of {numbers[0]} is below 0: name another column, or none.")
    is_whole = all(isinstance(number, int) for number in numbers)
    exact: list[Any] = numbers if is_whole else [Fraction(number) for number in numbers]
    total, reached = sum(exact), 0
    found: list[float] = []
    for number, share in zip(numbers, exact, strict=True):
        reached += share
        while len(found) < 2 and reached * 3 >= total * (len(found) + 1):
            found.append(number)
    return Cuts(*found) if found else Cuts(UNKNOWN, UNKNOWN)


def assign_buckets(values: Sequence[float | None]) -> list[Bucket]:
    """The bucket of each."""
    found = find_cuts(values)
    return [found.bucket(value) for value in values]


def count_buckets(values: Sequence[float | None]) -> dict[Bucket, int]:
    """How many lie in each."""
    found = Counter(assign_buckets(values))
    return {bucket: found[bucket] for bucket in BUCKETS}
