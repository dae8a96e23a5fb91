"""A folder of plug-ins becomes a read-only mapping from file name to constant. Adding a plug-in is adding a file; a file
without its constant fails at the door, by name."""

import importlib
import pkgutil
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import TypeVar

from core.errors import BenchError

T = TypeVar("T")


def catalog(package: str, constant: str, kind: type[T]) -> Mapping[str, T]:
    """Every module of `package` (dotted) without a leading underscore, keyed by file name, in alphabetical order; its value is
    the module's `constant`, which must be a `kind`. Read once per process."""
    return _read(package, constant, kind)  # type: ignore[arg-type]


def pick(plugins: Mapping[str, T], name: str, what: str) -> T:
    """The plug-in of that name, or one sentence: the names that it may have meant, else all that there are."""
    if name not in plugins:
        near = get_close_matches(name, plugins, cutoff=0.75)  # a slip of the keys, not another word
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(plugins)}."
        raise BenchError(f"No {what} named {name!r}; {hint}")
    return plugins[name]


@cache
def _read(package: str, constant: str, kind: type[T]) -> Mapping[str, T]:
    folder = importlib.import_module(package)
    found: dict[str, T] = {}
    for name in sorted(m.name for m in pkgutil.iter_modules(folder.__path__) if not m.name.startswith("_")):
        module = importlib.import_module(f"{package}.{name}")
        value = getattr(module, constant, None)
        if not isinstance(value, kind):
            path = f"{package.replace('.', '/')}/{name}.py"
            raise BenchError(f"{path} has no constant {constant} of kind {kind.__name__}: give it one, or move it away.")
        found[name] = value
    return MappingProxyType(found)
