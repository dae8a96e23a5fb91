"""Let a running job report its progress, and let other code stop the job."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from core.errors import AgentError, CallNotSent, WaitsForBatch


@dataclass(slots=True)
class Control:
    """Reports the progress of one running job and can stop it; several threads can use it."""

    say: Callable[[str], None] = lambda message: None
    """Function that reports progress, as one line of text for people."""
    asked: Callable[[], bool] = lambda: False
    """Function that returns whether the stored job was cancelled; the job calls it between batches."""
    is_broken_off: bool = False
    """Whether the job's running LLM calls were cancelled, because the job was cancelled for good."""
    _stopping: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Stop the job after its running LLM calls have ended and their results are stored."""
        self._stopping.set()

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def look(self) -> bool:
        """Check in the database whether another process has cancelled the job; return whether the job must stop."""
        if not self.stopping and self.asked():
            self.cancel()
        return self.stopping


def name_stop(error: AgentError | CallNotSent) -> str:
    """Return why a job stops at a call that failed: batch, budget or endpoint; "" = only this call's piece has failed."""
    if isinstance(error, AgentError):
        return "endpoint" if error.stops_job else ""
    return "batch" if isinstance(error, WaitsForBatch) else "budget"


def describe_stop(stopped: str | None, why: str = "") -> str:
    """Return a sentence that says why the job was stopped, or "" if `stopped` is None."""
    if stopped is None:
        return ""
    return f"Stopped ({stopped}): {why}" if why else f"Stopped ({stopped})."
