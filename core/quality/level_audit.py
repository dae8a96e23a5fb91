"""Measured level against declared: the table that a lead, a release and its card show. What is measured is the gate `level`'s
(builders/gates/level.py), with what the gate `necessity` found beside it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.nouns import Item, Verdict

LEVELS = (1, 2, 3, 4)
NEVER_MEASURED = "never measured: run the gate level on it"
LOWERED_LEVELS = (2, 4)
"""Levels that count one lower where a piece of evidence is not needed."""
_UNDEFINED_PREFIX = "Its level is undefined, because "


class AuditCell(NamedTuple):
    """Items of one kind."""

    declared: int
    measured: int | None
    """None = undefined."""
    why: str
    """What the gate said of an undefined one; "" where no verdict is there."""
    is_spare: bool
    """The necessity gate found a piece of evidence that is not needed."""
    items: int = 1


@dataclass(frozen=True, slots=True)
class LevelTable:
    """The table."""

    cells: Mapping[tuple[int, int | None], int]
    """(declared, measured; None = undefined) -> items."""
    why: Mapping[str, int]
    """Why levels are undefined -> items, the commonest first."""
    lowered: int
    """Items that count one level lower for what the necessity gate found."""

    @property
    def items(self) -> int:
        return sum(self.cells.values())

    @property
    def measured(self) -> int:
        """Items whose level is defined."""
        return sum(n for (_, level), n in self.cells.items() if level is not None)

    @property
    def agreements(self) -> int:
        """Of those: measured as declared."""
        return sum(n for (declared, level), n in self.cells.items() if declared == level)


def cross_tabulate(seen: Iterable[AuditCell]) -> LevelTable:
    """The table of those items."""
    cells: Counter[tuple[int, int | None]] = Counter()
    why: Counter[str] = Counter()
    lowered = 0
    for one in seen:
        is_lower = one.is_spare and one.measured in LOWERED_LEVELS
        cells[one.declared, None if one.measured is None else one.measured - is_lower] += one.items
        lowered += is_lower * one.items
        if one.measured is None:
            why[one.why.removeprefix(_UNDEFINED_PREFIX).rstrip(".") if one.why else NEVER_MEASURED] += one.items
    return LevelTable(dict(cells), dict(why.most_common()), lowered)


def audit_levels(items: Iterable[Item], verdicts: Iterable[Verdict]) -> LevelTable:
    """The table of items with a level from 1 to 4, from the verdicts that stand."""
    found = {(v.item, v.revision, v.gate): v for v in verdicts if v.gate in ("level", "necessity")}
    return cross_tabulate(
        AuditCell(
            item.level,
            v.details.get("measured") if v else None,
            v.why if v else "",
            spare is not None and spare.outcome == "flag",
        )
        for item in items
        if isinstance(item.level, int) and item.level in LEVELS
        for v in [found.get((item.id, item.revision, "level"))]
        for spare in [found.get((item.id, item.revision, "necessity"))]
    )


def audit_record(found: LevelTable) -> dict[str, object]:
    """As a release's statistics hold it."""
    rows = [
        {"declared": declared, "measured": measured, "items": n}
        for (declared, measured), n in sorted(found.cells.items(), key=str)
    ]
    return {
        "rows": rows,
        "items": found.items,
        "measured": found.measured,
        "agreeing": found.agreements,
        "lowered": found.lowered,
        "undefined": dict(found.why),
    }
