"""The environment of a verb: its output, folder, person and workspace. LocalSession is this process; serving/running_verb.py
has the session of a verb that the app runs for a command line."""

from argparse import Namespace
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from workbench import Workbench


class Session(Protocol):
    """Output, folder, person and workspace of one verb."""

    @property
    def folder(self) -> Path | None:
        """Return the start of relative paths: empty in this process, else the current folder of the command line, or None when
        the verb has no access to files."""

    @property
    def person(self) -> str | None:
        """Return the person who acts by an access token; None = the owner of the workspace file."""

    @property
    def is_plain(self) -> bool:
        """Return whether stdout can write every letter; otherwise JSON is written with escapes."""

    def write_out(self, text: str) -> None:
        """Write text to stdout."""

    def say(self, message: str) -> None:
        """Write a line for people to stderr."""

    def bench(self, options: Namespace, fresh: bool = False) -> "AbstractContextManager[Workbench]":
        """Return the open workspace of the options; `fresh` creates a new workspace. Raises WorkspaceHeld, or BenchError."""

    def finish(self, bench: "Workbench", job: str) -> dict[str, Any]:
        """Run a job to its end in the background runner; Ctrl-C finishes the calls in flight and stores them."""


def select_options(options: Namespace, *names: str) -> dict[str, Any]:
    """Return the options of those names, as keyword arguments of a verb of the workbench."""
    return {name: getattr(options, name) for name in names}


def assign_batch(session: Session, bench: "Workbench", job: str, options: Namespace) -> None:
    """Let the job leave its requests in the folder of --batch; without the option, the job asks at once."""
    from terminal import paths  # --help loads this module, and not the agents

    bench.batches.assign(job, None if options.batch is None else paths.find_file(session.folder, options.batch).resolve())


Verb = Callable[[Session, Namespace], int]
"""Runs the verb with the options and returns the exit code."""
STOPPING = "Stopping: calls in flight are finished and stored; press Ctrl-C again to leave at once."
