"""A verb in this process: stdout and stderr are its own, the workspace is opened for it and closed after it, Ctrl-C is heard
here."""

import signal
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from terminal.lines import Lines
from terminal.session import STOPPING

if TYPE_CHECKING:
    from workbench import Workbench


class LocalSession:
    """This process."""

    folder = Path()

    def __init__(self) -> None:
        self._lines = Lines(lambda: sys.stderr)

    @property
    def is_plain(self) -> bool:
        return (sys.stdout.encoding or "").lower().startswith("utf")

    def write_out(self, text: str) -> None:
        self._lines.end()
        sys.stdout.write(text)

    def say(self, message: str) -> None:
        self._lines.say(message)

    def end(self) -> None:
        """All that was said is on stderr."""
        self._lines.end()

    @contextmanager
    def bench(self, options: Namespace, fresh: bool = False) -> "Iterator[Workbench]":
        """The background runner ends with it."""
        import jobs
        from workbench import Workbench

        path = workspace_name(options)
        with Workbench.open(path if path == ":memory:" else Path(path), fresh=fresh) as b:
            try:
                yield b
            finally:
                jobs.stop(b, seconds=0)

    def finish(self, bench: "Workbench", job: str) -> dict[str, Any]:
        """The first press of Ctrl-C finishes the calls in flight and stores them, the second leaves at once. Where Ctrl-C is
        ignored (nohup, a script's `&`) it stays so."""
        import jobs

        running = jobs.start(bench).submit(job, self.say, by="terminal")
        before = signal.getsignal(signal.SIGINT)
        if before == signal.SIG_IGN:
            return running.result()

        def stop(*_: object) -> None:
            signal.signal(signal.SIGINT, before)
            running.cancel()
            self.say(STOPPING)

        signal.signal(signal.SIGINT, stop)
        try:
            return running.result()
        finally:
            signal.signal(signal.SIGINT, before)


def workspace_name(options: Namespace) -> str:
    """The workspace by option, else by the environment, else the usual one."""
    from workbench.current_workbench import workspace

    return workspace() if options.workspace is None else str(options.workspace)
