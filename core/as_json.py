"""Converts the results of the program's operations to JSON for the browser and the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""Type of JSON values whose shape other modules define, such as settings or the parameters and the result of a job."""
_PLAIN = frozenset({str, int, float, bool, type(None)})


def as_json(value: Any) -> Any:
    """Return the value in a form that json.dumps accepts: dataclasses and named tuples become objects, sequences become
    lists."""
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    if (names := _list_fields(kind)) is not None:
        return {name: as_json(getattr(value, name)) for name in names}
    if kind is dict or isinstance(value, Mapping):
        return {name: part if type(part) in _PLAIN else as_json(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [part if type(part) in _PLAIN else as_json(part) for part in value]
    return value


@cache
def _list_fields(kind: type) -> tuple[str, ...] | None:
    """Return the fields of a dataclass or of a named tuple, or None for an object of another class."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else getattr(kind, "_fields", None)
