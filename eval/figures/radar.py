"""Draw a radar chart with a forest plot beside it: the radar shows the values as an outline, and the forest plot shows the same
values with their intervals."""

import math
from collections.abc import Sequence
from itertools import pairwise

from eval.figures.drawing import Line, PlottedValue
from eval.figures.svg import TICKS, colour, frame, line, scale_value, tag, text

SIZE, REACH, MIDDLE, DEEP = 400, 108, 195, 165
"""Sizes of a radar chart, in pixels: the width of its half of the drawing, its radius, and the x and y of its centre."""
NAMES, SCALE, FIGURES = 150, 250, 170
"""Sizes of a forest plot, in pixels: the minimum width of the names, the width of the scale, and the minimum width of the
values beside it."""
LETTER_PIXELS = 6.2
"""Approximate width of a letter in pixels."""
LINE, HEAD, SPACE = 17, 56, 24
"""Heights in a forest plot, in pixels: a line, the space above the first line, and the space after an axis."""
MAX_NAME_LETTERS, MAX_AXIS_LETTERS = 60, 15
"""Maximum number of letters in a system's name in the forest plot (the legend shows the full name), and in one line of an axis
name."""
REFERENCE = {"stroke": "#555", "stroke_dasharray": "4 3"}


def draw_radar_and_forest(
    axes: Sequence[str], curves: Sequence[Line], notes: Sequence[Sequence[str]], top: float, ring: float | None = None
) -> str:
    """Return an SVG of a radar and a forest plot, with one value from 0 to `top` per curve and axis. `ring` is a reference
    value, drawn as a ring and as a vertical line; `notes` are the texts beside the values, by curve and axis. With fewer than
    three axes, only the forest plot is drawn."""
    has_radar = len(axes) > 2
    left = SIZE if has_radar else 0
    names = max(NAMES, *(math.ceil(min(len(name), MAX_NAME_LETTERS) * LETTER_PIXELS) + 16 for name, _ in curves))
    figures = max(FIGURES, *(math.ceil(len(note) * LETTER_PIXELS) + 16 for own in notes for note in own))
    body = [_draw_radar(axes, curves, top, ring)] if has_radar else []
    body.append(tag("g", _draw_forest(axes, curves, notes, top, ring, names), transform=f"translate({left} 0)"))
    rows = len(axes) * (len(curves) * LINE + SPACE) + HEAD
    key = 2 * DEEP + 20 if has_radar else rows + 10
    for number, (name, _) in enumerate(curves):
        y = key + 20 * number
        body.append(tag("circle", cx=20, cy=y, r=5, fill=colour(number)) + text(34, y + 4, name))
    return frame(left + names + SCALE + figures, max(rows, key + 20 * len(curves)) + 4, body)


def _draw_radar(axes: Sequence[str], curves: Sequence[Line], top: float, ring: float | None) -> str:
    n = len(axes)
    rings = [_draw_ring(n, share, stroke="#ddd") for share in TICKS[1:]]
    x, y = _place_point(0, n, 0.0)
    scale = [text(x + 4, y + 12 - REACH * share, f"{top * share:g}", font_size=10, fill="#666") for share in TICKS[1:]]
    parts = [*rings, *scale, *([_draw_ring(n, ring / top, **REFERENCE)] if ring is not None else [])]
    for axis, name in enumerate(axes):
        parts += [line((MIDDLE, DEEP), _place_point(axis, n, 1.0), "#ddd"), _draw_label(axis, n, name)]
    for number, (_, values) in enumerate(curves):  # an axis without a value leaves a gap, because a missing value is not 0
        ends = [None if spot.value is None else min(spot.value / top, 1.0) for spot in values]
        corners = [None if end is None else _place_point(axis, n, end) for axis, end in enumerate(ends)]
        pairs = [(a, b) for a, b in pairwise([*corners, corners[0]]) if a and b]
        parts += [line(a, b, colour(number), stroke_width=1.6) for a, b in pairs]
        parts += [tag("circle", cx=spot[0], cy=spot[1], r=3.5, fill=colour(number)) for spot in corners if spot]
    return "\n".join(parts)


