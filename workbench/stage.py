"""Defines the stages of the workbench: attributes that are created, and whose modules are imported, only when they are first
read. Opening a workspace to list its items therefore does not import the modules of other stages, for example for drafting."""

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
        """Declare a stage whose class is named by the attribute's annotation and defined in `module` of this package.

        `needs` are attributes of the workbench, possibly dotted, that are passed to the class; `jobs` maps each kind of job
        that the stage runs to the name of the method that runs it."""
        self.module, self.needs, self.jobs = module, needs, jobs

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute, self.class_name = attribute, owner.__annotations__[attribute]

    def __get__(self, bench: Any, owner: type) -> Any:
        """Return the workbench's object of this stage, which is created at the first access and then replaces this descriptor
        on the workbench."""
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
