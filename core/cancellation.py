"""Long computations that can be cancelled between their batches: the caller sets the condition, the loops inside check it.
Completed batches are kept."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.errors import BenchError

_is_over: ContextVar[Callable[[], bool] | None] = ContextVar("is_over", default=None)


class Cancelled(BenchError):
    """The computation was cancelled."""


@contextmanager
def cancel_when(is_over: Callable[[], bool]) -> Iterator[None]:
    """Cancel the computation inside the block, in this thread or one with its context, as soon as `is_over()` is true."""
    token = _is_over.set(is_over)
    try:
        yield
    finally:
        _is_over.reset(token)


def raise_if_cancelled() -> None:
    """Raise Cancelled when the condition holds; loops call this between two batches."""
    is_over = _is_over.get()
    if is_over is not None and is_over():
        raise Cancelled("Broken off: the app is ending, or the job was stopped. It begins anew when it is asked for again.")
