"""Define the stages of the workbench: attributes that are created when they are first read, and whose modules are imported only
then. For example, opening a workspace to list its items does not import the modules for drafting."""

from collections.abc import Mapping
from importlib import import_module
from operator import attrgetter
from threading import RLock
from types import MappingProxyType
from typing import Any

from core.installation import complete_name

_lock = RLock()


class Stage:
    """Descriptor of one stage of the workbench; it creates the stage's object from the database and other attributes of the
    workbench."""

    def __init__(self, module: str, *needs: str, jobs: Mapping[str, str] = MappingProxyType({})) -> None:
        """Declare a stage. The annotation of the attribute names the stage's class, which `module` of this package defines.

        `needs` are the names of workbench attributes, possibly with dots, that are passed to the class. `jobs` is a dict from
        each kind of job that the stage runs to the name of the method that runs it."""
        self.module, self.needs, self.jobs = module, needs, jobs

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute, self.class_name = attribute, owner.__annotations__[attribute]

    def __get__(self, bench: Any, owner: type) -> Any:
        """Return the workbench's object of this stage. The first access creates the object, which then replaces this descriptor
        on the workbench."""
        if bench is None:
            return self
        with _lock:
            if self.attribute not in bench.__dict__:
                make = getattr(import_module(complete_name(f"workbench.{self.module}")), self.class_name)
                bench.__dict__[self.attribute] = make(bench.database, *(attrgetter(need)(bench) for need in self.needs))
            return bench.__dict__[self.attribute]


stage: Any = Stage
"""Function that declares a stage in the class Workbench. The function is `Stage` with the return type Any, so that the
annotation of the attribute counts."""


def list_stages(workbench: type) -> list[Stage]:
    """Return the names of the stages that a workbench class declares."""
    return [one for one in vars(workbench).values() if isinstance(one, Stage)]
