"""Draw line charts: panels with categories on the x axis, one line per name, and a value with its interval at each category.
Lines differ in marker shape as well as in colour."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from statistics import fmean
from typing import Self

from eval.figures.svg import COLOURS, LETTER_PIXELS, TICKS, frame, line, scale_value, tag, text
from eval.page import HasInterval

MAX_LINES = len(COLOURS)
"""Maximum number of lines in one drawing, because each has its own colour."""
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 840, 260, 46, 34, 62
"""Sizes of a line chart, in pixels: the width of a row of panels, the height of a panel, and the left, top and bottom
margins."""
MAX_NAME_LETTERS = 13
"""Maximum number of letters of a slanted axis name; a longer name is shortened, and its tooltip shows it in full."""


@dataclass(frozen=True, slots=True)
class PlottedValue:
    """One value to draw, with the ends of its interval; None = missing, so not drawn."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @classmethod
    def from_interval(cls, estimate: HasInterval | None, scale: float = 1.0) -> Self:
        """Return the estimate's mean with its interval, multiplied by `scale`; if `estimate` is None, a missing value, which is
        not drawn."""
        ends = (estimate.mean, estimate.low, estimate.high) if estimate else (None, None, None)
        return cls(*(None if end is None else end * scale for end in ends))


Line = tuple[str, Sequence[PlottedValue]]
"""One line of a chart: a name, and its values in the order of the places on the x axis."""


@dataclass(frozen=True, slots=True)
class FigurePanel:
    """One panel of a chart: categories on the x axis, and one line per name."""

    title: str
    axis: Sequence[str]
    lines: Sequence[Line]


def draw_panels(
    panels: Sequence[FigurePanel], across: int = 2, top: float = 1.0, bottom: float = 0.0, is_low_good: bool = False
) -> str:
    """Return an SVG with `across` panels per row, all with a y axis from `bottom` to `top`, and one legend below. If there are
    more lines than colours, those with the highest means (or, with `is_low_good`, the lowest means) are drawn, and the legend
    says how many are left out. A line without values is not drawn."""
    names, left_out = _choose_lines(panels, is_low_good)
    across = min(across, len(panels))
    rows, width = -(-len(panels) // across), WIDTH // across
    body = []
    for i, panel in enumerate(panels):
        corner = width * (i % across), HEIGHT * (i // across)
        body.append(_draw_panel(panel, width, corner, (bottom, top), names))
    columns = 1 if any(len(name) * LETTER_PIXELS > WIDTH / 2 - LEFT - 38 for name in names) else 2
    for i, name in enumerate(names):
        x, y = LEFT + WIDTH // 2 * (i % columns), HEIGHT * rows + 20 + 24 * (i // columns)
        body += [line((x, y), (x + 28, y), COLOURS[i], stroke_width=2), _draw_mark(i, x + 14, y), text(x + 38, y + 4, name)]
    height = HEIGHT * rows + 24 * -(-len(names) // columns) + 16
    if left_out:
        body.append(text(LEFT, height + 4, left_out, font_style="italic"))
        height += 20
    return frame(WIDTH, height, body)


def _choose_lines(panels: Sequence[FigurePanel], is_low_good: bool) -> tuple[list[str], str]:
    """Return (names of the lines to draw, in order; a sentence that says how many lines are left out, or "")."""
    values: dict[str, list[float]] = {}
    for name, places in (curve for panel in panels for curve in panel.lines):
        values.setdefault(name, []).extend(place.value for place in places if place.value is not None)
    lines = [name for name in values if values[name]]
    first = sorted(lines, key=lambda name: fmean(values[name]), reverse=not is_low_good)[:MAX_LINES]
    extra, empty = len(lines) - MAX_LINES, len(values) - len(lines)
    parts = [f"{extra} more, none with a {'lower' if is_low_good else 'higher'} mean"] if extra > 0 else []
    parts += [f"{empty} without a value"] if empty else []
    return [name for name in lines if name in first], f"Not drawn: {', '.join(parts)}. The table has all." if parts else ""


def _draw_panel(
    panel: FigurePanel, width: int, corner: tuple[int, int], ends: tuple[float, float], names: Sequence[str]
) -> str:
    inner, bottom = width - LEFT - 14, HEIGHT - BOTTOM

    def height(value: float) -> float:
        return scale_value(value, *ends, bottom, TOP)

    parts = [text(LEFT, 20, panel.title, font_weight="bold")]
    for tick in TICKS:
        value = ends[0] + tick * (ends[1] - ends[0])
        parts.append(line((LEFT, height(value)), (LEFT + inner, height(value)), "#ddd"))
        parts.append(text(LEFT - 6, height(value) + 4, f"{value:g}", "end"))
    step = inner / max(len(panel.axis), 1)
    is_level = all(len(name) * LETTER_PIXELS < step for name in panel.axis)
    parts += [_draw_axis_name(name, LEFT + step * (i + 0.5), bottom + 16, is_level) for i, name in enumerate(panel.axis)]
    for name, values in panel.lines:
        if name not in names:
            continue
        number = names.index(name)
        shift = (number - (len(names) - 1) / 2) * min(4.0, step / (2 * max(len(names), 1)))
        spots = [(LEFT + step * (i + 0.5) + shift, value) for i, value in enumerate(values)]
        for (x1, a), (x2, b) in pairwise(spots):  # join only neighbouring places that both have a value
            if a.value is not None and b.value is not None:
                parts.append(line((x1, height(a.value)), (x2, height(b.value)), COLOURS[number], stroke_width=1.6))
        for x, spot in spots:
            if spot.low is not None and spot.high is not None:
                interval = (x, height(spot.low)), (x, height(spot.high))
                parts.append(line(*interval, COLOURS[number], stroke_width=1, opacity=0.6))
            if spot.value is not None:
                parts.append(_draw_mark(number, x, height(spot.value)))
    return tag("g", "\n".join(parts), transform=f"translate({corner[0]} {corner[1]})")


def _draw_axis_name(name: str, x: float, y: float, is_level: bool) -> str:
    """Return the SVG of a category's name below the x axis. The name is horizontal if `is_level`, i.e. if all names of the axis
    fit; else it is slanted, and shortened if it is long."""
    if is_level:
        return text(x, y + 5, name, "middle")
    short = name if len(name) <= MAX_NAME_LETTERS else f"{name[: MAX_NAME_LETTERS - 1]}…"
    words = text(x, y, short, "end", transform=f"rotate(-35 {x:.1f} {y})")
    return words.replace("</text>", f"{tag('title', escape(name))}</text>")


def _draw_mark(number: int, x: float, y: float) -> str:
    """Return the SVG marker of the line with this number: a circle, square, diamond or triangle."""
    shape, fill = number % 4, COLOURS[number]
    if shape == 0:
        return tag("circle", cx=x, cy=y, r=4, fill=fill)
    if shape == 1:
        return tag("rect", x=x - 3.5, y=y - 3.5, width=7, height=7, fill=fill)
    points = ((0, -5), (5, 0), (0, 5), (-5, 0)) if shape == 2 else ((0, -5), (5, 4), (-5, 4))
    return tag("polygon", points=" ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points), fill=fill)
