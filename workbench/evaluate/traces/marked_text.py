"""Split texts into marked and unmarked pieces, for example to highlight gold answers."""

from collections.abc import Iterable

TextPiece = tuple[str, bool]
"""A piece of a text: (text, whether it is marked)."""
Range = tuple[int, int]
"""A part of a text: (offset of its first character, offset after its last character)."""


def merge_ranges(ranges: Iterable[Range], touching: bool = False) -> list[Range]:
    """Return the ranges in order and without overlaps. If `touching` is true, ranges that follow each other without a gap
    become one."""
    merged: list[Range] = []
    for first, last in sorted(ranges):
        if merged and (first < merged[-1][1] or (touching and first == merged[-1][1])):
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return merged


def mark_text(text: str, ranges: Iterable[Range]) -> list[TextPiece]:
    """Return the text as pieces in which the given ranges are marked. The pieces joined together are the whole text."""
    pieces, at = [], 0
    for first, last in ranges:
        pieces += [(text[at:first], False), (text[first:last], True)]
        at = last
    return [(part, is_marked) for part, is_marked in [*pieces, (text[at:], False)] if part]
