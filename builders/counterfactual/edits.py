"""Edits of a text: write new text at some places, and find where an offset is afterwards."""

from collections.abc import Sequence
from typing import NamedTuple


class TextEdit(NamedTuple):
    """A place in a text, and the new text that is written there."""

    start: int
    end: int
    new: str


def write_edits(text: str, edits: Sequence[TextEdit]) -> str:
    """Return the text after its edits, which are in order."""
    parts, at = [], 0
    for edit in edits:
        parts += [text[at : edit.start], edit.new]
        at = edit.end
    return "".join([*parts, text[at:]]) if edits else text


def move_offset(at: int, edits: Sequence[TextEdit], is_end: bool = False) -> int:
    """Return where an offset is after the edits. An offset inside of an edit moves to the start of the edit's new text, or to
    its end if `is_end` is True."""
    moved = at
    for edit in edits:
        if edit.end <= at:
            moved += len(edit.new) - (edit.end - edit.start)
        elif edit.start < at:
            return moved - (at - edit.start) + (len(edit.new) if is_end else 0)
    return moved
