"""Keep track of the actor, the person for whom the current code runs. The actor is the person who opened the page or called the
route; at the terminal, the actor is the owner of the workspace file, who has every permission. The threads of a job and of the
command line act as the owner."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
_name: ContextVar[str | None] = ContextVar("actor", default=None)
_within: ContextVar[str] = ContextVar("within", default="")
_screens: list[Callable[[], str | None]] = []


def get_name() -> str | None:
    """Return the actor's name; "" for a person without a name, None for the owner at the terminal."""
    name = _name.get()
    return _screens[-1]() if name is None and _screens else name


def read_from_screen(person: Callable[[], str | None]) -> None:
    """Register the function `person`, which returns the name of the person whose browser tab the calling thread serves, or None
    if the thread serves no browser tab. `person` is also called while the callback of a widget runs."""
    _screens[:] = [person]


def carry_to_thread(call: Callable[[], T]) -> Callable[[], T]:
    """Return a function that calls `call` as the current actor, even if another thread runs the function. A page needs this for
    work in a thread that serves no browser tab, such as a download that is created when its button is clicked."""
    person = get_name()

    def run_as_person() -> T:
        with act_as(person):
            return call()

    return run_as_person


@contextmanager
def act_as(person: str | None) -> Iterator[None]:
    """Return a context manager that makes `person` the actor within its block. None stands for the person whose browser tab the
    thread serves, or for the owner if there is no tab."""
    with _set(_name, person):
        yield


def set_name(person: str) -> None:
    """Make `person` the actor for the rest of the current HTTP request."""
    _name.set(person.strip())


@contextmanager
def enter_verb() -> Iterator[None]:
    """Return a context manager for a workbench method that has passed its permission check: methods called within the block are
    not checked again."""
    with _set(_name, get_name()), _set(_within, _within.get() or "verb"):
        yield


@contextmanager
def enter_job() -> Iterator[None]:
    """Return a context manager for the work of a job. Methods called within the block are not checked and logged again, because
    this was done when the job was planned."""
    with _set(_within, "job"):
        yield


def get_scope() -> str:
    """Return "verb" within an `enter_verb` block, "job" within an `enter_job` block, and "" outside of both."""
    return _within.get()


@contextmanager
def _set(variable: ContextVar[T], value: T) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
