"""Long computing that can be broken off between its pieces: whoever begins it says when it is to end, and the loops within ask.
What is made of whole pieces and kept, stays."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.errors import BenchError

_is_over: ContextVar[Callable[[], bool] | None] = ContextVar("is_over", default=None)


class Cancelled(BenchError):
    """It was broken off."""


@contextmanager
def cancel_when(is_over: Callable[[], bool]) -> Iterator[None]:
    """Break off what is computed within, in this thread or one that has its context, as soon as that is so."""
    token = _is_over.set(is_over)
    try:
        yield
    finally:
        _is_over.reset(token)


def raise_if_cancelled() -> None:
    """Between two pieces: raises Ended when it is over."""
    is_over = _is_over.get()
    if is_over is not None and is_over():
        raise Cancelled("Broken off: the app is ending, or the job was stopped. It begins anew when it is asked for again.")
