"""The app in a process that is forked from one which has its libraries imported already: it answers seconds earlier."""

import faulthandler
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import TimeoutExpired
from types import ModuleType

ROOT = Path(__file__).parent.parent
_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload(["tests.preloaded"])


class ForkedApp:
    """`streamlit ...` at work; what tests use of subprocess.Popen."""

    def __init__(self, words: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        self._process = _FORKING.Process(target=_serve, args=(list(words), str(log), dict(environment)))
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")  # an AppTest leaves its script there, which the child would run
        try:
            self._process.start()
        finally:
            sys.modules["__main__"] = main
        self.pid = int(self._process.pid or 0)

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise TimeoutExpired("streamlit", timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _serve(words: list[str], log: str, environment: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    os.chdir(ROOT)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(file, 1)
    os.dup2(file, 2)
    faulthandler.register(signal.SIGUSR1)  # writes where each thread is
    from streamlit.web.cli import main

    sys.argv = ["streamlit", *words]
    main()
