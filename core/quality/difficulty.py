"""Difficulty of an item, measured by systems and never estimated by a model: the share of a panel that solves the
item. Easy from .8, medium from .3, hard below."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.nouns import Level

EASY, MEDIUM = 0.8, 0.3
MIN_SYSTEMS = 3
"""Least number of systems that give a difficulty. With fewer systems the share depends on chance."""
BANDS = ("easy", "medium", "hard")


class DifficultyRule(NamedTuple):
    """The panel of systems, and the score from which an item counts as solved."""

    metric: str = "token_f1"
    least: float = 0.5
    """Lowest value of the metric at which an item counts as solved."""
    systems: tuple[str, ...] = ("closed_book", "vanilla", "oracle")
    """Names of the panel's systems; each runs with all its agents."""


class SolvedItems(NamedTuple):
    """The number of items of one level with equal results."""

    level: Level
    solved: int
    systems: int
    """Number of systems with a scored answer."""
    items: int = 1


@dataclass(frozen=True, slots=True)
class DifficultySpread:
    """The numbers of items by level and difficulty band."""

    cells: Mapping[tuple[Level, str | None], int]
    """Number of items by (level, band); band None = undefined."""
    fewest: int | None
    """Lowest number of systems of any item with a band, or None when no item has a band."""
    most: int | None


def spread_record(rule: DifficultyRule, spread: DifficultySpread) -> dict[str, object]:
    """Return the spread and its rule as JSON values for a release."""
    rows = [{"level": level, "band": band, "items": n} for (level, band), n in sorted(spread.cells.items(), key=str)]
    head = {"metric": rule.metric, "least": rule.least, "panel": list(rule.systems)}
    return head | {"rows": rows, "fewest": spread.fewest, "most": spread.most}


def difficulty_band(solved: int, systems: int) -> str | None:
    """Return the difficulty band of an item, or None if it is undefined, because fewer than MIN_SYSTEMS systems answered."""
    if systems < MIN_SYSTEMS:
        return None
    share = solved / systems
    return "easy" if share >= EASY else "medium" if share >= MEDIUM else "hard"


def count_bands(groups: Iterable[SolvedItems]) -> DifficultySpread:
    """Count the items by level and difficulty band."""
    cells: Counter[tuple[Level, str | None]] = Counter()
    systems: list[int] = []
    for group in groups:
        band = difficulty_band(group.solved, group.systems)
        cells[group.level, band] += group.items
        systems += [group.systems] if band else []
    return DifficultySpread(dict(cells), min(systems, default=None), max(systems, default=None))
