"""Points in a plane as SVG written by hand, in the manner of eval/drawing.py: the same bytes for the same figures."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from eval.drawing import COLOURS

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 420, 300, 54, 34, 50


class Point(NamedTuple):
    """One point with its name and the interval of its height."""

    name: str
    x: float
    y: float
    low: float | None = None
    high: float | None = None
    is_marked: bool = False
    """On the frontier: filled, and joined with the others that are."""


def scatter(title: str, x_label: str, y_label: str, points: Sequence[Point], right: float, top: float) -> str:
    """Points by number, named in a legend below; both axes from 0."""
    height = HEIGHT + 20 * len(points) + 12

    def at(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - 14) * min(max(x / right, 0.0), 1.0)
        return round(across, 1), round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * min(max(y / top, 0.0), 1.0), 1)

    body = [f'<text x="{LEFT}" y="20" font-weight="bold">{escape(title)}</text>']
    for tick in range(5):
        x, y = at(right * tick / 4, top * tick / 4)
        body.append(f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - 14}" y2="{y}" stroke="#ddd"/>')
        body.append(f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{top * tick / 4:g}</text>')
        body.append(f'<text x="{x}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{right * tick / 4:g}</text>')
    body.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 14}" text-anchor="middle">{escape(x_label)}</text>')
    body.append(f'<text transform="rotate(-90 12 {HEIGHT / 2 - 10})" x="12" y="{HEIGHT / 2 - 10}" text-anchor="middle">'
                f"{escape(y_label)}</text>")  # fmt: skip
    line = " ".join("{},{}".format(*at(p.x, p.y)) for p in sorted(points, key=lambda p: (p.x, p.y)) if p.is_marked)
    body.append(f'<polyline points="{line}" fill="none" stroke="#888" stroke-dasharray="4 3"/>')
    for number, point in enumerate(points):
        colour = COLOURS[number % len(COLOURS)]
        x, y = at(point.x, point.y)
        if point.low is not None and point.high is not None:
            low, high = at(point.x, point.low)[1], at(point.x, point.high)[1]
            body.append(f'<line x1="{x}" y1="{low}" x2="{x}" y2="{high}" stroke="{colour}" opacity="0.6"/>')
        fill = colour if point.is_marked else "#fff"
        body.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{fill}" stroke="{colour}" stroke-width="1.6"/>')
        row = HEIGHT + 12 + 20 * number
        body.append(f'<circle cx="{LEFT + 14}" cy="{row}" r="5" fill="{fill}" stroke="{colour}" stroke-width="1.6"/>'
                    f'<text x="{LEFT + 28}" y="{row + 4}">{escape(point.name)}</text>')  # fmt: skip
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="sans-serif" font-size="12" fill="#222">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(body) + "\n</svg>"
    )  # fmt: skip
