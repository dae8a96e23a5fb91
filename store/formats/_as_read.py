"""Store fields of another file format that an item has no field for in the item's labels. An export in that format then writes
each row as it was imported, except for values that a person has edited."""

from collections.abc import Collection, Mapping
from typing import Any

from core.nouns import Item


def read_kept(item: Item, layout: str) -> Mapping[str, Any]:
    """Return the original fields of the file format `layout` from the item's labels; empty if the labels contain none."""
    kept = item.labels.get(layout)
    return kept if isinstance(kept, Mapping) else {}


def note_differences(row: Mapping[str, Any], ours: Mapping[str, Any], always: Collection[str] = ()) -> dict[str, Any]:
    """Return how the row of a file differs from `ours`, the row that this program would write. `as_read` has the file's values
    that differ, `more` has the keys that only the file's row has, and `without` lists the keys that only `ours` has. Parts
    without content are left out. `as_read` always contains the keys in `always`, because their values in `ours` depend on other
    rows too."""
    parts = {
        "as_read": {key: row[key] for key in ours if key in row and (key in always or row[key] != ours[key])},
        "more": {key: value for key, value in row.items() if key not in ours},
        "without": [key for key in ours if key not in row],
    }
    return {name: part for name, part in parts.items() if part}


def restore_row(ours: Mapping[str, Any], kept: Mapping[str, Any], fixed: Collection[str] = ()) -> dict[str, Any]:
    """Return the row `ours` with the original values from `kept` put back. A value in `ours` that differs from the original by
    more than white space was edited by a person, so it stays. Nobody can edit the values under the keys in `fixed` in the
    workbench, so their original values are always written."""
    before: Mapping[str, Any] = kept.get("as_read", {})
    same = {key: value for key, value in before.items() if key in ours and (key in fixed or _is_same_value(value, ours[key]))}
    row = dict(ours) | same | dict(kept.get("more", {}))
    missing = {key for key in kept.get("without", ()) if key in fixed or not ours[key]}
    return {key: value for key, value in row.items() if key not in missing}


def _is_same_value(before: Any, now: Any) -> bool:
    if isinstance(before, str) and isinstance(now, str):
        return before.split() == now.split()
    return bool(before == now)
