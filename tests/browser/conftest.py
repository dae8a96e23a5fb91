"""The real app in real Chromium: a server of its own process on a free loopback port, ended with the test."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from workbench import Workbench

ROOT = Path(__file__).parents[2]
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip


@dataclass
class Served:
    """A running app."""

    url: str
    workspace: Path
    process: "subprocess.Popen[bytes]"
    log: Path

    def stop(self) -> None:
        """End it as a service manager would; returns when the workspace is free again."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)

    def kill(self) -> None:
        """End it with no chance to tidy up."""
        self.process.kill()
        self.process.wait(30)


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """serve(workspace) starts the app on it; with `port` on that port again; `env` adds to the environment."""
    running: list[Served] = []

    def start(workspace: Path, port: int | None = None, env: dict[str, str] | None = None) -> Served:
        port = port or free_port()
        log = tmp_path / f"app-{len(running)}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)], cwd=ROOT, stdout=out,
                stderr=subprocess.STDOUT, env={**os.environ, "BENCHWRIGHT_WORKSPACE": str(workspace), **(env or {})},
            )  # fmt: skip
        served = Served(f"http://127.0.0.1:{port}", workspace, process, log)
        running.append(served)
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{served.url}/_stcore/health", timeout=2).read()
                return served
            except OSError:
                assert process.poll() is None, log.read_text()
                time.sleep(0.1)
        raise AssertionError(f"the app did not start:\n{log.read_text()}")

    yield start
    for served in running:
        served.stop()


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace file with the sample documents and their accepted items."""
    path = tmp_path_factory.mktemp("samples") / "samples.duckdb"
    with Workbench.open(path) as bench:
        bench.corpus.load_samples()
    return path


@pytest.fixture
def workspace(samples: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copy(samples, tmp_path / "w.duckdb"))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """$CHROMIUM, or the chromium on PATH."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        pytest.fail("No chromium: `apt-get install chromium`, or set CHROMIUM to its path.")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, headless=True, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A browser of Ada's, its window 1280 x 900; a test fails on any error on its console, and on any request that leaves this
    machine."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda m: wrong.append(m.text) if m.type == "error" and "Content Security" in m.text else None)
    page.on("request", lambda r: wrong.append(r.url) if r.url.startswith("http") and "//127.0.0.1" not in r.url else None)
    yield page
    context.close()
    assert not wrong, wrong


def sign(page: Page, url: str, name: str = "Ada") -> None:
    """The name that this browser remembers."""
    page.context.add_cookies([{"name": "benchwright_person", "value": name, "url": url}])
