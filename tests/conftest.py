"""What tests share: the command line called in process, workspaces of the samples, and the app as a process."""

import atexit
import gc
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

import cli
from tests.app_server import Serve, Served, started
from tests.new_workspaces import copied_from_empty
from tests.openai_server import Running, running
from workbench import Workbench

# Several processes of tests share the machine: threads of torch and numpy that wait for one another would take most of it. Must
# stand before torch is loaded; the apps and verbs that tests start inherit it.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# After collection a process holds a million objects that stay: looking through them as often as Python does by itself takes a
# twelfth of the processor time.
gc.set_threshold(50_000, 20, 20)

# A shell that starts the tests in the background lets them ignore Ctrl-C, and every process they start as well.
signal.signal(signal.SIGINT, signal.default_int_handler)

SLOW_PART = 0.75
"""Share of the files, in the order in which they run, among which those with slow tests stand."""
LONG_FILES = frozenset(
    f"test_{name}.py"
    for name in [
        "bad_releases",
        "bad_runs",
        "batch",
        "desk_verbs",
        "every_page",
        "grade",
        "hostile_text",
        "orders",
        "results",
        "shards",
        "systems_on_tasks",
        "work_verbs",
    ]
)
"""Files of many tests that take 40 seconds or more together."""

# Tests start no LanguageTool of this machine, except those that ask for it by the fixture real_languagetool.
LANGUAGETOOL_FOLDER = os.environ.setdefault("BENCHWRIGHT_TESTS_LTP_PATH", os.environ.get("LTP_PATH", ""))
os.environ["LTP_PATH"] = str(Path(__file__).parent / "no_languagetool_here")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files run in a mixed order, the same every time, so that the processes that share the machine do not all drive a browser
    at once and all wait for an endpoint later. Files with slow or many tests are spread over the first part: none of them is
    begun last."""
    browser = Path(__file__).parent / "browser"
    slow = {item.path for item in items if item.get_closest_marker("slow") or item.path.is_relative_to(browser)}
    slow |= {item.path for item in items if item.path.name in LONG_FILES}

    def place(item: pytest.Item) -> float:
        return crc32(item.path.name.encode()) * (SLOW_PART if item.path in slow else 1.0)

    items.sort(key=place)


@dataclass(frozen=True)
class Said:
    """What one verb printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def sentence(self) -> str:
        """What went wrong: the last line on stderr. There is no traceback, and on stdout nothing, or JSON alone."""
        assert "Traceback" not in self.err and self.err.strip(), self.err
        assert not self.out.strip() or self.json is not None
        return self.err.strip().splitlines()[-1]


Bench = Callable[..., Said]


@pytest.fixture(scope="session", autouse=True)
def new_workspaces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """New workspaces are copies of an empty one; workspaces of processes that tests start are made."""
    with copied_from_empty(tmp_path_factory.mktemp("empty")):
        yield


@pytest.fixture
def real_languagetool(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a real LanguageTool, in which LTP_PATH points to it again; the test is skipped where there is none."""
    if not LANGUAGETOOL_FOLDER:
        pytest.skip("LTP_PATH names no folder of a real LanguageTool")
    monkeypatch.setenv("LTP_PATH", LANGUAGETOOL_FOLDER)
    return Path(LANGUAGETOOL_FOLDER)


def call_verb(workspace: Path, *words: object) -> Any:
    """What a verb prints with --json, for fixtures that several tests share. The verb must end well."""
    with redirect_stdout(StringIO()) as printed, redirect_stderr(StringIO()) as told:
        code = cli.main([*map(str, words), "--workspace", str(workspace), "--json"])
    assert code == 0, told.getvalue()
    return json.loads(printed.getvalue())


@pytest.fixture
def bw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    """bw("items", "--task", ...) calls cli.py's main on a workspace of this test, with --json."""

    def call(verb: str, *arguments: object, json_too: bool = True, workspace: Path | None = None) -> Said:
        capsys.readouterr()
        words = [verb, *map(str, arguments)]
        if verb != "score" or workspace:
            words += ["--workspace", str(workspace or tmp_path / "w.duckdb")]
        try:
            code = cli.main([*words, "--json"] if json_too else words)
        except SystemExit as stop:
            code = int(stop.code or 0)
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return call


@pytest.fixture
def town(tmp_path: Path) -> Path:
    """A document."""
    from tests.terminal.test_cli import TOWN

    path = tmp_path / "bridge.md"
    path.write_text(TOWN, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def made_world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The folder that `world` copies, and what it returns."""
    from tests.terminal.test_cli import TOWN

    folder = tmp_path_factory.mktemp("world")
    contexts = [
        {"title": "Bridge", "text": TOWN, "gold": True},
        {"title": "Mill", "text": "The mill of Orvel burnt in 1902.", "gold": False},
    ]
    lines = [
        {"id": "designer", "question": "Who designed the bridge at Orvel?", "answer": "Marta Quill", "contexts": contexts},
        {"id": "fire", "question": "When did the mill of Orvel burn?", "answer": "1902", "contexts": contexts},
    ]
    path = folder / "qa.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    workspace = folder / "w.duckdb"
    call_verb(workspace, "import", path, "--format", "jsonl")
    call_verb(workspace, "freeze", "v1", "--allow-unlicensed", "a test")
    return folder, {item["answers"][0]: item["id"] for item in call_verb(workspace, "items")}


@pytest.fixture
def world(made_world: tuple[Path, dict[str, str]], tmp_path: Path) -> dict[str, str]:
    """Two accepted items of outside QA over two documents, and the release v1; gives the item's id by its answer."""
    folder, ids = made_world
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return dict(ids)


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace file with the sample documents and their accepted items; copied for each test that writes."""
    path = tmp_path_factory.mktemp("samples") / "samples.duckdb"
    with Workbench.open(path) as bench:
        bench.corpus.load_samples()
    return path


@pytest.fixture
def workspace(samples: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copy(samples, tmp_path / "w.duckdb"))


@pytest.fixture(scope="session")
def shared_server() -> Iterator[Running]:
    """The local endpoint of this process's tests."""
    with running() as started_server:
        yield started_server


@pytest.fixture
def server(shared_server: Running) -> Running:
    """The local endpoint, with nothing counted and no faults."""
    shared_server.reset()
    shared_server.script([])
    return shared_server


SESSION = pytest.StashKey[pytest.Session]()


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[SESSION] = session


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End the process here, as cli.py does: a normal exit lists the DuckDB objects of threads that still run on stderr."""
    if (session := config.stash.get(SESSION, None)) is not None and "duckdb" in sys.modules:
        if not hasattr(config, "workerinput"):
            config.get_terminal_writer().flush()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(session.exitstatus)


APPS = pytest.StashKey[list[Served]]()
"""The apps that a test started."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """The report of a failed test shows what the threads of its apps were doing."""
    report: Any = yield
    if report.when == "call" and report.failed:
        report.sections += [(f"The app at {served.url}", served.describe()) for served in item.stash.get(APPS, [])]
    return report


@pytest.fixture
def serve(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Serve]:
    """serve(workspace) starts the app on it; with `port` on that port again; `env` adds to the environment. `is_forked=False`
    is for tests of the start itself, which is then a `streamlit run` from nothing."""
    running = request.node.stash[APPS] = []

    def start(workspace: Path, port: int | None = None, env: dict[str, str] | None = None, is_forked: bool = True) -> Served:
        running.append(started(workspace, tmp_path / f"app-{len(running)}.log", port, env, is_forked=is_forked))
        return running[-1]

    yield start
    for served in running:
        served.stop()
