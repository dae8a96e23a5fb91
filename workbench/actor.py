"""The actor: the person who opened the page or called the route, or the owner of the file, who works at the terminal and may
do everything. Threads of a job or of the terminal act as the owner."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
_name: ContextVar[str | None] = ContextVar("actor", default=None)
_within: ContextVar[str] = ContextVar("within", default="")
_screens: list[Callable[[], str | None]] = []


def get_name() -> str | None:
    """Return the actor's name; "" for a person without a name, None for the owner."""
    name = _name.get()
    return _screens[-1]() if name is None and _screens else name


def read_from_screen(person: Callable[[], str | None]) -> None:
    """Register the function that names the person at the screen of the calling thread (None = the thread has no screen). Widget
    callbacks call it too."""
    _screens[:] = [person]


def carry_to_thread(call: Callable[[], T]) -> Callable[[], T]:
    """Bind the call to the present actor, for work that a page passes to a thread without a screen, such as a download that is
    created when its button is pressed."""
    person = get_name()

    def run_as_person() -> T:
        with act_as(person):
            return call()

    return run_as_person


@contextmanager
def act_as(person: str | None) -> Iterator[None]:
    """Act as that person within the block; None = the owner, or the person at this thread's screen."""
    with _set(_name, person):
        yield


def set_name(person: str) -> None:
    """Act as that person for the rest of this request."""
    _name.set(person.strip())


@contextmanager
def enter_verb() -> Iterator[None]:
    """Mark the block as the body of a verb that passed its check, so that the verbs it calls are not checked again."""
    with _set(_name, get_name()), _set(_within, _within.get() or "verb"):
        yield


@contextmanager
def enter_job() -> Iterator[None]:
    """Return a context manager: the verbs called in its `with` block are not checked and logged again, as those of a job that
    was checked and logged when it was planned."""
    with _set(_within, "job"):
        yield


def get_scope() -> str:
    """Return "verb" or "job" inside of one, "" outside of both."""
    return _within.get()


@contextmanager
def _set(variable: ContextVar[T], value: T) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
