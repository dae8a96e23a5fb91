"""Reads a folder of plug-ins as a read-only mapping from file name to constant. To add a plug-in, add a file. A file without
its constant raises an error that names the file."""

import importlib
import pkgutil
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import TypeVar

from core.errors import BenchError

T = TypeVar("T")
MIN_NAME_SIMILARITY = 0.75
"""Least difflib ratio of two names at which one is suggested as the correct spelling of the other, 0..1."""


def catalog(package: str, constant: str, kind: type[T]) -> Mapping[str, T]:
    """Return file name -> plug-in of `package`, in alphabetical order. The value named `constant` in each module must be of
    type `kind`.

    `package` is a dotted name. Modules with a leading underscore are left out. Each package is read once per process."""
    return _read_folder(package, constant, kind)  # type: ignore[arg-type]


def pick(plugins: Mapping[str, T], name: str, what: str) -> T:
    """Return the plug-in with the name `name`. Raises BenchError that lists similar names, or all names if none is similar."""
    if name not in plugins:
        close = get_close_matches(name, plugins, cutoff=MIN_NAME_SIMILARITY)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(plugins)}."
        raise BenchError(f"No {what} named {name!r}; {hint}")
    return plugins[name]


@cache
def _read_folder(package: str, constant: str, kind: type[T]) -> Mapping[str, T]:
    plugins: dict[str, T] = {}
    for name in sorted(module.name for module in pkgutil.iter_modules(importlib.import_module(package).__path__)):
        if name.startswith("_"):
            continue
        value = getattr(importlib.import_module(f"{package}.{name}"), constant, None)
        if not isinstance(value, kind):
            path = f"{package.replace('.', '/')}/{name}.py"
            raise BenchError(
                f"{path} has no constant {constant} of kind {kind.__name__}: add the constant, or move the file away."
            )
        plugins[name] = value
    return MappingProxyType(plugins)
