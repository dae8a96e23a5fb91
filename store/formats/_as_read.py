"""What a row of another layout said beyond our nouns, kept in the item's labels, so that it goes out as it came in and what a
person edited since goes out edited."""

from collections.abc import Collection, Mapping
from typing import Any


def note_differences(row: Mapping[str, Any], told: Mapping[str, Any], always: Collection[str] = ()) -> dict[str, Any]:
    """What must be kept of a row that we would tell as `told`: `as_read` = said in other words, `more` = keys that we know
    nothing of, `without` = keys that it does not have. Empty parts are left out. Keys in `always` are kept in any case: what
    we would tell of them hangs on more than this row."""
    parts = {
        "as_read": {key: row[key] for key in told if key in row and (key in always or row[key] != told[key])},
        "more": {key: value for key, value in row.items() if key not in told},
        "without": [key for key in told if key not in row],
    }
    return {name: part for name, part in parts.items() if part}


def restore_row(told: Mapping[str, Any], kept: Mapping[str, Any], fixed: Collection[str] = ()) -> dict[str, Any]:
    """The row of `told` as it was read. A text that says something else than it did, white space aside, was edited since and
    is told as it is now; keys in `fixed` cannot be edited and go out as they were read."""
    before: Mapping[str, Any] = kept.get("as_read", {})
    same = {key: value for key, value in before.items() if key in told and (key in fixed or _is_same_value(value, told[key]))}
    row = dict(told) | same | dict(kept.get("more", {}))
    gone = {key for key in kept.get("without", ()) if key in fixed or not told[key]}
    return {key: value for key, value in row.items() if key not in gone}


def _is_same_value(before: Any, now: Any) -> bool:
    if isinstance(before, str) and isinstance(now, str):
        return before.split() == now.split()
    return bool(before == now)
