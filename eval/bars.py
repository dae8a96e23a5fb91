"""Bars written as SVG by hand: one whole a line, cut into its parts; the same bytes for the same figures."""

from collections.abc import Sequence
from html import escape

from eval.drawing import COLOURS

WIDTH, NAMES, HIGH, GAP = 860, 260, 24, 12
"""Pixels of the drawing, of the names beside it, of a bar, between bars."""
LEAST = 34
"""Pixels from which on a part has room for its share in words."""


def stacked(bars: Sequence[tuple[str, Sequence[float]]], parts: Sequence[str]) -> str:
    """A bar a name, of shares 0..1 in the order of `parts`; a bar without any is a dash."""
    inner = WIDTH - NAMES - 20
    body = [_key(number, part) for number, part in enumerate(parts)]
    top = 24 * len(parts) + 16
    for at, (name, shares) in enumerate(bars):
        y = top + at * (HIGH + GAP)
        body.append(f'<text x="{NAMES - 10}" y="{y + 16}" text-anchor="end">{escape(name)}</text>')
        if not shares:
            body.append(f'<text x="{NAMES}" y="{y + 16}">–</text>')
        x = float(NAMES)
        for number, share in enumerate(shares):
            body.append(_part(number, x, y, share * inner, share))
            x += share * inner
    height = top + len(bars) * (HIGH + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="sans-serif" font-size="12" fill="#222">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(body) + "\n</svg>"
    )  # fmt: skip


def _key(number: int, part: str) -> str:
    y = 12 + 24 * number
    square = f'<rect x="{NAMES}" y="{y}" width="14" height="14" fill="{_colour(number)}"/>'
    return f'{square}<text x="{NAMES + 22}" y="{y + 12}">{escape(part)}</text>'


def _part(number: int, x: float, y: int, wide: float, share: float) -> str:
    drawn = f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{HIGH}" fill="{_colour(number)}"/>'
    if wide < LEAST:
        return drawn
    ink = "#fff" if number in (0, 1, 2, 6) else "#000"
    return f'{drawn}<text x="{x + wide / 2:.1f}" y="{y + 16}" text-anchor="middle" fill="{ink}">{share * 100:.0f} %</text>'


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
