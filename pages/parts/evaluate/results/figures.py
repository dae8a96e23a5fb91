"""Formats numbers for the pages of the menu section Evaluate, with the same number of digits everywhere; a missing value is a
dash with a reason."""

from collections.abc import Callable, Mapping
from typing import Any

DASH = "–"


def mean(value: float | None, digits: int = 3) -> str:
    """Format a mean in the metric's own units; a dash for None."""
    return DASH if value is None else f"{value:z.{digits}f}"


def format_difference(value: float | None, digits: int = 3) -> str:
    """Format a difference with a plus sign or a minus sign of the same width (U+2212); a value that rounds to 0 has no sign."""
    text = DASH if value is None else f"{value:+z.{digits}f}".replace("-", "\u2212")
    return text if text.strip("+0.") else text.removeprefix("+")


def interval(low: float | None, high: float | None, print_end: Callable[[float], str] = mean) -> str:
    """Format an interval as "[low, high]", or "" if an end is missing."""
    return "" if low is None or high is None else f"[{print_end(low)}, {print_end(high)}]"


def p_value(value: float | None) -> str:
    """Format a p-value with three digits; a value below 0.001 is "<0.001", never 0."""
    return "<0.001" if value is not None and value < 0.001 else mean(value)


def money(value: float | None) -> str:
    """Format an amount of US dollars without the currency sign, with two significant digits below 1; a dash for None."""
    if value is None:
        return DASH
    return "0" if value == 0 else f"{value:.2f}" if value >= 1 else f"{value:.2g}"


def seconds(value: float | None) -> str:
    """Format a time in seconds, with two decimals below 100; a dash for None."""
    return DASH if value is None else f"{value:.2f} s" if value < 100 else f"{value:.0f} s"


def level(value: object) -> str:
    """Return the short name of a level for a table header, such as "L2"."""
    return "no level" if value is None else f"L{value}" if str(value).isdigit() else str(value)


def figure(cell: Mapping[str, Any] | None, digits: int = 3) -> dict[str, Any]:
    """Build the table cell for a value of a report: the mean, with its interval and n in small print, or the reason why there
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
    """Return a text that says how many of the answers behind a value of a report failed, and how many have no score."""
    return [f"{cell[name]} {name}" for name in ("failed", "unscored") if cell.get(name)]
