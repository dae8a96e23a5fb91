"""Draw stacked horizontal bars, and grouped vertical bars."""

import math
from collections.abc import Sequence

from eval.figures.drawing import FigurePanel, PlottedValue
from eval.figures.svg import LETTER_PIXELS, TICKS, colour, fill_colour, frame, key_entry, line, scale_value, tag, text

WIDTH, NAMES, BAR, GAP = 860, 260, 24, 12
"""Sizes of a drawing of horizontal bars, in pixels: its width, the minimum width of the names, the height of a bar, and the gap
between bars."""
MIN_LABELLED_PIXELS = 34
"""Minimum width in pixels of a part of a bar; the share of a narrower part is not printed in the bar."""
DARK_COLOURS = (0, 1, 2, 6)
"""Indexes of the colours that are so dark that text on them must be white."""


def draw_stacked_bars(bars: Sequence[tuple[str, Sequence[float]]], parts: Sequence[str]) -> str:
    """Return an SVG with one horizontal bar per name, divided into the shares (0..1) of `parts`; a dash is drawn for a bar
    without shares."""
    left = max(NAMES, *(math.ceil(len(name) * LETTER_PIXELS) + 14 for name, _ in bars)) if bars else NAMES
    width = WIDTH + left - NAMES
    inner = width - left - 20
    body = [key_entry(left, 12 + 24 * number, number, part) for number, part in enumerate(parts)]
    top = 24 * len(parts) + 16
    for at, (name, shares) in enumerate(bars):
        x, y = float(left), top + at * (BAR + GAP)
        body.append(text(left - 10, y + 16, name, "end"))
        if not shares:
            body.append(text(left, y + 16, "–"))
        for number, share in enumerate(shares):
            wide = share * inner
            body.append(tag("rect", x=x, y=y, width=wide, height=BAR, fill=colour(number)))
            if wide >= MIN_LABELLED_PIXELS:
                ink = "#fff" if number in DARK_COLOURS else "#000"
                body.append(text(x + wide / 2, y + 16, f"{share * 100:.0f} %", "middle", fill=ink))
            x += wide
    return frame(width, top + len(bars) * (BAR + GAP), body)


PANEL_WIDTH, LEFT, TOP, BASE, PANEL_HEIGHT = 900, 46, 34, 200, 244
"""Sizes of a drawing of upright bars, in pixels: the width of a panel, its left and top edge, the baseline of the bars, and the
height of a panel."""


def draw_grouped_bars(panels: Sequence[FigurePanel], top: float = 1.0) -> str:
    """Return an SVG with panels of vertical bars, one panel below the other, on a scale from 0 to `top`. Each category on the x
    axis has a group of bars with intervals, one bar per line of the panel. A dash is drawn for a missing value."""
    names = list(dict.fromkeys(name for panel in panels for name, _ in panel.lines))
    body = [_draw_group(panel, PANEL_HEIGHT * number, top, names) for number, panel in enumerate(panels)]
    foot = PANEL_HEIGHT * len(panels)
    body += [key_entry(LEFT, foot + 22 * number, number, name) for number, name in enumerate(names)]
    return frame(PANEL_WIDTH, foot + 22 * len(names) + 10, body)


def _draw_group(panel: FigurePanel, y: int, top: float, names: Sequence[str]) -> str:
    inner = PANEL_WIDTH - LEFT - 14
    parts = [text(LEFT, 20, panel.title, font_weight="bold")]
    for tick in TICKS:
        at = scale_value(tick, 0, 1, BASE, TOP)
        parts += [line((LEFT, at), (LEFT + inner, at), "#ddd"), text(LEFT - 6, at + 4, f"{top * tick:g}", "end")]
    step = inner / max(len(panel.axis), 1)
    wide = min(40.0, step * 0.8 / max(len(panel.lines), 1))
    for number, name in enumerate(panel.axis):
        middle = LEFT + step * (number + 0.5)
        parts.append(text(middle, BASE + 18, name, "middle"))
        for bar, (own, values) in enumerate(panel.lines):
            x = middle + wide * (bar - len(panel.lines) / 2)
            parts.append(_draw_bar(values[number], x, wide, top, names.index(own)))
    return tag("g", "\n".join(parts), transform=f"translate(0 {y})")


def _draw_bar(bar: PlottedValue, x: float, wide: float, top: float, number: int) -> str:
    middle = x + wide / 2
    if bar.value is None:
        return text(middle, BASE - 4, "–", "middle")
    high = scale_value(bar.value, 0, top, BASE, TOP)
    drawn = tag("rect", x=x + 1, y=high, width=wide - 2, height=max(BASE - high, 1.0), **fill_colour(number))
    if bar.low is None or bar.high is None:
        return drawn
    low, high_end = ((middle, scale_value(end, 0, top, BASE, TOP)) for end in (bar.low, bar.high))
    return drawn + line(low, high_end, "#fff", stroke_width=3.4) + line(low, high_end, "#222", stroke_width=1.4)
