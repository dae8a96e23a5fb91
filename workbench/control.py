"""What a job's body is handed to hear of a cancel and to tell how far it is."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Control:
    """The thread-safe ear and mouth of one running job."""

    say: Callable[[str], None] = lambda message: None
    """Where progress goes: one line of text for people."""
    asked: Callable[[], bool] = lambda: False
    """Reads the job's cancel flag from the store; called between batches."""
    _stopping: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Finish the calls in flight, store them, stop."""
        self._stopping.set()

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def look(self) -> bool:
        """Ask the store whether somebody cancelled the job elsewhere; returns whether it is stopping."""
        if not self.stopping and self.asked():
            self.cancel()
        return self.stopping


def describe_stop(stopped: str | None, why: str = "") -> str:
    """How a job was stopped, for the end of a sentence; "" when it was not."""
    if stopped is None:
        return ""
    return f"Stopped ({stopped}): {why}" if why else f"Stopped ({stopped})."
