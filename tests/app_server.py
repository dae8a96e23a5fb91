"""The app as a process of its own on a free loopback port, for what only a process shows: start-up, shut-down, its routes."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.forked_app import ForkedApp

ROOT = Path(__file__).parent.parent
FIRST_PORT, PORTS = 18_600, 20
"""Below the ports that the system gives out itself."""
START_SECONDS = 120.0
"""Seconds that the app has to answer in."""


@dataclass
class Served:
    """A running app."""

    url: str
    workspace: Path
    process: "subprocess.Popen[bytes] | ForkedApp"
    log: Path

    @property
    def token_file(self) -> Path:
        return self.workspace.with_name(self.workspace.name + ".token")

    def get(self, address: str) -> "tuple[int, Mapping[str, str], str]":
        """Status, headers and body."""
        try:
            with urllib.request.urlopen(f"{self.url}{address}", timeout=60) as answer:
                return answer.status, answer.headers, answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode(errors="replace")

    def describe(self) -> str:
        """What it printed last and, of a forked app, where each of its threads is that has something to do."""
        code = self.process.poll()
        if code is None and isinstance(self.process, ForkedApp):
            self.process.send_signal(signal.SIGUSR1)
            time.sleep(1)
        blocks = self.log.read_text()[-40_000:].split("\n\n")
        return f"exit code {code}\n" + "\n\n".join(block for block in blocks if "queue.py" not in block)

    def stop(self) -> int:
        """End it as a service manager would; returns its exit status when the workspace is free again."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def kill(self) -> None:
        """End it with no chance to tidy up."""
        self.process.kill()
        self.process.wait(60)


Serve = Callable[..., Served]


def started(
    workspace: Path,
    log: Path,
    port: int | None = None,
    env: Mapping[str, str] | None = None,
    program: Sequence[str] = ("-m", "streamlit"),
    is_forked: bool = False,
    base: str = "",
) -> Served:
    """The app on that workspace, answering; with `port` on that one, `env` added to the environment, below the path `base`.
    `is_forked` begins it with its libraries imported, in a third of the time."""
    port = port or known_port()
    words = ["run", "app.py", "--server.port", str(port), *(["--server.baseUrlPath", base] if base else [])]
    environment = {**os.environ, "BENCHWRIGHT_WORKSPACE": str(workspace), **(env or {})}
    process: subprocess.Popen[bytes] | ForkedApp
    if is_forked:
        process = ForkedApp(words, log, environment)
    else:
        with log.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, *program, *words], cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, env=environment
            )
    served = Served(f"http://127.0.0.1:{port}", workspace, process, log)
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(f"{served.url}{base}/bench/health", timeout=2).read()
            return served
        except urllib.error.HTTPError:  # it answers that the workspace cannot be opened
            return served
        except OSError:
            assert process.poll() is None, log.read_text()
            time.sleep(0.1)
    process.kill()
    raise AssertionError(f"the app did not start:\n{log.read_text()}")


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def known_port() -> int:
    """The first free port of a few that belong to this process: browsers keep the compiled scripts of an address that they
    know."""
    first = FIRST_PORT + PORTS * (os.getpid() % 500)
    for port in range(first, first + PORTS):
        with socket.socket() as s, contextlib.suppress(OSError):
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a server that just ended leaves connections behind
            s.bind(("127.0.0.1", port))
            return port
    return free_port()
