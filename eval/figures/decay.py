"""Draw the share of answers that are still right over the days since their date, with the fitted curve and the tolerance."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from core.statistics.statistics import Interval
from core.statistics.survival import SurvivalFit
from eval.figures.svg import TICKS, colour, frame, line, scale_value, tag, text

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 860, 60, 20, 20, 260
"""Sizes of the drawing in pixels: its width, the margins at the left and right, and the top and bottom of the axes."""
STEPS = 60
"""Number of straight pieces of a fitted curve."""
GREY = {"stroke": "#888", "stroke_dasharray": "5 4"}


class DrawnPoint(Protocol):
    """A point of a curve: days, and a share with its interval."""

    @property
    def days(self) -> float: ...
    @property
    def unchanged(self) -> Interval: ...


class DrawnCurve(Protocol):
    """The points of a group of questions, with the fitted distribution."""

    @property
    def points(self) -> Sequence[DrawnPoint]: ...
    @property
    def fit(self) -> SurvivalFit: ...


def draw_decay(curves: Sequence[DrawnCurve], names: Sequence[str], tolerance: float) -> str:
    """Return an SVG with a point and its interval for each check, one colour for each curve, the fitted curve of the first one,
    and a dashed line at 1 - tolerance."""
    last = max((point.days for curve in curves for point in curve.points), default=1.0) or 1.0
    refresh = curves[0].fit.estimate(tolerance).days if curves else None
    end = 1.08 * max(last, min(refresh or 0.0, 2 * last))

    def place(days: float, share: float) -> tuple[float, float]:
        return scale_value(days, 0, end, LEFT, WIDTH - RIGHT), scale_value(share, 0, 1, BOTTOM, TOP)

    body = []
    for tick in TICKS:
        x, y = place(end * tick, tick)
        body += [line((LEFT, y), (WIDTH - RIGHT, y), "#ddd"), text(LEFT - 8, y + 4, f"{tick:g}", "end")]
        body.append(text(x, BOTTOM + 18, f"{end * tick:,.0f}", "middle"))
    body.append(text((LEFT + WIDTH - RIGHT) / 2, BOTTOM + 38, "days since the date of the released answers", "middle"))
    body.append(line(place(0, 1 - tolerance), place(end, 1 - tolerance), **GREY))
    body.append(text(LEFT + 6, place(0, 1 - tolerance)[1] + 15, f"tolerance {tolerance:g}", fill="#666"))
    fit = curves[0].fit if curves else None
    if fit is not None and fit.model is not None:
        spots = [place(end * i / STEPS, 1 - (fit.share_changed(end * i / STEPS) or 0.0)) for i in range(STEPS + 1)]
        body += [line(a, b, colour(0), stroke_width=1.6, opacity=0.5) for a, b in pairwise(spots)]
    for number, (curve, name) in enumerate(zip(curves, names, strict=True)):
        shift = 3.0 * number
        for point in curve.points:
            if point.unchanged.mean is None:
                continue
            (x, y), low, high = (place(point.days, share or 0.0) for share in point.unchanged[:3])
            body.append(line((x + shift, low[1]), (x + shift, high[1]), colour(number), stroke_width=1.4))
            body.append(tag("circle", cx=x + shift, cy=y, r=4.5, fill=colour(number)))
        across, down = LEFT + 390 * (number % 2), BOTTOM + 62 + 22 * (number // 2)
        body.append(tag("circle", cx=across, cy=down, r=5, fill=colour(number)) + text(across + 14, down + 4, name))
    return frame(WIDTH, BOTTOM + 76 + 22 * ((len(curves) - 1) // 2), body)
