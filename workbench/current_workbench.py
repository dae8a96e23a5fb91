"""The one workspace that this process serves: opened at the first question, the same handle ever after. The app's pages and
routes ask here; the command line opens its own."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

from workbench.workbench import Workbench

DEFAULT = "benchwright.duckdb"

_lock = threading.Lock()
_open: list[Workbench] = []
_greetings: list[Callable[[Workbench], None]] = []


def find_workspace_path() -> str:
    """The file that the environment names, else the usual one in this folder."""
    return os.environ.get("BENCHWRIGHT_WORKSPACE") or DEFAULT


def open_workbench() -> Workbench:
    """The workspace's stages. Raises WorkspaceHeld when another process has it, BenchError when it cannot be read."""
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
    """Have it called with the workspace each time that it is opened, whoever asks first; None = nobody any more."""
    _greetings[:] = [] if greet is None else [greet]


def close_workbench() -> None:
    """Let go of it; the next question opens it again."""
    with _lock:
        while _open:
            _open.pop().close()
