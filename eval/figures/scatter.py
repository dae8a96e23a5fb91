"""Draw scatter plots, such as quality against cost, and find the points that no other point beats."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from eval.figures.svg import COLOURS, LETTER_PIXELS, TICKS, colour, frame, line, scale_value, tag, text

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 420, 300, 54, 34, 50


class ScatterPoint(NamedTuple):
    """One point of a scatter plot, with its name and the interval of its y value."""

    name: str
    x: float
    y: float
    low: float | None = None
    high: float | None = None
    is_marked: bool = False
    """Whether no other point beats this point in both values; such points are drawn filled and joined by a line."""


class Plane(NamedTuple):
    """One coordinate system of a scatter plot. If there are more names than colours, each point is labelled with the number of
    its name in the legend."""

    title: str
    x_label: str
    right: float
    """Upper end of the x axis."""
    points: Sequence[ScatterPoint]
    """Points of the scatter plot; names have the same order in every plane."""


def draw_scatter(planes: Sequence[Plane], y_label: str, top: float) -> str:
    """Return an SVG with the planes in a row, all from 0 to `top` on the y axis, and one legend below."""
    names = list(dict.fromkeys(point.name for plane in planes for point in plane.points))
    numbers = [str(number + 1) if len(names) > len(COLOURS) else "" for number in range(len(names))]
    body = [_draw_plane(plane, WIDTH * i, y_label, top, names, numbers) for i, plane in enumerate(planes)]
    width = WIDTH * len(planes)
    columns = 2 if len(planes) > 1 and all((len(name) + 4) * LETTER_PIXELS < width / 2 - LEFT for name in names) else 1
    for i, name in enumerate(names):
        x, y = LEFT + 14 + width // 2 * (i % columns), HEIGHT + 12 + 20 * (i // columns)
        body += [tag("circle", cx=x, cy=y, r=5, fill=colour(i)), text(x + 14, y + 4, f"{numbers[i]} {name}".strip())]
    return frame(width, HEIGHT + 20 * -(-len(names) // columns) + 12, body)


def _draw_plane(plane: Plane, left: int, y_label: str, top: float, names: Sequence[str], numbers: Sequence[str]) -> str:
    bottom, right = HEIGHT - BOTTOM, WIDTH - 14

    def locate(x: float, y: float) -> tuple[float, float]:
        return scale_value(x, 0, plane.right, LEFT, right), scale_value(y, 0, top, bottom, TOP)

    parts = [text(LEFT, 20, plane.title, font_weight="bold")]
    for tick in TICKS:
        x, y = locate(plane.right * tick, top * tick)
        parts.append(line((LEFT, y), (right, y), "#ddd"))
        parts.append(text(LEFT - 6, y + 4, f"{top * tick:g}", "end"))
        parts.append(text(x, bottom + 16, f"{plane.right * tick:g}", "middle"))
    middle = HEIGHT / 2 - 10
    parts.append(text((LEFT + WIDTH) / 2, HEIGHT - 14, plane.x_label, "middle"))
    parts.append(text(12, middle, y_label, "middle", transform=f"rotate(-90 12 {middle})"))
    frontier = [locate(p.x, p.y) for p in sorted(plane.points, key=lambda p: (p.x, p.y)) if p.is_marked]
    joined = " ".join(f"{x},{y}" for x, y in frontier)
    parts.append(tag("polyline", points=joined, fill="none", stroke="#888", stroke_dasharray="4 3"))
    for point in plane.points:
        number = names.index(point.name)
        stroke, (x, y) = colour(number), locate(point.x, point.y)
        if point.low is not None and point.high is not None:
            parts.append(line(locate(point.x, point.low), locate(point.x, point.high), stroke, opacity=0.6))
        fill = stroke if point.is_marked else "#fff"
        parts.append(tag("circle", cx=x, cy=y, r=5, fill=fill, stroke=stroke, stroke_width=1.6))
        if numbers[number]:
            parts.append(text(x + 8, y + 4, numbers[number], font_size=10))
    return tag("g", "\n".join(parts), transform=f"translate({left} 0)")


def find_frontier(points: Mapping[str, tuple[float, float]]) -> set[str]:
    """Return the names on the Pareto frontier of quality and cost; `points` is a dict from name to (quality, cost). A name is
    on the frontier if no other name beats it, that is, has at least the same quality at no higher cost and is better in one of
    the two."""
    return {
        name
        for name, (quality, cost) in points.items()
        if not any(q >= quality and c <= cost and (q, c) != (quality, cost) for q, c in points.values())
    }
