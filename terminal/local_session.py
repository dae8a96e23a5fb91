"""The session of a verb that runs in this process: writes to stdout and stderr, opens and closes the workspace, and handles
Ctrl-C."""

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
        """Write all pending lines to stderr."""
        self._lines.end()

    @contextmanager
    def bench(self, options: Namespace, fresh: bool = False, is_expected: bool = True) -> "Iterator[Workbench]":
        """Open the workspace for one verb and yield it. Afterwards, stop the background runner and close the workspace."""
        import jobs
        from workbench import Workbench

        path = workspace_name(options)
        if is_expected and not fresh and path != ":memory:" and not Path(path).exists():
            self.say(f"There was no workspace at {path}, so an empty one is made: --workspace names another file.")
        with Workbench.open(path if path == ":memory:" else Path(path), fresh=fresh) as b:
            try:
                yield b
            finally:
                jobs.stop(b, seconds=0)

    def finish(self, bench: "Workbench", job: str) -> dict[str, Any]:
        """Start a job, wait until it ends and return its result. The first Ctrl-C stops the job once its calls in flight have
        finished and their results are stored; the second Ctrl-C exits at once."""
        import jobs

        running = self._running = jobs.start(bench).submit(job, self.say, by="terminal")
        with handle_ctrl_c(self.stop_job):
            return running.result()

    def stop_job(self) -> None:
        """Stop the job for which `finish` waits, once the job's calls in flight have finished. Do nothing if there is no such
        job."""
        if self._running is not None:
            self._running.cancel()
            self.say(STOPPING)


@contextmanager
def handle_ctrl_c(stop: Callable[[], None]) -> Iterator[None]:
    """Inside the `with` block, call `stop` at the first Ctrl-C and then restore the normal handling. If the process ignores
    Ctrl-C (as with nohup, or `&` in a script), or if this is not the main thread, change nothing."""
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
    """Return the path of the workspace file: from the option --workspace, else from the environment, else the default."""
    from workbench.current_workbench import find_workspace_path

    return find_workspace_path() if options.workspace is None else str(options.workspace)
