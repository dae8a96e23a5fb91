"""The app at work, and an endpoint for its agents."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app_server import ROOT, Serve, Served
from tests.openai_server import Running, running


@pytest.fixture
def app(serve: Serve, workspace: Path) -> Served:
    """The app on the sample world, which is the workspace that `bw` asks for."""
    return serve(workspace)


HOLD = "import sys; from store.engine.database import Database\nDatabase.open(sys.argv[1]); print('held', flush=True); input()"


@pytest.fixture
def held(workspace: Path) -> "Iterator[subprocess.Popen[str]]":
    """The workspace is another process's, which is not an app; a line to its stdin ends it."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(workspace)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        yield holder
        if holder.poll() is None:
            holder.communicate("\n")


@pytest.fixture(scope="module")
def one_server() -> Iterator[Running]:
    with running(key="sk-right-0123456789") as server:
        yield server


@pytest.fixture
def server(one_server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    """An endpoint that this command line knows, with its key, and an app started before does not."""
    monkeypatch.setenv("OPENAI_BASE_URL", one_server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-right-0123456789")
    one_server.script([])
    one_server.reset()
    return one_server
