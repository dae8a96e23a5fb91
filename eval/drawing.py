"""Drawings written as SVG by hand: no library, no script, no font of its own; the same bytes for the same figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999")
"""Okabe and Ito's, told apart by people who see colours differently; the marks' shapes tell the lines apart too."""
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 420, 260, 46, 34, 62


@dataclass(frozen=True, slots=True)
class Place:
    """One value with its interval; None draws nothing."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """One coordinate system: places on the axis, a line per name."""

    title: str
    axis: Sequence[str]
    lines: Sequence[tuple[str, Sequence[Place]]]


def panels(panels: Sequence[Panel], across: int = 2, top: float = 1.0, bottom: float = 0.0) -> str:
    """Panels in rows of `across`, all from `bottom` to `top`, one legend under them."""
    names = list(dict.fromkeys(name for panel in panels for name, _ in panel.lines))
    rows = -(-len(panels) // across)
    width, legend = WIDTH * min(across, len(panels)), 24 * len(names) + 16
    body = [_panel(p, WIDTH * (i % across), HEIGHT * (i // across), (bottom, top), names) for i, p in enumerate(panels)]
    for i, name in enumerate(names):
        y = HEIGHT * rows + 20 + 24 * i
        line = f'<line x1="{LEFT}" y1="{y}" x2="{LEFT + 28}" y2="{y}" stroke="{_colour(i)}" stroke-width="2"/>'
        body.append(f'{line}{_mark(i, LEFT + 14, y)}<text x="{LEFT + 38}" y="{y + 4}">{escape(name)}</text>')
    height = HEIGHT * rows + legend
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12" fill="#222">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(body) + "\n</svg>"
    )  # fmt: skip


def _panel(panel: Panel, x: int, y: int, ends: tuple[float, float], names: Sequence[str]) -> str:
    inner, bottom = WIDTH - LEFT - 14, HEIGHT - BOTTOM
    parts = [f'<g transform="translate({x} {y})"><text x="{LEFT}" y="20" font-weight="bold">{escape(panel.title)}</text>']
    for tick in range(5):
        value = ends[0] + tick / 4 * (ends[1] - ends[0])
        at = _height(value, ends)
        parts.append(f'<line x1="{LEFT}" y1="{at}" x2="{LEFT + inner}" y2="{at}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{value:g}</text>')
    step = inner / max(len(panel.axis), 1)
    for i, name in enumerate(panel.axis):
        at = LEFT + step * (i + 0.5)
        turned = f'transform="rotate(-35 {at:.1f} {bottom + 16})"'
        parts.append(f'<text x="{at:.1f}" y="{bottom + 16}" text-anchor="end" {turned}>{escape(name)}</text>')
    for name, places in panel.lines:
        number = names.index(name)
        shift = (number - (len(names) - 1) / 2) * min(4.0, step / (2 * max(len(names), 1)))
        parts.append(_line(number, [(LEFT + step * (i + 0.5) + shift, place) for i, place in enumerate(places)], ends))
    return "\n".join([*parts, "</g>"])


def _line(number: int, places: Sequence[tuple[float, Place]], scale: tuple[float, float]) -> str:
    """Neighbours that both have a value are joined; an interval is a thin upright line."""
    colour, parts = _colour(number), []
    for (x1, a), (x2, b) in pairwise(places):
        if a.value is not None and b.value is not None:
            ends = f'x1="{x1:.1f}" y1="{_height(a.value, scale)}" x2="{x2:.1f}" y2="{_height(b.value, scale)}"'
            parts.append(f'<line {ends} stroke="{colour}" stroke-width="1.6"/>')
    for x, place in places:
        if place.low is not None and place.high is not None:
            ends = f'x1="{x:.1f}" y1="{_height(place.low, scale)}" x2="{x:.1f}" y2="{_height(place.high, scale)}"'
            parts.append(f'<line {ends} stroke="{colour}" stroke-width="1" opacity="0.6"/>')
        if place.value is not None:
            parts.append(_mark(number, x, _height(place.value, scale)))
    return "".join(parts)


def _mark(number: int, x: float, y: float) -> str:
    """Circle, square, diamond, triangle, in turn."""
    colour = _colour(number)
    shape = number % 4
    if shape == 0:
        return f'<circle cx="{x:.1f}" cy="{y}" r="4" fill="{colour}"/>'
    if shape == 1:
        return f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" fill="{colour}"/>'
    points = ((0, -5), (5, 0), (0, 5), (-5, 0)) if shape == 2 else ((0, -5), (5, 4), (-5, 4))
    corners = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points)
    return f'<polygon points="{corners}" fill="{colour}"/>'


def _height(value: float, scale: tuple[float, float]) -> float:
    bottom, top = scale
    share = min(max((value - bottom) / (top - bottom), 0.0), 1.0)
    return round(TOP + (1 - share) * (HEIGHT - BOTTOM - TOP), 1)


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
