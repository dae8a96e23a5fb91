"""Measures the difficulty of an item as the share of a fixed set of systems (the panel) that solve the item; no model estimates
the difficulty. An item is easy if at least .8 of the panel solve it, medium if at least .3 do, and hard otherwise."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.nouns import Level

EASY, MEDIUM = 0.8, 0.3
MIN_SYSTEMS = 3
"""Minimum number of systems that must answer an item before its difficulty is computed; with fewer systems, the share depends
too much on chance."""
BANDS = ("easy", "medium", "hard")


class DifficultyRule(NamedTuple):
    """The systems that measure the difficulty of items (the panel), and the lowest score at which an item counts as solved."""

    metric: str = "token_f1"
    least: float = 0.5
    """Value of the metric from which an item counts as solved."""
    systems: tuple[str, ...] = ("closed_book", "vanilla", "oracle")
    """Names of the systems in the panel; each system runs with all its agents."""


class SolvedItems(NamedTuple):
    """The number of items with the same level that equally many systems answered and equally many systems solved."""

    level: Level
    solved: int
    systems: int
    """Number of systems whose answer to the item was scored."""
    items: int = 1


@dataclass(frozen=True, slots=True)
class DifficultySpread:
    """How many items are easy, medium or hard at each level."""

    cells: Mapping[tuple[Level, str | None], int]
    """Dict from (level, difficulty) to the number of items; difficulty None = undefined."""
    fewest: int | None
    """Lowest number of systems that answered an item, over the items with a difficulty; None if no item has a difficulty."""
    most: int | None


def spread_record(rule: DifficultyRule, spread: DifficultySpread) -> dict[str, object]:
    """Return the numbers of easy, medium and hard items, and the rule that determines the difficulty, as JSON values for a
    release."""
    rows = [{"level": level, "band": band, "items": n} for (level, band), n in sorted(spread.cells.items(), key=str)]
    head = {"metric": rule.metric, "least": rule.least, "panel": list(rule.systems)}
    return head | {"rows": rows, "fewest": spread.fewest, "most": spread.most}


def difficulty_band(solved: int, systems: int) -> str | None:
    """Return the difficulty of an item (easy, medium or hard), or None if fewer than MIN_SYSTEMS systems answered the item."""
    if systems < MIN_SYSTEMS:
        return None
    share = solved / systems
    return "easy" if share >= EASY else "medium" if share >= MEDIUM else "hard"


def count_bands(groups: Iterable[SolvedItems]) -> DifficultySpread:
    """Count how many items of each level are easy, medium or hard."""
    cells: Counter[tuple[Level, str | None]] = Counter()
    systems: list[int] = []
    for group in groups:
        band = difficulty_band(group.solved, group.systems)
        cells[group.level, band] += group.items
        systems += [group.systems] if band else []
    return DifficultySpread(dict(cells), min(systems, default=None), max(systems, default=None))
