"""A radar with its forest plot beside it, as SVG written by hand: the radar shows the shape, the forest the same figures with
their intervals, which a radar cannot. The same bytes for the same figures."""

import math
from collections.abc import Sequence
from html import escape
from itertools import pairwise

from eval.figures.drawing import COLOURS, PlottedValue

SIZE, REACH, MIDDLE, DEEP = 400, 108, 195, 165
"""Pixels: width of the radar's half, from its middle to its rim, its middle from the left and from above."""
NAMES, SCALE, FIGURES = 150, 250, 170
"""Pixels of the forest: names at least, the scale, figures beside it at least."""
LETTER = 6.2
"""Pixels of a letter of these, about."""
LINE, HEAD = 17, 56
"""Pixels of a line of the forest, and above the first one."""
LONGEST, AXIS = 60, 15
"""Characters of a system's name in a line of the forest, where the key has the whole; and of a line of an axis's name."""

Curve = tuple[str, Sequence[PlottedValue]]


def draw_radar_and_forest(
    axes: Sequence[str], curves: Sequence[Curve], notes: Sequence[Sequence[str]], top: float, ring: float | None = None
) -> str:
    """A value a curve and axis, from 0 to `top`; `ring` = what is marked as the reference. `notes` = by curve and axis, words
    beside the figure. With fewer than three axes there is no radar: the forest stands alone."""
    has_radar = len(axes) > 2
    left = SIZE if has_radar else 0
    names = max(NAMES, *(math.ceil(min(len(name), LONGEST) * LETTER) + 16 for name, _ in curves))
    figures = max(FIGURES, *(math.ceil(len(told) * LETTER) + 16 for own in notes for told in own))
    body = [_radar(axes, curves, top, ring)] if has_radar else []
    body.append(f'<g transform="translate({left} 0)">{_forest(axes, curves, notes, top, ring, names)}</g>')
    rows = sum(len(curves) * LINE + 24 for _ in axes) + HEAD
    key = 2 * DEEP + 20 if has_radar else rows + 10
    for number, (name, _) in enumerate(curves):
        y = key + 20 * number
        body.append(f'<circle cx="20" cy="{y}" r="5" fill="{_colour(number)}"/><text x="34" y="{y + 4}">{escape(name)}</text>')
    width, height = left + names + SCALE + figures, max(rows, key + 20 * len(curves)) + 4
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12" fill="#222">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(body)
        + "\n</svg>"
    )


def _radar(axes: Sequence[str], curves: Sequence[Curve], top: float, ring: float | None) -> str:
    parts = []
    for tick in (0.25, 0.5, 0.75, 1.0):
        parts.append(
            _draw_polygon([_place_point(axis, len(axes), tick) for axis in range(len(axes))], 'fill="none" stroke="#ddd"')
        )
        x, y = _place_point(0, len(axes), tick)
        parts.append(f'<text x="{x + 4}" y="{y + 12}" font-size="10" fill="#666">{top * tick:g}</text>')
    if ring is not None:
        corners = [_place_point(axis, len(axes), ring / top) for axis in range(len(axes))]
        parts.append(_draw_polygon(corners, 'fill="none" stroke="#555" stroke-dasharray="4 3"'))
    for axis, name in enumerate(axes):
        x, y = _place_point(axis, len(axes), 1.0)
        parts.append(f'<line x1="{MIDDLE}" y1="{DEEP}" x2="{x}" y2="{y}" stroke="#ddd"/>{_label(axis, len(axes), name)}')
    for number, (_, places) in enumerate(curves):
        parts.append(_shape(number, places, top))
    return "\n".join(parts)


def _label(axis: int, axes: int, name: str) -> str:
    """In two lines: all but its last word over that."""
    x, y = _place_point(axis, axes, 1.17)
    anchor = "middle" if abs(x - MIDDLE) < 12 else "start" if x > MIDDLE else "end"
    lines = [line if len(line) <= AXIS else f"{line[: AXIS - 1]}…" for line in name.rsplit(" ", 1)]
    return "".join(
        f'<text x="{x}" y="{y + 4 + 14 * (place - (len(lines) - 1) / 2):.1f}" text-anchor="{anchor}">{escape(line)}</text>'
        for place, line in enumerate(lines)
    )


