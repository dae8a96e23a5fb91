"""Splits texts into marked and unmarked pieces."""

from collections.abc import Iterable

TextPiece = tuple[str, bool]
"""(text, whether the text is marked)."""
Range = tuple[int, int]
"""(first character, character after the last)."""


def merge_ranges(ranges: Iterable[Range], touching: bool = False) -> list[Range]:
    """Return the ranges in order, without overlaps; with `touching` adjacent ranges are merged."""
    merged: list[Range] = []
    for first, last in sorted(ranges):
        if merged and (first < merged[-1][1] or (touching and first == merged[-1][1])):
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return merged


def mark_text(text: str, ranges: Iterable[Range]) -> list[TextPiece]:
    """Return the text in pieces, with the (merged) ranges marked; joined, the pieces equal the text."""
    pieces, at = [], 0
    for first, last in ranges:
        pieces += [(text[at:first], False), (text[first:last], True)]
        at = last
    return [(part, is_marked) for part, is_marked in [*pieces, (text[at:], False)] if part]
