"""Difficulty of an item, measured by systems and never by a model's own estimate (gate G8): the share of a panel that solved
it. Easy from .8, medium from .3, hard below."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.nouns import Level

EASY, MEDIUM = 0.8, 0.3
MIN_SYSTEMS = 3
"""Systems of the panel; with fewer the share is left to chance."""
BANDS = ("easy", "medium", "hard")


class DifficultyRule(NamedTuple):
    """The panel of systems, and when an answer counts as solved."""

    metric: str = "token_f1"
    least: float = 0.5
    """Lowest value of the metric that solves the item."""
    systems: tuple[str, ...] = ("closed_book", "vanilla", "oracle")
    """The panel, each system with every agent that it ran with."""


class SolvedItems(NamedTuple):
    """Items of one level with equal results."""

    level: Level
    solved: int
    systems: int
    """Systems that answered and were scored."""
    items: int = 1


@dataclass(frozen=True, slots=True)
class DifficultySpread:
    """Items by level and band."""

    cells: Mapping[tuple[Level, str | None], int]
    """(level, band; None = undefined) -> items."""
    fewest: int | None
    """Fewest systems of an item with a band; None without any."""
    most: int | None


def spread_record(rule: DifficultyRule, spread: DifficultySpread) -> dict[str, object]:
    """The spread and its rule as a release stores them."""
    rows = [{"level": level, "band": band, "items": n} for (level, band), n in sorted(spread.cells.items(), key=str)]
    head = {"metric": rule.metric, "least": rule.least, "panel": list(rule.systems)}
    return head | {"rows": rows, "fewest": spread.fewest, "most": spread.most}


def difficulty_band(solved: int, systems: int) -> str | None:
    """The band of an item; None = undefined, because fewer than MIN_SYSTEMS answered it."""
    if systems < MIN_SYSTEMS:
        return None
    share = solved / systems
    return "easy" if share >= EASY else "medium" if share >= MEDIUM else "hard"


def count_bands(groups: Iterable[SolvedItems]) -> DifficultySpread:
    """The items by level and band."""
    cells: Counter[tuple[Level, str | None]] = Counter()
    systems: list[int] = []
    for group in groups:
        band = difficulty_band(group.solved, group.systems)
        cells[group.level, band] += group.items
        systems += [group.systems] if band else []
    return DifficultySpread(dict(cells), min(systems, default=None), max(systems, default=None))
