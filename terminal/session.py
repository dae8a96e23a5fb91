"""What a verb needs from outside: output, folder, person and workspace. LocalSession provides them in this process;
serving/running_verb.py provides them for a verb that the app runs for a command line."""

from argparse import Namespace
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from workbench import Workbench


class Session(Protocol):
    """Output, folder, person and workspace that one verb works with."""

    @property
    def folder(self) -> Path | None:
        """Folder from which relative paths start: empty in this process, the current folder of the command line in the app, or
        None if the verb has no access to files."""

    @property
    def person(self) -> str | None:
        """Person for whom the verb acts because of an access token; None = the owner of the workspace file."""

    @property
    def is_plain(self) -> bool:
        """Whether stdout can write every letter; if not, JSON is written with escapes."""

    def write_out(self, text: str) -> None:
        """Write text to the standard output of the verb."""

    def say(self, message: str) -> None:
        """Write a line for people to the standard error of the verb."""

    def bench(self, options: Namespace, fresh: bool = False) -> "AbstractContextManager[Workbench]":
        """Return the workspace that the options name, opened for the verb; `fresh` creates a new one. Raises WorkspaceHeld if
        another process has it open, or BenchError if it cannot be opened."""

    def finish(self, bench: "Workbench", job: str) -> dict[str, Any]:
        """Run a job to its end in the background runner, and return its result. Ctrl-C lets the calls in flight finish and
        stores them."""


def select_options(options: Namespace, *names: str) -> dict[str, Any]:
    """Return those of the command's options whose names are given, as keyword arguments for a function of the workbench."""
    return {name: getattr(options, name) for name in names}


def assign_batch(session: Session, bench: "Workbench", job: str, options: Namespace) -> None:
    """If the command has --batch, make the job write its requests into files in that folder; otherwise it sends them at
    once."""
    from terminal import paths  # --help loads this module, and not the agents

    bench.batches.assign(job, None if options.batch is None else paths.find_file(session.folder, options.batch).resolve())


Verb = Callable[[Session, Namespace], int]
"""Type of the function of a verb, which is called with session and options and returns the exit code."""
STOPPING = "Stopping: calls in flight are finished and stored; press Ctrl-C again to leave at once."
