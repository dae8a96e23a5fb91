"""How figures are printed on every page of the evaluation: the same digits everywhere, and a dash with a reason for none."""

from collections.abc import Mapping
from typing import Any

DASH = "–"


def mean(value: float | None, digits: int = 3) -> str:
    """In the metric's own scale."""
    return DASH if value is None else f"{value:z.{digits}f}"


def signed(value: float | None, digits: int = 3) -> str:
    """A difference, with a sign that is as wide as a plus; what rounds to 0 has none."""
    said = DASH if value is None else f"{value:+z.{digits}f}".replace("-", "\u2212")
    return said if said.strip("+0.") else said.removeprefix("+")


def interval(low: float | None, high: float | None, printed: Any = mean) -> str:
    """Two ends in brackets; "" when there is none."""
    return "" if low is None or high is None else f"[{printed(low)}, {printed(high)}]"


def p_value(value: float | None) -> str:
    """Three digits, never 0."""
    return "<0.001" if value is not None and value < 0.001 else mean(value)


def money(value: float | None) -> str:
    """US dollars, two digits that count."""
    if value is None:
        return DASH
    return "0" if value == 0 else f"{value:.2f}" if value >= 1 else f"{value:.2g}"


def seconds(value: float | None) -> str:
    """Seconds, as exactly as they matter."""
    return DASH if value is None else f"{value:.2f} s" if value < 100 else f"{value:.0f} s"


def level(value: Any) -> str:
    """What a level is called in a table's head."""
    return "no level" if value is None else f"L{value}" if str(value).isdigit() else str(value)


def figure(cell: Mapping[str, Any] | None, digits: int = 3) -> dict[str, Any]:
    """A report's cell as a table's: mean, its interval and n in small print, and why when there is none."""
    if cell is None:
        return {"text": DASH, "muted": True, "help": "This run has no score of this metric."}
    counts = [f"{cell[name]} {name}" for name in ("failed", "unscored") if cell.get(name)]
    if cell["mean"] is None:
        why = cell.get("why", "nothing scored")
        return {"text": DASH, "muted": True, "help": "; ".join([why, *counts]), "sub": why}
    judged = "judge not calibrated" if cell.get("calibrated") is False else ""
    small = "\n".join(filter(None, [interval(cell["low"], cell["high"], lambda v: mean(v, digits)), f"n={cell['n']}", judged]))
    return {"text": mean(cell["mean"], digits), "sub": small, "mark": cell.get("mark"), "help": "; ".join(counts)}
