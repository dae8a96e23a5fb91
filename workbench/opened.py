"""The one workspace that this process serves: opened at the first question, the same handle ever after. The app's pages and
routes ask here; the command line opens its own."""

import os
import threading
from pathlib import Path

from workbench.bench import Workbench

DEFAULT = "benchwright.duckdb"

_lock = threading.Lock()
_open: list[Workbench] = []


def workspace() -> str:
    """The file that the environment names, else the usual one in this folder."""
    return os.environ.get("BENCHWRIGHT_WORKSPACE") or DEFAULT


def opened() -> Workbench:
    """The workspace's stages. Raises WorkspaceHeld when another process has it, BenchError when it cannot be read."""
    with _lock:
        if not _open:
            path = workspace()
            _open.append(Workbench.open(path if path == ":memory:" else Path(path)))
        return _open[0]


def close() -> None:
    """Let go of it; the next question opens it again."""
    with _lock:
        while _open:
            _open.pop().close()
