"""Tells a running job about a cancel, and reports the job's progress."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Control:
    """The thread-safe controls of one running job."""

    say: Callable[[str], None] = lambda message: None
    """Reports a progress message: one line of text for people."""
    asked: Callable[[], bool] = lambda: False
    """Returns the job's cancel flag from the store; called between batches."""
    _stopping: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Stop the job after its calls in flight are finished and stored."""
        self._stopping.set()

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def look(self) -> bool:
        """Return whether the job is stopping; asks the store whether another process cancelled it."""
        if not self.stopping and self.asked():
            self.cancel()
        return self.stopping


def describe_stop(stopped: str | None, why: str = "") -> str:
    """Describe in a sentence how a job was stopped; "" when it was not."""
    if stopped is None:
        return ""
    return f"Stopped ({stopped}): {why}" if why else f"Stopped ({stopped})."
