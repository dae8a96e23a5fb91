"""Where a verb is worked: what it prints goes out here, paths are read from here, and from here it has its workspace. `Here` is
this process; serving.running_verb has the one of a verb that the app works for a command line."""

from argparse import Namespace
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from workbench import Workbench


class Session(Protocol):
    """One verb's surroundings."""

    @property
    def folder(self) -> Path:
        """What relative paths start from: empty in this process, else the folder that the command was given in."""
        ...

    @property
    def is_plain(self) -> bool:
        """Whether stdout can carry every letter; JSON is written with escapes otherwise."""
        ...

    def write_out(self, text: str) -> None:
        """Text to stdout, as it is."""
        ...

    def say(self, message: str) -> None:
        """A line to stderr, for people."""
        ...

    def bench(self, options: Namespace, fresh: bool = False) -> "AbstractContextManager[Workbench]":
        """The workspace that was named, open; with `fresh` made anew. Raises WorkspaceHeld, or BenchError."""
        ...

    def finish(self, bench: "Workbench", job: str) -> dict[str, Any]:
        """Work a job to its end in the background runner; Ctrl-C finishes the calls in flight and stores them."""
        ...


Verb = Callable[[Session, Namespace], int]
"""Works what the options say; returns the exit code."""
STOPPING = "Stopping: calls in flight are finished and stored; press Ctrl-C again to leave at once."
