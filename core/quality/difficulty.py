"""How hard an item is, by what systems made of it and never by what a model says of itself (gate G8): the share of a panel that
solved it. Easy from .8 on, medium from .3 on, hard below."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.nouns import Level

EASY, MEDIUM = 0.8, 0.3
MIN_SYSTEMS = 3
"""Systems of the panel that it takes: with fewer the share is chance."""
BANDS = ("easy", "medium", "hard")


class DifficultyRule(NamedTuple):
    """What counts as solved, and who is asked."""

    metric: str = "token_f1"
    least: float = 0.5
    """From this value on an answer solves the item."""
    systems: tuple[str, ...] = ("closed_book", "vanilla", "oracle")
    """The panel, each with every agent that it ran with."""


class SolvedItems(NamedTuple):
    """Items of one level that fared alike."""

    level: Level
    solved: int
    systems: int
    """That answered and were scored."""
    items: int = 1


@dataclass(frozen=True, slots=True)
class DifficultySpread:
    """Items by level and band."""

    cells: Mapping[tuple[Level, str | None], int]
    """(level, band; None = undefined) -> items."""
    fewest: int | None
    """Systems behind a defined one, at least; None without any."""
    most: int | None


def spread_record(rule: DifficultyRule, found: DifficultySpread) -> dict[str, object]:
    """As a release keeps it."""
    rows = [{"level": level, "band": name, "items": n} for (level, name), n in sorted(found.cells.items(), key=str)]
    return {
        "metric": rule.metric,
        "least": rule.least,
        "panel": list(rule.systems),
        "rows": rows,
        "fewest": found.fewest,
        "most": found.most,
    }


def difficulty_band(solved: int, systems: int) -> str | None:
    """The band of an item; None = undefined, because fewer than LEAST systems answered it."""
    if systems < MIN_SYSTEMS:
        return None
    share = solved / systems
    return "easy" if share >= EASY else "medium" if share >= MEDIUM else "hard"


def count_bands(tried: Iterable[SolvedItems]) -> DifficultySpread:
    """Those items by level and band."""
    cells: Counter[tuple[Level, str | None]] = Counter()
    counts: list[int] = []
    for one in tried:
        found = difficulty_band(one.solved, one.systems)
        cells[one.level, found] += one.items
        counts += [one.systems] if found else []
    return DifficultySpread(dict(cells), min(counts, default=None), max(counts, default=None))
