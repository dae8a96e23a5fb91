"""A workbench's attribute that is made when it is first asked for, and whose module is imported then: opening a workspace to
list its items does not import what drafts, runs and draws."""

from importlib import import_module
from operator import attrgetter
from threading import RLock
from typing import Any

_lock = RLock()


class Stage:
    """A class of this package, given the database and other attributes of its workbench."""

    def __init__(self, module: str, name: str, needs: tuple[str, ...]) -> None:
        self.module, self.name, self.needs = module, name, needs
        self.attribute = ""

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute = attribute

    def __get__(self, bench: Any, owner: type) -> Any:
        """The one object of that workbench; it stands in the place of this from then on."""
        if bench is None:
            return self
        with _lock:
            if self.attribute not in bench.__dict__:
                made = getattr(import_module(f"workbench.{self.module}"), self.name)
                bench.__dict__[self.attribute] = made(bench.database, *(attrgetter(need)(bench) for need in self.needs))
            return bench.__dict__[self.attribute]


def stage(module: str, name: str, *needs: str) -> Any:
    """The class `name` of a module of this package; `needs` are attributes of the workbench, dots within them followed."""
    return Stage(module, name, needs)
