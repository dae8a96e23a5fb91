"""Turns what verbs return into JSON for the browser and the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""Stored JSON that others made: settings, the parameters and the result of a job."""


def as_json(value: object) -> Any:
    """The value as json.dumps takes it: dataclasses and named tuples as objects of their fields, sequences as lists."""
    if is_dataclass(value):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return as_json(value._asdict())
    if isinstance(value, Mapping):
        return {name: as_json(part) for name, part in value.items()}
    return [as_json(part) for part in value] if isinstance(value, list | tuple) else value
