"""Cells of the coverage tables: item counts coloured as a heat map, and shares in percent."""

from collections.abc import Mapping, Sequence
from typing import Any

from pages.parts.ui.grid import columns, level_name
from workbench.annotate.desk.guidelines import name_task
from workbench.build.corpus.coverage import HeatMapColumn, KindCount


def count_columns(kinds: Sequence[HeatMapColumn]) -> list[dict[str, Any]]:
    """Return one table column per task and level."""
    words = [name_task(kind.task) + ("" if kind.level is None else f", {level_name(kind.level).lower()}") for kind in kinds]
    return columns(*words, align="center")


def count_cells(
    counts: Mapping[HeatMapColumn, KindCount], kinds: Sequence[HeatMapColumn], most: int | None
) -> list[dict[str, Any]]:
    """Return the table cells with the number of items of each task and level. A count equal to `most` gets the full colour, and
    a count of zero is hatched; if `most` is None, the cells have no colours."""
    return [_count_cell(counts.get(kind, KindCount()), most) for kind in kinds]


def find_highest(every: Sequence[Mapping[HeatMapColumn, KindCount]]) -> int:
    """Return the highest item count among all cells, which gets the full colour."""
    return max((count.items for counts in every for count in counts.values()), default=0)


def share(value: float | None) -> str:
    """Format a share in percent, or a dash for None."""
    return "–" if value is None else f"{value:.0%}".replace("%", "\u00a0%")


def legend(most: int) -> dict[str, Any]:
    """Return the legend that explains the colours of the cells, as a dict for `paper_table`."""
    return {"low": "1", "high": f"{max(1, most):,}", "text": "accepted and drafted items; hatched = none", "diverging": False}


def _count_cell(count: KindCount, most: int | None) -> dict[str, Any]:
    if most is not None and not count.items:
        return {"text": "", "sub": "", "heat": None, "help": "no item"}
    cell = {
        "text": f"{count.items:,}",
        "sub": f"{count.accepted:,} accepted" if count.items else "",
        "help": f"{count.accepted:,} accepted, {count.drafted:,} drafted",
    }
    return cell if most is None else cell | {"heat": count.items / max(1, most)}
