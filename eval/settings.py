"""Settings as people give them with --set: each is read within its bounds, or refused in a sentence that names it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.errors import BenchError

Settings = Mapping[str, Any]
"""Name of a setting -> its value."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One value that a system or retriever takes by --set NAME=VALUE; its type is that of the default."""

    default: Any
    about: str = ""
    """What it does, for the page and the documentation."""
    low: int = 0
    """The least whole number."""
    choices: tuple[str, ...] = ()
    """The texts that it may be; empty = any. The first is the default."""
    kind: Literal["", "share", "seconds", "json"] = ""
    """share: 0 to 1; seconds: above 0; json: any value."""

    def read(self, settings: Settings, name: str) -> Any:
        """Returns the value that is set, else the default. Raises BenchError when it does not fit."""
        if self.kind == "json":
            return settings.get(name, self.default)
        if self.choices:
            return read_choice(settings, name, self.choices)
        if self.kind:
            return (read_share if self.kind == "share" else read_seconds)(settings, name, self.default)
        if isinstance(self.default, bool):
            return read_flag(settings, name, self.default)
        if isinstance(self.default, int):
            return read_whole_number(settings, name, self.default, self.low)
        read: Any = read_number if isinstance(self.default, float) else read_text
        return read(settings, name, self.default)


TOP_K = Setting(5, "Passages that a search returns.", 1)


def read_settings(declared: Mapping[str, Setting], settings: Settings) -> dict[str, Any]:
    """Returns all declared settings, checked, with the others that are set as they are. Raises BenchError."""
    return {**settings, **{name: setting.read(settings, name) for name, setting in declared.items()}}


def list_defaults(declared: Mapping[str, Setting]) -> dict[str, Any]:
    """Returns each declared setting's default."""
    return {name: setting.default for name, setting in declared.items()}


def shorten_value(value: Any) -> str:
    """Returns the value as Python writes it, cut to 80 characters for a sentence."""
    words = repr(value)
    return words if len(words) <= 80 else f"{words[:77]}..."


def refuse_setting(name: str, value: Any, expected: str) -> BenchError:
    """Returns the error for a value that does not fit; `wanted` says what does."""
    return BenchError(f"The setting {name} is {shorten_value(value)}: give {expected}.")


def read_whole_number(settings: Settings, name: str, default: int, low: int = 0) -> int:
    """Returns a whole number of at least `low`."""
    value = settings.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise refuse_setting(name, value, f"a whole number of at least {low}")
    return value


def read_seconds(settings: Settings, name: str, default: float) -> float:
    """Returns seconds, above 0."""
    value = _read_number(settings, name, default)
    if value is None or value == 0:
        raise refuse_setting(name, settings.get(name, default), "seconds above 0")
    return value


def read_number(settings: Settings, name: str, default: float) -> float:
    """Returns a number from 0."""
    value = _read_number(settings, name, default)
    if value is None:
        raise refuse_setting(name, settings.get(name, default), "a number from 0")
    return value


def read_share(settings: Settings, name: str, default: float) -> float:
    """Returns a number from 0 to 1."""
    value = _read_number(settings, name, default)
    if value is None or value > 1:
        raise refuse_setting(name, settings.get(name, default), "a number from 0 to 1")
    return value


def _read_number(settings: Settings, name: str, default: float) -> float | None:
    """Returns None where the value is not a finite number from 0."""
    value = settings.get(name, default)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < float("inf") else None


def read_flag(settings: Settings, name: str, default: bool) -> bool:
    """Returns true or false."""
    value = settings.get(name, default)
    if not isinstance(value, bool):
        raise refuse_setting(name, value, "true or false")
    return value


def read_choice(settings: Settings, name: str, choices: tuple[str, ...]) -> str:
    """Returns one of the choices; the first is the default."""
    value = settings.get(name, choices[0])
    if value not in choices:
        raise refuse_setting(name, value, " or ".join(choices))
    return str(value)


def read_text(settings: Settings, name: str, default: str = "") -> str:
    """Returns a text; a number or another JSON value is refused."""
    value = settings.get(name, default)
    if not isinstance(value, str):
        raise refuse_setting(name, value, "a text")
    return value


def read_texts(settings: Settings, name: str) -> tuple[str, ...]:
    """Returns a list of texts that are not blank, given as a list or as one text; () = not set."""
    value = settings.get(name, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) and text.strip() for text in texts):
        raise refuse_setting(name, texts, "a list of texts, or leave it out")
    return tuple(texts)
