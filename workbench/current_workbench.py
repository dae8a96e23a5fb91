"""Hold the one workbench (open workspace) of this process. The app's pages and routes share a workbench, which the first call
of `open_workbench` opens. The command line opens its own workbench."""

import os
import threading
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import cast

from workbench.guest_workbench import GuestWorkbench
from workbench.roles import find_guest_release
from workbench.workbench import Workbench

DEFAULT_PATH = "benchwright.duckdb"

_lock = threading.Lock()
_open: list[Workbench] = []
_greetings: list[Callable[[Workbench], None]] = []
_is_finding_actor: ContextVar[bool] = ContextVar("is_finding_actor", default=False)


def find_workspace_path() -> str:
    """Return the path of the workspace file, which is the value of the environment variable BENCHWRIGHT_WORKSPACE. If the
    variable is not set, return the path of the default file in the current folder."""
    return os.environ.get("BENCHWRIGHT_WORKSPACE") or DEFAULT_PATH


def open_workbench() -> Workbench:
    """Return the open workbench; if the current user is a guest, return a restricted GuestWorkbench. Raises WorkspaceHeld if
    another process has the workspace open, and BenchError if the file cannot be read."""
    bench = _open_whole()
    if _is_finding_actor.get():
        return bench
    token = _is_finding_actor.set(True)  # the session, which also opens the workbench, finds the actor
    try:
        release = find_guest_release(bench.database)
    finally:
        _is_finding_actor.reset(token)
    return bench if release is None else cast(Workbench, GuestWorkbench(bench, release))


def _open_whole() -> Workbench:
    with _lock:
        if not _open:
            path = find_workspace_path()
            _open.append(Workbench.open(path if path == ":memory:" else Path(path)))
            _open[0].make_every_stage()
            for greet in _greetings:
                greet(_open[0])
        bench = _open[0]
    bench.prompts.put_in_force()
    return bench


def call_at_opening(greet: Callable[[Workbench], None] | None) -> None:
    """Register the function `greet`, which is then called with each workbench that is opened; None removes the registered
    function."""
    _greetings[:] = [] if greet is None else [greet]


def close_workbench() -> None:
    """Close the workbench; the next call of `open_workbench` opens it again."""
    with _lock:
        while _open:
            _open.pop().close()
