"""How the figures of the progress page are printed: a dash for none, shares in percent, durations as
exactly as they matter."""

from typing import Any

from pages.parts.evaluate.results.figures import DASH


def percent(value: float | None, n: int | None = None) -> dict[str, Any]:
    """A share 0..1, with what it is a share of beneath."""
    if value is None:
        return {"text": DASH, "muted": True}
    return {"text": f"{value:.1%}".replace("%", " %"), "sub": "" if n is None else f"of {n:,}"}


def duration(seconds: float | None) -> str:
    """Seconds, minutes or hours."""
    if seconds is None:
        return DASH
    if seconds < 120:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def timed(seconds: float | None, n: int) -> dict[str, Any]:
    """A duration, with its n beneath."""
    return {"text": DASH, "muted": True} if seconds is None else {"text": duration(seconds), "sub": f"n={n:,}", "whole": True}


def score(value: float | None, n: int) -> dict[str, Any]:
    """A figure from 0 to 1, with its n beneath."""
    return {"text": DASH, "muted": True} if value is None else {"text": f"{value:.3f}", "sub": f"n={n:,}", "whole": True}


def number(value: int) -> dict[str, Any]:
    """A count; nothing stands back."""
    return {"text": f"{value:,}", "muted": not value}


def things(n: int, one: str) -> str:
    """3 items, 1 item."""
    return f"{n:,} {one}" if n == 1 else f"{n:,} {one}s"
