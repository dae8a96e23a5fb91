"""Compares measured and declared levels in a table for leads, releases and their cards. The gate `level` measures levels
(builders/gates/level.py); the gate `necessity` lowers some levels by one."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.nouns import Item, Verdict

LEVELS = (1, 2, 3, 4)
NEVER_MEASURED = "never measured: run the gate level on it"
LOWERED_LEVELS = (2, 4)
"""Measured levels that count as one level lower when a piece of evidence is unnecessary."""
_UNDEFINED_PREFIX = "Its level is undefined, because "


class AuditCell(NamedTuple):
    """The number of items with equal results."""

    declared: int
    measured: int | None
    """Measured level; None = undefined."""
    why: str
    """The gate's reason for an undefined level; "" without a verdict."""
    is_spare: bool
    """Whether the necessity gate found an unnecessary piece of evidence."""
    items: int = 1


@dataclass(frozen=True, slots=True)
class LevelTable:
    """The numbers of items by declared and measured level."""

    cells: Mapping[tuple[int, int | None], int]
    """Number of items by (declared, measured) level; measured None = undefined."""
    why: Mapping[str, int]
    """Number of items by reason for an undefined level, most frequent reason first."""
    lowered: int
    """Number of items that the necessity gate lowers by one level."""

    @property
    def items(self) -> int:
        return sum(self.cells.values())

    @property
    def measured(self) -> int:
        """Return the number of items with a defined level."""
        return sum(n for (_, level), n in self.cells.items() if level is not None)

    @property
    def agreements(self) -> int:
        """Return the number of items whose measured level equals the declared level."""
        return sum(n for (declared, level), n in self.cells.items() if declared == level)


def cross_tabulate(groups: Iterable[AuditCell]) -> LevelTable:
    """Build the table of declared and measured levels from groups of items with equal results."""
    cells: Counter[tuple[int, int | None]] = Counter()
    why: Counter[str] = Counter()
    lowered = 0
    for group in groups:
        is_lower = group.is_spare and group.measured in LOWERED_LEVELS
        cells[group.declared, None if group.measured is None else group.measured - is_lower] += group.items
        lowered += is_lower * group.items
        if group.measured is None:
            why[group.why.removeprefix(_UNDEFINED_PREFIX).rstrip(".") if group.why else NEVER_MEASURED] += group.items
    return LevelTable(dict(cells), dict(why.most_common()), lowered)


def audit_levels(items: Iterable[Item], verdicts: Iterable[Verdict]) -> LevelTable:
    """Build the table of declared and measured levels for items with a level from 1 to 4, from their current verdicts."""
    by_gate = {(v.item, v.revision, v.gate): v for v in verdicts if v.gate in ("level", "necessity")}
    cells = []
    for item in items:
        if isinstance(item.level, int) and item.level in LEVELS:
            level, necessity = (by_gate.get((item.id, item.revision, gate)) for gate in ("level", "necessity"))
            measured, why = (level.details.get("measured"), level.why) if level else (None, "")
            cells.append(AuditCell(item.level, measured, why, necessity is not None and necessity.outcome == "flag"))
    return cross_tabulate(cells)
