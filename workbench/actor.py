"""Who acts: the person whose page or route asked, or the owner of the file, who sits at the terminal and may do everything. A
thread of our own (a job's, the terminal's) acts as the owner."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
_name: ContextVar[str | None] = ContextVar("actor", default=None)
_within: ContextVar[str] = ContextVar("within", default="")
_screens: list[Callable[[], str | None]] = []


def get_name() -> str | None:
    """The person's name, "" for somebody who gave none; None = the owner."""
    name = _name.get()
    return _screens[-1]() if name is None and _screens else name


def read_from_screen(person: Callable[[], str | None]) -> None:
    """Have that asked who sits at the screen which this thread draws; None = no screen of ours. Callbacks of widgets are asked
    for as their page is, wherever they got hold of a verb."""
    _screens[:] = [person]


def carry_to_thread(call: Callable[[], T]) -> Callable[[], T]:
    """The call, acting as whoever acts now: for what a page hands to a thread that has no screen (a download made when it is
    pressed)."""
    person = get_name()

    def made() -> T:
        with act_as(person):
            return call()

    return made


@contextmanager
def act_as(person: str | None) -> Iterator[None]:
    """Within it that person acts; None = the owner, or who sits at this thread's screen."""
    with _set(_name, person):
        yield


def set_name(person: str) -> None:
    """From here on in this request it is that person who acts."""
    _name.set(person.strip())


@contextmanager
def enter_verb() -> Iterator[None]:
    """Within a verb that was looked at: what it does by other verbs, in other threads too, is its own affair."""
    with _set(_name, get_name()), _set(_within, _within.get() or "verb"):
        yield


@contextmanager
def enter_job() -> Iterator[None]:
    """Within a job, which was looked at and put on record when it was planned."""
    with _set(_within, "job"):
        yield


def get_scope() -> str:
    """ "" at the door, else "verb" or "job"."""
    return _within.get()


@contextmanager
def _set(variable: ContextVar[T], value: T) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
