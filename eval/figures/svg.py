"""Write SVG elements without a library, script or custom font; the same input gives the same bytes."""

from collections.abc import Sequence
from html import escape

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999", "#6a3d9a", "#8c564b")
"""Colours of lines and bars: Okabe and Ito's eight, which people with colour blindness can tell apart, and two more, so that
each kind of wording has its own."""
LETTER_PIXELS = 6.6
"""Approximate width of a letter in pixels."""
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Positions of the grid lines on an axis, as shares (0..1) of its length."""


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """Return an SVG element. "_" in an attribute's name becomes "-", an attribute that is None is left out, and floats have one
    decimal."""
    parts = [
        f' {key.replace("_", "-")}="{f"{value:.1f}" if isinstance(value, float) else value}"'
        for key, value in attributes.items()
        if value is not None
    ]
    return f"<{name}{''.join(parts)}>{content}</{name}>" if content else f"<{name}{''.join(parts)}/>"


def text(x: float, y: float, words: str, anchor: str | None = None, **attributes: object) -> str:
    """Return an SVG text element at the position (x, y)."""
    return tag("text", escape(words) or " ", x=x, y=y, text_anchor=anchor, **attributes)


def line(start: tuple[float, float], end: tuple[float, float], stroke: str, **attributes: object) -> str:
    """Return an SVG line element from `start` to `end`."""
    return tag("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], stroke=stroke, **attributes)


def key_entry(x: float, y: float, number: int, words: str) -> str:
    """Return an entry of a legend at (x, y): a square in the colour `number`, and the label `words`."""
    return tag("rect", x=x, y=y, width=14, height=14, **fill_colour(number)) + text(x + 22, y + 12, words)


def colour(number: int) -> str:
    """Return the colour with this number; numbers beyond the last colour start again at the first."""
    return COLOURS[number % len(COLOURS)]


def fill_colour(number: int) -> dict[str, object]:
    """Return the fill attributes of the shape with this number; numbers beyond the last colour use the same colours again, but
    paler."""
    return {"fill": colour(number), "fill_opacity": 0.4 if number >= len(COLOURS) else None}


def scale_value(value: float, bottom: float, top: float, start: float, end: float) -> float:
    """Return the pixel position, between `start` and `end`, of a value on a scale from `bottom` to `top`; a value outside the
    scale is clamped to the nearest end."""
    share = min(max((value - bottom) / (top - bottom), 0.0), 1.0)
    return round(start + (end - start) * share, 1)


def frame(width: int, height: int, body: Sequence[str]) -> str:
    """Return the complete SVG document around the elements in `body`."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12" fill="#222">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(body)
        + "\n</svg>"
    )
