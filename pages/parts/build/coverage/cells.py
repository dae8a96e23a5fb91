"""Cells of the coverage tables: counts in the colours of a heat map, and shares."""

from collections.abc import Mapping, Sequence
from typing import Any

from pages.parts.ui.grid import level_name
from workbench.build.corpus.coverage import HeatMapColumn, KindCount


def heads(columns: Sequence[HeatMapColumn]) -> list[dict[str, Any]]:
    """A column a task and level."""
    return [{"label": _label(column), "align": "center"} for column in columns]


def counted(
    counts: Mapping[HeatMapColumn, KindCount], columns: Sequence[HeatMapColumn], most: int | None
) -> list[dict[str, Any]]:
    """Items of each column, `most` in the full colour and none hatched; without `most` no colours."""
    return [_cell(counts.get(column, KindCount()), most) for column in columns]


def most_of(every: Sequence[Mapping[HeatMapColumn, KindCount]]) -> int:
    """The highest count of all."""
    return max((count.items for counts in every for count in counts.values()), default=0)


def share(value: float | None) -> str:
    """A share in per cent; a dash where there is none."""
    return "–" if value is None else f"{value:.0%}".replace("%", "\u00a0%")


def legend(most: int) -> dict[str, Any]:
    """What the colours mean."""
    return {"low": "1", "high": f"{max(1, most):,}", "text": "accepted and drafted items; hatched = none", "diverging": False}


def _cell(count: KindCount, most: int | None) -> dict[str, Any]:
    told = {
        "text": f"{count.items:,}",
        "sub": f"{count.accepted:,} accepted" if count.items else "",
        "help": f"{count.accepted:,} accepted, {count.drafted:,} drafted",
    }
    if most is None:
        return told
    return told | {"heat": count.items / max(1, most)} if count.items else {"text": "", "heat": None, "help": "no item"}


def _label(column: HeatMapColumn) -> str:
    words = column.task.replace("_", " ")
    return words if column.level is None else f"{words}, {level_name(column.level).lower()}"
