"""Compares the declared level of items with the level that the gate `level` measured (builders/gates/level.py), in a table for
project leads, releases and release cards. If the gate `necessity` finds a piece of evidence unnecessary, some levels count as
one level lower."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from core.nouns import Item, Verdict

LEVELS = (1, 2, 3, 4)
NEVER_MEASURED = "never measured: run the gate level on the item"
LOWERED_LEVELS = (2, 4)
"""Measured levels that are lowered by one if a piece of evidence is not needed for the answer."""
UNDEFINED_REASONS = {
    "no_evidence": "it has no evidence",
    "no_answer": "it has no answer",
    "unreadable": "its evidence cannot be read",
    "few_sentences": "its answer is in no sentence of its evidence, which has too few sentences for a rationale",
}
"""Dict from the kind of an undefined level, which the gate stores in its details as `undefined`, to the reason in words."""
_OLD_PREFIX = "Its level is undefined, because "
"""Beginning of the sentence with which older versions stored an undefined level, without a kind."""


class AuditCell(NamedTuple):
    """The number of items with one combination of declared level and gate results."""

    declared: int
    measured: int | None
    """Level that the gate measured; None = undefined."""
    why: str
    """Sentence that the gate gives for an undefined level; "" if the gate has not checked the items."""
    is_spare: bool
    """Whether the gate `necessity` found a piece of evidence that the answer does not need."""
    items: int = 1
    undefined: str | None = None
    """Kind of an undefined level, a key of UNDEFINED_REASONS; None = defined, or measured before verdicts had a kind."""


@dataclass(frozen=True, slots=True)
class LevelTable:
    """The numbers of items by declared level and measured level."""

    cells: Mapping[tuple[int, int | None], int]
    """Dict from (declared level, measured level) to the number of items; a measured level of None = undefined."""
    why: Mapping[str, int]
    """Dict from the reason for an undefined level to the number of items, most frequent reason first."""
    lowered: int
    """Number of items whose level the gate `necessity` lowers by one."""

    @property
    def items(self) -> int:
        return sum(self.cells.values())

    @property
    def measured(self) -> int:
        """Number of items whose measured level is defined."""
        return sum(n for (_, level), n in self.cells.items() if level is not None)

    @property
    def agreements(self) -> int:
        """Number of items whose measured level equals the declared level."""
        return sum(n for (declared, level), n in self.cells.items() if declared == level)


def cross_tabulate(groups: Iterable[AuditCell]) -> LevelTable:
    """Build the table of declared and measured levels from the numbers of items per combination of declared level and gate
    results."""
    cells: Counter[tuple[int, int | None]] = Counter()
    why: Counter[str] = Counter()
    lowered = 0
    for group in groups:
        is_lower = group.is_spare and group.measured in LOWERED_LEVELS
        cells[group.declared, None if group.measured is None else group.measured - is_lower] += group.items
        lowered += is_lower * group.items
        if group.measured is None:
            why[_explain_undefined(group)] += group.items
    return LevelTable(dict(cells), dict(why.most_common()), lowered)


def _explain_undefined(group: AuditCell) -> str:
    if group.undefined in UNDEFINED_REASONS:
        return UNDEFINED_REASONS[group.undefined]
    return group.why.removeprefix(_OLD_PREFIX).rstrip(".") or NEVER_MEASURED


def audit_levels(items: Iterable[Item], verdicts: Iterable[Verdict]) -> LevelTable:
    """Build the table of declared and measured levels for items with a declared level from 1 to 4; the measured levels come
    from the current results of the gates."""
    by_gate = {(v.item, v.revision, v.gate): v for v in verdicts if v.gate in ("level", "necessity")}
    cells = []
    for item in items:
        if isinstance(item.level, int) and item.level in LEVELS:
            level, necessity = (by_gate.get((item.id, item.revision, gate)) for gate in ("level", "necessity"))
            details, why = (level.details, level.why) if level else ({}, "")
            is_spare = necessity is not None and necessity.outcome == "flag"
            cells.append(AuditCell(item.level, details.get("measured"), why, is_spare, undefined=details.get("undefined")))
    return cross_tabulate(cells)
