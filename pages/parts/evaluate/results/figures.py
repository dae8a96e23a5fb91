"""Formats of figures on every page of the evaluation: the same digits everywhere, and a dash with a reason if there is none."""

from collections.abc import Callable, Mapping
from typing import Any

DASH = "–"


def mean(value: float | None, digits: int = 3) -> str:
    """Format a mean on the metric's own scale."""
    return DASH if value is None else f"{value:z.{digits}f}"


def format_difference(value: float | None, digits: int = 3) -> str:
    """Format a difference with a sign as wide as a plus; a value that rounds to 0 has no sign."""
    text = DASH if value is None else f"{value:+z.{digits}f}".replace("-", "\u2212")
    return text if text.strip("+0.") else text.removeprefix("+")


def interval(low: float | None, high: float | None, print_end: Callable[[float], str] = mean) -> str:
    """Format an interval as two ends in brackets; "" if there is none."""
    return "" if low is None or high is None else f"[{print_end(low)}, {print_end(high)}]"


def p_value(value: float | None) -> str:
    """Format a p-value with three digits, never as 0."""
    return "<0.001" if value is not None and value < 0.001 else mean(value)


def money(value: float | None) -> str:
    """Format US dollars, with two significant digits below 1."""
    if value is None:
        return DASH
    return "0" if value == 0 else f"{value:.2f}" if value >= 1 else f"{value:.2g}"


def seconds(value: float | None) -> str:
    """Format seconds with two decimals below 100."""
    return DASH if value is None else f"{value:.2f} s" if value < 100 else f"{value:.0f} s"


def level(value: object) -> str:
    """Return the name of a level in the head of a table."""
    return "no level" if value is None else f"L{value}" if str(value).isdigit() else str(value)


def figure(cell: Mapping[str, Any] | None, digits: int = 3) -> dict[str, Any]:
    """Format a cell of a report as a cell of a table: the mean with its interval and n in small print, or the reason why there
    is no mean."""
    if cell is None:
        return {"text": DASH, "muted": True, "help": "This run has no score of this metric."}
    counts = list_counts(cell)
    if cell["mean"] is None:
        why = cell.get("why", "nothing scored")
        return {"text": DASH, "muted": True, "help": "; ".join([why, *counts]), "sub": why}
    judged = "judge not calibrated" if cell.get("calibrated") is False else ""
    ends = interval(cell["low"], cell["high"], lambda end: mean(end, digits))
    small = "\n".join(filter(None, [ends, f"n={cell['n']}", judged]))
    return {"text": mean(cell["mean"], digits), "sub": small, "mark": cell.get("mark"), "help": "; ".join(counts)}


def list_counts(cell: Mapping[str, Any]) -> list[str]:
    """Describe how many answers of a report's cell failed and how many have no score."""
    return [f"{cell[name]} {name}" for name in ("failed", "unscored") if cell.get(name)]