def _draw_ring(axes: int, share: float, **style: object) -> str:
    corners = [_place_point(axis, axes, share) for axis in range(axes)]
    return tag("polygon", points=" ".join(f"{x},{y}" for x, y in corners), fill="none", **style)


def _draw_label(axis: int, axes: int, name: str) -> str:
    """Return the SVG of an axis name in two lines, with its last word on the second line."""
    x, y = _place_point(axis, axes, 1.17)
    anchor = "middle" if abs(x - MIDDLE) < 12 else "start" if x > MIDDLE else "end"
    lines = [_cut(words, MAX_AXIS_LETTERS) for words in name.rsplit(" ", 1)]
    return "".join(text(x, y + 4 + 14 * (at - (len(lines) - 1) / 2), words, anchor) for at, words in enumerate(lines))


def _draw_forest(
    axes: Sequence[str], curves: Sequence[Line], notes: Sequence[Sequence[str]], top: float, ring: float | None, left: int
) -> str:
    """Return the SVG of the forest plot; its scale begins at the x position `left`, in pixels."""
    bottom = HEAD + len(axes) * (len(curves) * LINE + SPACE) - 12

    def scale_x(value: float) -> float:
        return scale_value(value, 0, top, left, left + SCALE)

    def upright(value: float, **style: object) -> str:
        return line((scale_x(value), HEAD - 18), (scale_x(value), bottom), **style)  # type: ignore[arg-type]

    parts = []
    for tick in TICKS:
        parts += [upright(top * tick, stroke="#e4e4e4"), text(scale_x(top * tick), HEAD - SPACE, f"{top * tick:g}", "middle")]
    if ring is not None:
        parts.append(upright(ring, **REFERENCE))
    y = HEAD
    for axis, title in enumerate(axes):
        parts.append(text(4, y + 6, title, font_weight="bold"))
        for number, (name, values) in enumerate(curves):
            y += LINE
            at, spot, stroke = y + 4, values[axis], colour(number)
            parts.append(text(left - 8, at + 4, _cut(name, MAX_NAME_LETTERS), "end", font_size=11))
            parts.append(text(left + SCALE + 10, at + 4, notes[number][axis], font_size=11))
            if spot.low is not None and spot.high is not None:
                high = scale_x(spot.high)
                parts.append(line((scale_x(spot.low), at), (high, at), stroke, stroke_width=1.6))
                if spot.high > top:  # draw an arrow for an interval that exceeds the scale
                    arrow = f"{high + 6},{at} {high},{at - 4} {high},{at + 4}"
                    parts.append(tag("polygon", points=arrow, fill=stroke))
            if spot.value is not None and spot.value <= top:
                parts.append(tag("circle", cx=scale_x(spot.value), cy=at, r=4, fill=stroke))
        y += SPACE
    return "\n".join(parts)


def find_scale_end(values: Sequence[PlottedValue], ring: float, limit: float) -> float:
    """Return a round number, at most `limit`, as the upper end of a scale on which every value and interval fits."""
    ends = [end for spot in values for end in (spot.value, spot.high) if end is not None]
    needed = min(max([*ends, ring]) * 1.02, limit)
    return next(step for step in (1.0, 1.2, 1.6, 2.0, 2.4, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 20.0, limit) if step >= needed)


def _place_point(axis: int, axes: int, share: float) -> tuple[float, float]:
    angle = 2 * math.pi * axis / axes - math.pi / 2
    return round(MIDDLE + REACH * share * math.cos(angle), 1), round(DEEP + REACH * share * math.sin(angle), 1)


def _cut(words: str, letters: int) -> str:
    return words if len(words) <= letters else f"{words[: letters - 1]}…"
