"""Bars written as SVG by hand: one whole a line, cut into its parts, or upright ones in groups; the same bytes for the same
figures."""

import math
from collections.abc import Sequence
from html import escape

from eval.figures.drawing import COLOURS, LETTER, FigurePanel, PlottedValue

WIDTH, NAMES, HIGH, GAP = 860, 260, 24, 12
"""Pixels of the drawing, of the names beside it at least, of a bar, between bars."""
MIN_LABELLED_PIXELS = 34
"""Pixels from which on a part has room for its share in words."""


def draw_stacked_bars(bars: Sequence[tuple[str, Sequence[float]]], parts: Sequence[str]) -> str:
    """A bar a name, of shares 0..1 in the order of `parts`; a bar without any is a dash."""
    left = max(NAMES, *(math.ceil(len(name) * LETTER) + 14 for name, _ in bars)) if bars else NAMES
    width = WIDTH + left - NAMES
    inner = width - left - 20
    body = [_key(number, part, left) for number, part in enumerate(parts)]
    top = 24 * len(parts) + 16
    for at, (name, shares) in enumerate(bars):
        y = top + at * (HIGH + GAP)
        body.append(f'<text x="{left - 10}" y="{y + 16}" text-anchor="end">{escape(name)}</text>')
        if not shares:
            body.append(f'<text x="{left}" y="{y + 16}">–</text>')
        x = float(left)
        for number, share in enumerate(shares):
            body.append(_part(number, x, y, share * inner, share))
            x += share * inner
    height = top + len(bars) * (HIGH + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12" fill="#222">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(body)
        + "\n</svg>"
    )


GROUPED, LEFT, TOP, FLOOR, TALL = 900, 46, 34, 200, 244
"""Pixels: width of a panel of upright bars, its left and upper edge, where bars stand, height of a panel."""


def draw_grouped_bars(panels: Sequence[FigurePanel], top: float = 1.0) -> str:
    """Upright bars from 0 to `top`, panels one under the other: a group a place on the axis, a bar a line of the panel, with
    its interval; where there is no value, a dash."""
    names = list(dict.fromkeys(name for panel in panels for name, _ in panel.lines))
    body = [_group_panel(panel, TALL * number, top, names) for number, panel in enumerate(panels)]
    foot = TALL * len(panels)
    for number, name in enumerate(names):
        y = foot + 22 * number
        body.append(
            f'<rect x="{LEFT}" y="{y}" width="14" height="14" {_fill_attribute(number)}/>'
            f'<text x="{LEFT + 22}" y="{y + 12}">{escape(name)}</text>'
        )
    height = foot + 22 * len(names) + 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {GROUPED} {height}" width="{GROUPED}" height="{height}" '
        f'font-family="sans-serif" font-size="12" fill="#222">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(body)
        + "\n</svg>"
    )


def _group_panel(panel: FigurePanel, y: int, top: float, names: Sequence[str]) -> str:
    inner = GROUPED - LEFT - 14
    parts = [f'<g transform="translate(0 {y})"><text x="{LEFT}" y="20" font-weight="bold">{escape(panel.title)}</text>']
    for tick in range(5):
        at = _upright(top * tick / 4, top)
        parts.append(f'<line x1="{LEFT}" y1="{at}" x2="{LEFT + inner}" y2="{at}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{top * tick / 4:g}</text>')
    step = inner / max(len(panel.axis), 1)
    wide = min(40.0, step * 0.8 / max(len(panel.lines), 1))
    for place, name in enumerate(panel.axis):
        middle = LEFT + step * (place + 0.5)
        parts.append(f'<text x="{middle:.1f}" y="{FLOOR + 18}" text-anchor="middle">{escape(name)}</text>')
        for number, (line, places) in enumerate(panel.lines):
            x = middle + wide * (number - len(panel.lines) / 2)
            parts.append(_bar(places[place], x, wide, top, _fill_attribute(names.index(line))))
    return "\n".join([*parts, "</g>"])


def _bar(place: PlottedValue, x: float, wide: float, top: float, filled: str) -> str:
    middle = x + wide / 2
    if place.value is None:
        return f'<text x="{middle:.1f}" y="{FLOOR - 4}" text-anchor="middle">–</text>'
    high = _upright(place.value, top)
    drawn = f'<rect x="{x + 1:.1f}" y="{high}" width="{wide - 2:.1f}" height="{max(FLOOR - high, 1):.1f}" {filled}/>'
    if place.low is None or place.high is None:
        return drawn
    ends = f'x1="{middle:.1f}" y1="{_upright(place.low, top)}" x2="{middle:.1f}" y2="{_upright(place.high, top)}"'
    return f'{drawn}<line {ends} stroke="#fff" stroke-width="3.4"/><line {ends} stroke="#222" stroke-width="1.4"/>'


def _fill_attribute(number: int) -> str:
    """From where colours come again on, they are paler."""
    return f'fill="{_colour(number)}"' + (' fill-opacity="0.4"' if number >= len(COLOURS) else "")


def _upright(value: float, top: float) -> float:
    return round(FLOOR - (FLOOR - TOP) * min(max(value / top, 0.0), 1.0), 1)


def _key(number: int, part: str, left: int) -> str:
    y = 12 + 24 * number
    square = f'<rect x="{left}" y="{y}" width="14" height="14" fill="{_colour(number)}"/>'
    return f'{square}<text x="{left + 22}" y="{y + 12}">{escape(part)}</text>'


def _part(number: int, x: float, y: int, wide: float, share: float) -> str:
    drawn = f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{HIGH}" fill="{_colour(number)}"/>'
    if wide < MIN_LABELLED_PIXELS:
        return drawn
    ink = "#fff" if number in (0, 1, 2, 6) else "#000"
    return f'{drawn}<text x="{x + wide / 2:.1f}" y="{y + 16}" text-anchor="middle" fill="{ink}">{share * 100:.0f} %</text>'


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
