"""Defines attributes of the workbench (stages) that are created, and whose modules are imported, only when they are first read.
Opening a workspace to list its items therefore does not import the modules for drafting, running and drawing."""

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
        """Declare the class that the attribute's annotation names, in that module of this package.

        `needs` are attributes of the workbench that it is made with, dots within them followed; `jobs` maps each kind of job
        that it runs to its method for it."""
        self.module, self.needs, self.jobs = module, needs, jobs

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute, self.class_name = attribute, owner.__annotations__[attribute]

    def __get__(self, bench: Any, owner: type) -> Any:
        """Return the workbench's one object, which replaces this descriptor on the workbench from then on."""
        if bench is None:
            return self
        with _lock:
            if self.attribute not in bench.__dict__:
                make = getattr(import_module(complete_name(f"workbench.{self.module}")), self.class_name)
                bench.__dict__[self.attribute] = make(bench.database, *(attrgetter(need)(bench) for need in self.needs))
            return bench.__dict__[self.attribute]


stage: Any = Stage
"""Declares a stage in the class Workbench; same as `Stage`, but of type Any, so that the attribute's own annotation counts."""


def list_stages(workbench: type) -> list[Stage]:
    """List the stages that a workbench class declares."""
    return [one for one in vars(workbench).values() if isinstance(one, Stage)]
