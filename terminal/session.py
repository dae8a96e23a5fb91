"""Interface through which a verb writes its output and gets its folder, person and workspace. LocalSession implements it for a
verb that runs in this process; serving/running_verb.py implements it for a verb that the app runs for a command line."""

from argparse import Namespace
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from workbench import Workbench


class Session(Protocol):
    """Output, folder, person and workspace of one call of a verb."""

    @property
    def folder(self) -> Path | None:
        """Folder from which relative paths are resolved: Path() if the verb runs in this process, the command line's current
        folder if the app runs the verb, or None if the verb may not access files."""

    @property
    def person(self) -> str | None:
        """Person of the access token, for whom the verb acts; None = the verb acts for the owner of the workspace file."""

    @property
    def is_plain(self) -> bool:
        """Whether stdout can encode all of Unicode; if not, non-ASCII characters in JSON are escaped."""

    def write_out(self, text: str) -> None:
        """Write text to the standard output of the command."""

    def say(self, message: str) -> None:
        """Write a human-readable line to the standard error of the command."""

    def bench(self, options: Namespace, fresh: bool = False, is_expected: bool = True) -> "AbstractContextManager[Workbench]":
        """Return a context manager that yields the open workspace that the options name; with `fresh`, it creates a new
        workspace. With `is_expected`, which verbs that usually begin a workspace turn off, the verb says if there was no such
        file. Raises WorkspaceHeld if another process has the workspace open, or BenchError if it cannot be opened."""

    def finish(self, bench: "Workbench", job: str) -> dict[str, Any]:
        """Run a job in the background runner, wait until it ends and return its result. Ctrl-C stops the job once its calls in
        flight have finished and their results are stored."""


def select_options(options: Namespace, *names: str) -> dict[str, Any]:
    """Return the options with these names as a dict of keyword arguments for a function of the workbench."""
    return {name: getattr(options, name) for name in names}


def assign_batch(session: Session, bench: "Workbench", job: str, options: Namespace) -> None:
    """If the command has --batch, make the job write its requests into files in the folder that --batch names; otherwise make
    the job send each request directly."""
    from terminal import paths  # imported here, so that --help does not load the agents

    bench.batches.assign(job, None if options.batch is None else paths.find_file(session.folder, options.batch).resolve())


Verb = Callable[[Session, Namespace], int]
"""Type of the function of a verb, which is called with session and options and returns the exit code."""
STOPPING = "Stopping: calls in flight are finished and stored; press Ctrl-C again to leave at once."
