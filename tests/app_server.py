"""The app as a process of its own on a free loopback port, for what only a process shows: start-up, shut-down, its routes."""

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

ROOT = Path(__file__).parent.parent


@dataclass
class Served:
    """A running app."""

    url: str
    workspace: Path
    process: "subprocess.Popen[bytes]"
    log: Path

    @property
    def token_file(self) -> Path:
        return self.workspace.with_name(self.workspace.name + ".token")

    def get(self, address: str) -> "tuple[int, Mapping[str, str], str]":
        """Status, headers and body."""
        try:
            with urllib.request.urlopen(f"{self.url}{address}", timeout=30) as answer:
                return answer.status, answer.headers, answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode(errors="replace")

    def stop(self) -> int:
        """End it as a service manager would; returns its exit status when the workspace is free again."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def kill(self) -> None:
        """End it with no chance to tidy up."""
        self.process.kill()
        self.process.wait(30)


Serve = Callable[..., Served]


def started(
    workspace: Path, log: Path, port: int | None = None, env: Mapping[str, str] | None = None,
    program: Sequence[str] = ("-m", "streamlit"),
) -> Served:  # fmt: skip
    """The app on that workspace, answering; with `port` on that one, `env` added to the environment."""
    port = port or free_port()
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, *program, "run", "app.py", "--server.port", str(port)], cwd=ROOT, stdout=out,
            stderr=subprocess.STDOUT, env={**os.environ, "BENCHWRIGHT_WORKSPACE": str(workspace), **(env or {})},
        )  # fmt: skip
    served = Served(f"http://127.0.0.1:{port}", workspace, process, log)
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{served.url}/_stcore/health", timeout=2).read()
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
