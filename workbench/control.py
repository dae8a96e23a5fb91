"""Lets a running job report its progress, and lets other code stop the job."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Control:
    """The controls of one running job, safe to use from several threads."""

    say: Callable[[str], None] = lambda message: None
    """Function that reports progress: one line of text for people."""
    asked: Callable[[], bool] = lambda: False
    """Function that returns whether the stored job was cancelled; the job calls it between batches."""
    is_broken_off: bool = False
    """Whether the job's calls in flight were broken off, because it was cancelled for good."""
    _stopping: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Stop the job after its running calls have ended and their results are stored."""
        self._stopping.set()

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def look(self) -> bool:
        """Check in the database whether another process has cancelled the job, and return whether the job has to stop."""
        if not self.stopping and self.asked():
            self.cancel()
        return self.stopping


def describe_stop(stopped: str | None, why: str = "") -> str:
    """Return a sentence that says why the job was stopped, or "" if `stopped` is None."""
    if stopped is None:
        return ""
    return f"Stopped ({stopped}): {why}" if why else f"Stopped ({stopped})."
