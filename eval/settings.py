"""Read settings given by --set NAME=VALUE. Each value is checked, and an invalid value raises an error that names the
setting."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from core.errors import BenchError

Settings = Mapping[str, Any]
"""A dict from the name of a setting to its value."""
_PASSWORD = re.compile(r"^[^/?#]*//[^/?#@]*:[^/?#]*@|\bpassword\b", re.IGNORECASE)
"""Pattern of an address that contains a password: scheme://user:password@host, or a parameter named like a password."""
_NAME = re.compile("[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a system or retriever, given by --set NAME=VALUE; its type is that of its default."""

    default: Any
    about: str = ""
    """Description of the setting for the page and the documentation."""
    low: int = 0
    """Least value of a setting that is an integer."""
    choices: tuple[str, ...] = ()
    """Values that a setting with a text may have, the default first; empty = any."""
    kind: Literal["", "share", "seconds", "json", "address", "name"] = ""
    """Kind of value that the setting takes. share: 0 to 1; seconds: above 0; json: any JSON value; address: of a server,
    without a password; name: of something that is stored, such as an index; "" = by the type of the default."""

    def read(self, settings: Settings, name: str) -> Any:
        """Return the value that is given in `settings`, else the default. Raises BenchError if the value is invalid."""
        if self.kind == "json":
            return settings.get(name, self.default)
        if self.choices:
            return read_choice(settings, name, self.choices)
        if self.kind:
            return _READERS[self.kind](settings, name, self.default)
        if isinstance(self.default, bool):
            return read_flag(settings, name, self.default)
        if isinstance(self.default, int):
            return read_whole_number(settings, name, self.default, self.low)
        read: Any = read_number if isinstance(self.default, float) else read_text
        return read(settings, name, self.default)


TOP_K = Setting(5, "Passages that a search returns.", 1)


def read_settings(declared: Mapping[str, Setting], settings: Settings) -> dict[str, Any]:
    """Check the declared settings and return them with their given or default values, together with all other settings
    unchanged. Raises BenchError if a value is invalid."""
    return {**settings, **{name: setting.read(settings, name) for name, setting in declared.items()}}


def list_defaults(declared: Mapping[str, Setting]) -> dict[str, Any]:
    """Return a dict from each declared setting to its default."""
    return {name: setting.default for name, setting in declared.items()}


def refuse_setting(name: str, value: Any, expected: str) -> BenchError:
    """Return the error to raise for an invalid value of a setting; `expected` says what a valid value is."""
    words = repr(value)
    return BenchError(f"The setting {name} is {words if len(words) <= 80 else f'{words[:77]}...'}: give {expected}.")


def _read_checked(settings: Settings, name: str, default: Any, is_valid: Callable[[Any], bool], expected: str) -> Any:
    value = settings.get(name, default)
    if not is_valid(value):
        raise refuse_setting(name, value, expected)
    return value


def _is_number(value: Any) -> bool:
    """Check whether the value is a finite number of at least 0."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")


def read_whole_number(settings: Settings, name: str, default: int, low: int = 0) -> int:
    """Return the setting as an integer of at least `low`. Raises BenchError for any other value."""

    def is_valid(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and value >= low

    return int(_read_checked(settings, name, default, is_valid, f"a whole number of at least {low}"))


def read_seconds(settings: Settings, name: str, default: float) -> float:
    """Return the setting as a number of seconds above 0. Raises BenchError for any other value."""
    return float(_read_checked(settings, name, default, lambda value: _is_number(value) and value > 0, "seconds above 0"))


def read_number(settings: Settings, name: str, default: float) -> float:
    """Return the setting as a number of at least 0. Raises BenchError for any other value."""
    return float(_read_checked(settings, name, default, _is_number, "a number from 0"))


def read_share(settings: Settings, name: str, default: float) -> float:
    """Return the setting as a share from 0 to 1. Raises BenchError for any other value."""
    return float(_read_checked(settings, name, default, lambda value: _is_number(value) and value <= 1, "a number from 0 to 1"))


def read_flag(settings: Settings, name: str, default: bool) -> bool:
    """Return the setting as true or false. Raises BenchError for any other value."""
    return bool(_read_checked(settings, name, default, lambda value: isinstance(value, bool), "true or false"))


def read_choice(settings: Settings, name: str, choices: tuple[str, ...]) -> str:
    """Return the setting as one of the choices, of which the first is the default. Raises BenchError for any other value."""
    return str(_read_checked(settings, name, choices[0], lambda value: value in choices, " or ".join(choices)))


def read_text(settings: Settings, name: str, default: str = "") -> str:
    """Return the setting as a text. Raises BenchError for a number or another JSON value."""
    return str(_read_checked(settings, name, default, lambda value: isinstance(value, str), "a text"))


def read_address(settings: Settings, name: str, default: str = "") -> str:
    """Check a setting that must be the address of a server, and return the address. Raises BenchError if the address contains a
    password; the message does not repeat the address."""
    address = read_text(settings, name, default).strip()
    if _PASSWORD.search(address):
        raise BenchError(
            f"The setting {name} contains a password, which would be stored: remove the password from the address, and set the "
            "environment variable that docs/how-to/engines.md names."
        )
    return address


def read_name(settings: Settings, name: str, default: str = "") -> str:
    """Return the setting as the name of a stored object, such as an index, or "". Raises BenchError if the value is not a valid
    name."""
    expected = "at most 40 small letters, digits and underscores that begin with a letter"
    return str(_read_checked(settings, name, default, _is_name, expected))


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and (not value or bool(_NAME.fullmatch(value)))


_READERS: Mapping[str, Callable[[Settings, str, Any], Any]] = {
    "share": read_share,
    "seconds": read_seconds,
    "address": read_address,
    "name": read_name,
}


def read_texts(settings: Settings, name: str) -> tuple[str, ...]:
    """Return the setting as a tuple of texts that are not blank, given as a list or one text; () = not set. Raises BenchError
    for any other value."""
    value = settings.get(name, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) and text.strip() for text in texts):
        raise refuse_setting(name, texts, "a list of texts, or leave it out")
    return tuple(texts)
