"""Settings as a person gives them with --set: read with their bounds, or one sentence that names the setting."""

from collections.abc import Mapping
from typing import Any

from core.errors import BenchError


def shorten_value(value: Any) -> str:
    """The value as a sentence can carry it."""
    words = repr(value)
    return words if len(words) <= 80 else f"{words[:77]}..."


def read_whole_number(settings: Mapping[str, Any], name: str, default: int, least: int = 0) -> int:
    """A whole number of at least `least`."""
    value = settings.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BenchError(f"The setting {name} is {shorten_value(value)}: give a whole number of at least {least}.")
    return value


def read_seconds(settings: Mapping[str, Any], name: str, default: float) -> float:
    """Seconds above 0."""
    value = settings.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise BenchError(f"The setting {name} is {shorten_value(value)}: give seconds above 0.")
    return float(value)


def read_number(settings: Mapping[str, Any], name: str, default: float) -> float:
    """A number from 0."""
    value = settings.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise BenchError(f"The setting {name} is {shorten_value(value)}: give a number from 0.")
    return float(value)


def read_share(settings: Mapping[str, Any], name: str, default: float) -> float:
    """A number from 0 to 1."""
    value = settings.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise BenchError(f"The setting {name} is {shorten_value(value)}: give a number from 0 to 1.")
    return float(value)


def read_flag(settings: Mapping[str, Any], name: str, default: bool) -> bool:
    """true or false."""
    value = settings.get(name, default)
    if not isinstance(value, bool):
        raise BenchError(f"The setting {name} is {shorten_value(value)}: give true or false.")
    return value


def read_choice(settings: Mapping[str, Any], name: str, of: tuple[str, ...]) -> str:
    """One of a few words; the first is the default."""
    value = settings.get(name, of[0])
    if value not in of:
        raise BenchError(f"The setting {name} is {shorten_value(value)}: give {' or '.join(of)}.")
    return str(value)


def read_text(settings: Mapping[str, Any], name: str, default: str = "") -> str:
    """A text; a number or a JSON value given in its stead is an error."""
    value = settings.get(name, default)
    if not isinstance(value, str):
        raise BenchError(f"The setting {name} is {shorten_value(value)}: give a text.")
    return value