def _shape(number: int, places: Sequence[PlottedValue], top: float) -> str:
    """Neighbours that both have a value are joined: an axis without one leaves a gap, and is not 0."""
    colour, corners = _colour(number), []
    for axis, place in enumerate(places):
        corners.append(None if place.value is None else _place_point(axis, len(places), min(place.value / top, 1.0)))
    parts = [
        f'<line x1="{a[0]}" y1="{a[1]}" x2="{b[0]}" y2="{b[1]}" stroke="{colour}" stroke-width="1.6"/>'
        for a, b in pairwise([*corners, corners[0]])
        if a and b
    ]
    parts += [f'<circle cx="{one[0]}" cy="{one[1]}" r="3.5" fill="{colour}"/>' for one in corners if one]
    return "".join(parts)


def _forest(
    axes: Sequence[str], curves: Sequence[Curve], notes: Sequence[Sequence[str]], top: float, ring: float | None, left: int
) -> str:
    """`left` = pixels of the names, from which the scale begins."""
    bottom = HEAD + len(axes) * (len(curves) * LINE + 24) - 12
    parts = []
    for tick in range(5):
        x = _scale_across(top * tick / 4, top, left)
        parts.append(
            f'<line x1="{x}" y1="{HEAD - 18}" x2="{x}" y2="{bottom}" stroke="#e4e4e4"/>'
            f'<text x="{x}" y="{HEAD - 24}" text-anchor="middle">{top * tick / 4:g}</text>'
        )
    if ring is not None:
        x = _scale_across(ring, top, left)
        parts.append(f'<line x1="{x}" y1="{HEAD - 18}" x2="{x}" y2="{bottom}" stroke="#555" stroke-dasharray="4 3"/>')
    y = HEAD
    for axis, title in enumerate(axes):
        parts.append(f'<text x="4" y="{y + 6}" font-weight="bold">{escape(title)}</text>')
        for number, (name, places) in enumerate(curves):
            y += LINE
            parts.append(_interval(number, name, places[axis], notes[number][axis], y + 4, top, left))
        y += 24
    return "\n".join(parts)


def _interval(number: int, name: str, place: PlottedValue, told: str, y: int, top: float, left: int) -> str:
    """An end beyond the scale is an arrow."""
    colour, short = _colour(number), name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    parts = [
        f'<text x="{left - 8}" y="{y + 4}" text-anchor="end" font-size="11">{escape(short)}</text>',
        f'<text x="{left + SCALE + 10}" y="{y + 4}" font-size="11">{escape(told)}</text>',
    ]
    if place.low is not None and place.high is not None:
        low, high = _scale_across(place.low, top, left), _scale_across(place.high, top, left)
        parts.append(f'<line x1="{low}" y1="{y}" x2="{high}" y2="{y}" stroke="{colour}" stroke-width="1.6"/>')
        if place.high > top:
            parts.append(f'<polygon points="{high + 6},{y} {high},{y - 4} {high},{y + 4}" fill="{colour}"/>')
    if place.value is not None and place.value <= top:
        parts.append(f'<circle cx="{_scale_across(place.value, top, left)}" cy="{y}" r="4" fill="{colour}"/>')
    return "".join(parts)


def find_scale_end(places: Sequence[PlottedValue], ring: float, most: float) -> float:
    """A round end of the scale that holds every value and interval, at most `most`."""
    ends = [end for place in places for end in (place.value, place.high) if end is not None]
    wanted = min(max([*ends, ring]) * 1.02, most)
    return next(step for step in (1.0, 1.2, 1.6, 2.0, 2.4, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 20.0, most) if step >= wanted)


def _place_point(axis: int, axes: int, share: float) -> tuple[float, float]:
    angle = 2 * math.pi * axis / axes - math.pi / 2
    return round(MIDDLE + REACH * share * math.cos(angle), 1), round(DEEP + REACH * share * math.sin(angle), 1)


def _draw_polygon(corners: Sequence[tuple[float, float]], style: str) -> str:
    return f'<polygon points="{" ".join(f"{x},{y}" for x, y in corners)}" {style}/>'


def _scale_across(value: float, top: float, left: int) -> float:
    return round(left + SCALE * min(max(value / top, 0.0), 1.0), 1)


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
