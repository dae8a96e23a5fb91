"""Lets a caller cancel a long computation: the caller gives a condition, and the loops of the computation check this condition
after each batch. The results of completed batches are not lost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.errors import BenchError

_is_over: ContextVar[Callable[[], bool] | None] = ContextVar("is_over", default=None)


class Cancelled(BenchError):
    """Error that ends a computation which was cancelled."""


@contextmanager
def cancel_when(is_over: Callable[[], bool]) -> Iterator[None]:
    """Cancel the computation inside the block when `is_over()` returns true, also in threads that share this context."""
    token = _is_over.set(is_over)
    try:
        yield
    finally:
        _is_over.reset(token)


def raise_if_cancelled() -> None:
    """Raise Cancelled if the condition given to `cancel_when` is true. Long loops call this function after each batch."""
    is_over = _is_over.get()
    if is_over is not None and is_over():
        raise Cancelled("Cancelled: the app is closing, or the job was stopped. Start it again to repeat the work.")
