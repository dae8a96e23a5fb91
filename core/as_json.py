"""Converts the results of verbs to JSON for the browser and the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""Type of stored JSON whose shape other modules define: settings, the parameters and the result of a job."""


def as_json(value: object) -> Any:
    """Return the value in a form that json.dumps accepts: dataclasses and named tuples become objects, sequences become
    lists."""
    if is_dataclass(value):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return as_json(value._asdict())
    if isinstance(value, Mapping):
        return {name: as_json(part) for name, part in value.items()}
    return [as_json(part) for part in value] if isinstance(value, list | tuple) else value
