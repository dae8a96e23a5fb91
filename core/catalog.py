"""Finds all plug-ins of one kind and returns them as a read-only dict from name to plug-in: first the plug-ins in a folder of
this project, then those that other installed packages declare as entry points. If a file of this project lacks the required
constant, an error is raised that names the file. If a plug-in of another package cannot be used, it is left out with a message
that says why, and all other plug-ins still work."""

import importlib
import logging
import pkgutil
import re
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar

from core.errors import BenchError, first_line
from core.installation import VERSION, complete_name

T = TypeVar("T")
MIN_NAME_SIMILARITY = 0.75
"""Least similarity (difflib ratio, 0 to 1) of a plug-in's name to an unknown name at which the plug-in's name is suggested as
the correct spelling."""
GROUPS: Mapping[str, str] = {
    "agents.kinds": "benchwright.agents",
    "builders.perturbations": "benchwright.perturbations",
    "builders.tasks": "benchwright.tasks",
    "eval.metrics": "benchwright.metrics",
    "eval.retrievers": "benchwright.retrievers",
    "eval.systems": "benchwright.systems",
    "store.formats": "benchwright.formats",
}
"""Dict from a package with plug-ins to the group of entry points with which other packages add plug-ins to it."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_modules: dict[tuple[str, str], str] = {}
_troubles: list[str] = []


def catalog(package: str, constant: str, kind: type[T]) -> Mapping[str, T]:
    """Return a dict from name to plug-in for the plug-ins in `package`: first this project's own plug-ins in alphabetical
    order, then those of installed packages. In each module, the value with the name given by `constant` must be of type `kind`.

    `package` is a dotted name. Modules with a leading underscore are left out. The plug-ins of each package are loaded once per
    process."""
    return _read_folder(package, constant, kind)  # type: ignore[arg-type]


def pick(plugins: Mapping[str, T], name: str, what: str) -> T:
    """Return the plug-in with that name. Raises BenchError if there is no such plug-in; the message lists similar names, or
    else all names."""
    if name not in plugins:
        close = get_close_matches(name, plugins, cutoff=MIN_NAME_SIMILARITY)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(plugins)}."
        raise BenchError(f"No {what} named {name!r}; {hint}")
    return plugins[name]


def find_module(package: str, name: str) -> ModuleType:
    """Return the module of a plug-in that `catalog` has loaded before."""
    return sys.modules[_modules[package, name]]


def list_plug_in_troubles() -> tuple[str, ...]:
    """Return one message for each plug-in of another package that was left out because it could not be used."""
    return tuple(_troubles)


@cache
def _read_folder(package: str, constant: str, kind: type[T]) -> Mapping[str, T]:
    plugins: dict[str, T] = {}
    folder = complete_name(package)
    for name in sorted(module.name for module in pkgutil.iter_modules(importlib.import_module(folder).__path__)):
        if name.startswith("_"):
            continue
        value = getattr(importlib.import_module(f"{folder}.{name}"), constant, None)
        if not isinstance(value, kind):
            path = f"{package.replace('.', '/')}/{name}.py"
            raise BenchError(
                f"{path} has no constant {constant} of type {kind.__name__}: add the constant, or move the file elsewhere."
            )
        plugins[name], _modules[package, name] = value, f"{folder}.{name}"
    for entry in sorted(entry_points(group=GROUPS[package]), key=_describe_entry) if package in GROUPS else ():
        try:
            plugins[entry.name] = _load_entry(entry, constant, kind, plugins)
            _modules[package, entry.name] = entry.module
        except BenchError as error:
            _tell_trouble(f"The plug-in {_describe_entry(entry)} is left out: {error}")
    return MappingProxyType(plugins)


def _load_entry(entry: EntryPoint, constant: str, kind: type[T], known: Mapping[str, T]) -> T:
    """Return the plug-in that an installed package declares. Raises BenchError if the plug-in cannot be used, with the
    reason."""
    if not _NAME.fullmatch(entry.name):
        raise BenchError("its name must consist of small letters, digits and underscores: rename its entry point.")
    if entry.name in known:
        raise BenchError("that name is taken: rename its entry point.")
    _check_version(entry)
    try:
        value: Any = entry.load()
    except (Exception, SystemExit) as error:
        raise BenchError(f"importing it raised {type(error).__name__}: {first_line(error).rstrip('.')}.") from error
    value = getattr(value, constant, None) if isinstance(value, ModuleType) else value
    if not isinstance(value, kind):
        raise BenchError(
            f"{entry.value} holds no {kind.__name__}: point the entry point to one, or to a module with {constant}."
        )
    return value


def _check_version(entry: EntryPoint) -> None:
    """Check which versions of Benchwright the package of the entry point requires. Raises BenchError if the running version of
    Benchwright is none of the required versions."""
    from packaging.requirements import InvalidRequirement, Requirement

    for text in (entry.dist.requires if entry.dist else None) or ():
        try:
            wanted = Requirement(text)
        except InvalidRequirement:
            continue
        if wanted.name.lower() == "benchwright" and not wanted.specifier.contains(VERSION, prereleases=True):
            raise BenchError(
                f"it requires {wanted.name}{wanted.specifier} but this is version {VERSION}: install a version that fits."
            )


def _describe_entry(entry: EntryPoint) -> str:
    package = f" of the package {entry.dist.name}" if entry.dist else ""
    return f"{entry.name} ({entry.group}){package}"


def _tell_trouble(sentence: str) -> None:
    if sentence not in _troubles:
        _troubles.append(sentence)
        logging.getLogger(__name__).warning(sentence)
