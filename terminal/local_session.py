"""Runs a verb in this process: it writes to stdout and stderr, opens and closes the workspace, and handles Ctrl-C."""

import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from terminal.lines import Lines
from terminal.session import STOPPING

if TYPE_CHECKING:
    from jobs import RunningJob
    from workbench import Workbench


class LocalSession:
    """Session of a verb that runs in this process."""

    folder: Path | None = Path()
    person: str | None = None

    def __init__(self) -> None:
        self._lines = Lines(lambda: sys.stderr)
        self._running: RunningJob | None = None

    @property
    def is_plain(self) -> bool:
        return (sys.stdout.encoding or "").lower().startswith("utf")

    def write_out(self, text: str) -> None:
        self._lines.end()
        sys.stdout.write(text)

    def say(self, message: str) -> None:
        self._lines.say(message)

    def end(self) -> None:
        """Write all lines that are still waiting to stderr."""
        self._lines.end()

    @contextmanager
    def bench(self, options: Namespace, fresh: bool = False) -> "Iterator[Workbench]":
        """Return the workspace, opened for one verb; the background runner ends when it is closed."""
        import jobs
        from workbench import Workbench

        path = workspace_name(options)
        with Workbench.open(path if path == ":memory:" else Path(path), fresh=fresh) as b:
            try:
                yield b
            finally:
                jobs.stop(b, seconds=0)

    def finish(self, bench: "Workbench", job: str) -> dict[str, Any]:
        """Wait for a job and return its result. The first Ctrl-C lets calls in flight finish and stores them; the second exits
        at once."""
        import jobs

        running = self._running = jobs.start(bench).submit(job, self.say, by="terminal")
        with handle_ctrl_c(self.stop_job):
            return running.result()

    def stop_job(self) -> None:
        """Stop the job for which `finish` waits, once its calls in flight have finished; do nothing if there is none."""
        if self._running is not None:
            self._running.cancel()
            self.say(STOPPING)


@contextmanager
def handle_ctrl_c(stop: Callable[[], None]) -> Iterator[None]:
    """Inside the block, call `stop` at the first Ctrl-C and then restore the normal handling. A Ctrl-C that is ignored (nohup,
    a script's `&`) stays ignored; only the main thread can handle it."""
    before = signal.getsignal(signal.SIGINT)
    if before == signal.SIG_IGN or threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        stop()

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def workspace_name(options: Namespace) -> str:
    """Return the file of the workspace: that of the option --workspace, else of the environment, else the default."""
    from workbench.current_workbench import find_workspace_path

    return find_workspace_path() if options.workspace is None else str(options.workspace)
