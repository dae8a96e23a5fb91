"""Drawings written as SVG by hand: no library, no script, no font of its own; the same bytes for the same figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from statistics import fmean

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999", "#6a3d9a", "#8c564b")
"""Okabe and Ito's eight, told apart by people who see colours differently, and two more, so that each kind of wording has one;
the marks' shapes tell the lines apart too."""
MAX_LINES = len(COLOURS)
"""Lines of one drawing: a colour each."""
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 840, 260, 46, 34, 62
"""Pixels of a whole row of panels, of a panel's height, and of what stands around its inner part."""
LETTER = 6.6
"""Pixels of a letter, about."""
MAX_NAME_LETTERS = 13
"""Letters of a name that stands aslant under an axis; the cut ones are told in full when one points at them."""


@dataclass(frozen=True, slots=True)
class PlottedValue:
    """One value with its interval; None draws nothing."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class FigurePanel:
    """One coordinate system: places on the axis, a line per name."""

    title: str
    axis: Sequence[str]
    lines: Sequence[tuple[str, Sequence[PlottedValue]]]


def draw_panels(
    panels: Sequence[FigurePanel], across: int = 2, top: float = 1.0, bottom: float = 0.0, is_low_good: bool = False
) -> str:
    """Panels in rows of `across`, all from `bottom` to `top`, one legend under them. Of more lines than there are colours those
    with the highest means are drawn, with `is_low_good` the lowest, and the legend says how many are not; a line without any
    value is none."""
    names, left_out = _choose_lines(panels, is_low_good)
    across = min(across, len(panels))
    rows, width = -(-len(panels) // across), WIDTH // across
    body = [
        _panel(p, width, (width * (i % across), HEIGHT * (i // across)), (bottom, top), names) for i, p in enumerate(panels)
    ]
    columns = 1 if any(len(name) * LETTER > WIDTH / 2 - LEFT - 38 for name in names) else 2
    for i, name in enumerate(names):
        x, y = LEFT + WIDTH // 2 * (i % columns), HEIGHT * rows + 20 + 24 * (i // columns)
        line = f'<line x1="{x}" y1="{y}" x2="{x + 28}" y2="{y}" stroke="{COLOURS[i]}" stroke-width="2"/>'
        body.append(f'{line}{_mark(i, x + 14, y)}<text x="{x + 38}" y="{y + 4}">{escape(name)}</text>')
    height = HEIGHT * rows + 24 * -(-len(names) // columns) + 16
    if left_out:
        body.append(f'<text x="{LEFT}" y="{height + 4}" font-style="italic">{escape(left_out)}</text>')
        height += 20
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="sans-serif" font-size="12" fill="#222">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(body)
        + "\n</svg>"
    )


def _choose_lines(panels: Sequence[FigurePanel], is_low_good: bool) -> tuple[list[str], str]:
    """(names of the lines that are drawn, in order; what is said of the others)."""
    values: dict[str, list[float]] = {}
    for name, places in (line for panel in panels for line in panel.lines):
        values.setdefault(name, []).extend(place.value for place in places if place.value is not None)
    lines = [name for name in values if values[name]]
    first = sorted(lines, key=lambda name: fmean(values[name]), reverse=not is_low_good)[:MAX_LINES]
    told = (
        [f"{len(lines) - MAX_LINES} more, none with a {'lower' if is_low_good else 'higher'} mean"]
        if len(lines) > MAX_LINES
        else []
    )
    told += [f"{len(values) - len(lines)} without a value"] if len(lines) < len(values) else []
    return [name for name in lines if name in first], f"Not drawn: {', '.join(told)}. The table holds all." if told else ""


def _panel(panel: FigurePanel, width: int, corner: tuple[int, int], ends: tuple[float, float], names: Sequence[str]) -> str:
    inner, bottom = width - LEFT - 14, HEIGHT - BOTTOM
    x, y = corner
    parts = [f'<g transform="translate({x} {y})"><text x="{LEFT}" y="20" font-weight="bold">{escape(panel.title)}</text>']
    for tick in range(5):
        value = ends[0] + tick / 4 * (ends[1] - ends[0])
        at = _height(value, ends)
        parts.append(f'<line x1="{LEFT}" y1="{at}" x2="{LEFT + inner}" y2="{at}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{value:g}</text>')
    step = inner / max(len(panel.axis), 1)
    is_level = all(len(name) * LETTER < step for name in panel.axis)
    parts += [_draw_axis_name(name, LEFT + step * (i + 0.5), bottom + 16, is_level) for i, name in enumerate(panel.axis)]
    for name, places in panel.lines:
        if name not in names:
            continue
        number = names.index(name)
        shift = (number - (len(names) - 1) / 2) * min(4.0, step / (2 * max(len(names), 1)))
        parts.append(_line(number, [(LEFT + step * (i + 0.5) + shift, place) for i, place in enumerate(places)], ends))
    return "\n".join([*parts, "</g>"])


def _draw_axis_name(name: str, x: float, y: float, is_level: bool) -> str:
    """A name under the axis: aslant, and cut where it is long, unless all have room."""
    if is_level:
        return f'<text x="{x:.1f}" y="{y + 5}" text-anchor="middle">{escape(name)}</text>'
    shown = name if len(name) <= MAX_NAME_LETTERS else f"{name[: MAX_NAME_LETTERS - 1]}…"
    turned = f'transform="rotate(-35 {x:.1f} {y})"'
    return f'<text x="{x:.1f}" y="{y}" text-anchor="end" {turned}>{escape(shown)}<title>{escape(name)}</title></text>'


def _line(number: int, places: Sequence[tuple[float, PlottedValue]], scale: tuple[float, float]) -> str:
    """Neighbours that both have a value are joined; an interval is a thin upright line."""
    colour, parts = COLOURS[number], []
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
    colour = COLOURS[number]
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
