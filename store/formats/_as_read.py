"""Store in an item's labels those fields of another file format for which an item has no field. An export then writes each row
unchanged, except for values that a person has edited."""

from collections.abc import Collection, Mapping
from typing import Any

from core.nouns import Item


def read_kept(item: Item, layout: str) -> Mapping[str, Any]:
    """Return the original fields of the file format `layout` that are stored in the item's labels; empty if there are none."""
    kept = item.labels.get(layout)
    return kept if isinstance(kept, Mapping) else {}


def note_differences(row: Mapping[str, Any], ours: Mapping[str, Any], always: Collection[str] = ()) -> dict[str, Any]:
    """Return how the row of a file differs from `ours`, the row that this program would write: `as_read` has the row's values
    that differ, `more` has the keys that only the row has, and `without` lists the keys that only `ours` has. Empty parts are
    left out. `as_read` also has the keys in `always`, even with equal values, because their values in `ours` depend on more
    than this row."""
    parts = {
        "as_read": {key: row[key] for key in ours if key in row and (key in always or row[key] != ours[key])},
        "more": {key: value for key, value in row.items() if key not in ours},
        "without": [key for key in ours if key not in row],
    }
    return {name: part for name, part in parts.items() if part}


def restore_row(ours: Mapping[str, Any], kept: Mapping[str, Any], fixed: Collection[str] = ()) -> dict[str, Any]:
    """Return the row `ours` with the original values from `kept`. A value in `ours` that differs from the original by more than
    white space was edited, so it is not replaced. The values under the keys in `fixed` cannot be edited in the workbench, so
    the original values are written."""
    before: Mapping[str, Any] = kept.get("as_read", {})
    same = {key: value for key, value in before.items() if key in ours and (key in fixed or _is_same_value(value, ours[key]))}
    row = dict(ours) | same | dict(kept.get("more", {}))
    missing = {key for key in kept.get("without", ()) if key in fixed or not ours[key]}
    return {key: value for key, value in row.items() if key not in missing}


def _is_same_value(before: Any, now: Any) -> bool:
    if isinstance(before, str) and isinstance(now, str):
        return before.split() == now.split()
    return bool(before == now)
