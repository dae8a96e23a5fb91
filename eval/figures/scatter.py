"""Points in a plane as SVG written by hand, in the manner of eval/figures/drawing.py: the same bytes for the same figures."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from eval.figures.drawing import COLOURS, LETTER

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 420, 300, 54, 34, 50


class ScatterPoint(NamedTuple):
    """One point with its name and the interval of its height."""

    name: str
    x: float
    y: float
    low: float | None = None
    high: float | None = None
    is_marked: bool = False
    """On the frontier: filled, and joined with the others that are."""


class Plane(NamedTuple):
    """One coordinate system. With more names than colours each point bears its number."""

    title: str
    x_label: str
    right: float
    """End of its x axis."""
    points: Sequence[ScatterPoint]
    """The same names, in the same order, in every plane that they stand in."""


def draw_scatter(planes: Sequence[Plane], y_label: str, top: float) -> str:
    """Planes in a row, all from 0 to `top`, one legend under them."""
    names = list(dict.fromkeys(point.name for plane in planes for point in plane.points))
    body = [_plane(plane, WIDTH * i, y_label, top, names) for i, plane in enumerate(planes)]
    width = WIDTH * len(planes)
    columns = 2 if len(planes) > 1 and all((len(name) + 4) * LETTER < width / 2 - LEFT for name in names) else 1
    for number, name in enumerate(names):
        row, told = HEIGHT + 12 + 20 * (number // columns), f"{_number(number, names)} {name}".strip()
        left = LEFT + 14 + width // 2 * (number % columns)
        body.append(
            f'<circle cx="{left}" cy="{row}" r="5" fill="{_colour(number)}"/>'
            f'<text x="{left + 14}" y="{row + 4}">{escape(told)}</text>'
        )
    height = HEIGHT + 20 * -(-len(names) // columns) + 12
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="12" fill="#222">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(body)
        + "\n</svg>"
    )


def _plane(plane: Plane, left: int, y_label: str, top: float, names: Sequence[str]) -> str:
    def place_point(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - 14) * min(max(x / plane.right, 0.0), 1.0)
        return round(across, 1), round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * min(max(y / top, 0.0), 1.0), 1)

    body = [f'<g transform="translate({left} 0)"><text x="{LEFT}" y="20" font-weight="bold">{escape(plane.title)}</text>']
    for tick in range(5):
        x, y = place_point(plane.right * tick / 4, top * tick / 4)
        body.append(f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - 14}" y2="{y}" stroke="#ddd"/>')
        body.append(f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{top * tick / 4:g}</text>')
        body.append(f'<text x="{x}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{plane.right * tick / 4:g}</text>')
    body.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 14}" text-anchor="middle">{escape(plane.x_label)}</text>')
    body.append(
        f'<text transform="rotate(-90 12 {HEIGHT / 2 - 10})" x="12" y="{HEIGHT / 2 - 10}" text-anchor="middle">'
        f"{escape(y_label)}</text>"
    )
    line = " ".join(
        "{},{}".format(*place_point(p.x, p.y)) for p in sorted(plane.points, key=lambda p: (p.x, p.y)) if p.is_marked
    )
    body.append(f'<polyline points="{line}" fill="none" stroke="#888" stroke-dasharray="4 3"/>')
    for point in plane.points:
        colour = _colour(names.index(point.name))
        x, y = place_point(point.x, point.y)
        if point.low is not None and point.high is not None:
            low, high = place_point(point.x, point.low)[1], place_point(point.x, point.high)[1]
            body.append(f'<line x1="{x}" y1="{low}" x2="{x}" y2="{high}" stroke="{colour}" opacity="0.6"/>')
        fill = colour if point.is_marked else "#fff"
        body.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{fill}" stroke="{colour}" stroke-width="1.6"/>')
        if told := _number(names.index(point.name), names):
            body.append(f'<text x="{x + 8}" y="{y + 4}" font-size="10">{told}</text>')
    return "\n".join([*body, "</g>"])


def _number(number: int, names: Sequence[str]) -> str:
    return str(number + 1) if len(names) > len(COLOURS) else ""


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
