"""The package: its wheel is built, installed into a new environment, and worked with from another folder."""

import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
import time
import tomllib
import urllib.request
import venv
import zipfile
from collections.abc import Mapping
from email import message_from_bytes
from pathlib import Path

import pytest

import benchwright
import hatch_build
from core import catalog
from core.installation import VERSION, find_commit
from tests.app_server import known_port
from tests.house.test_floors import FLOORS, ROOT
from tests.house.test_requirements import declared, normalized
from tests.pages.test_every_page import PAGES

pytestmark = pytest.mark.slow
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
"""Threads of torch that wait for each other on a busy machine take more processor time than they save."""
UV = Path(sys.prefix, "bin", "uv")


@pytest.mark.parametrize(
    ("written", "built"),
    [
        ("from core.nouns import Item\n", "from benchwright.core.nouns import Item\n"),
        ("from  core import (\n    ids,\n)\n", "from  benchwright.core import (\n    ids,\n)\n"),
        ("import jobs\n", "import benchwright.jobs as jobs\n"),
        ("import os, jobs, cli as c\n", "import os, benchwright.jobs as jobs, benchwright.cli as c\n"),
        ("import core.ids as ids\n", "import benchwright.core.ids as ids\n"),
        ("def f():\n    é = 'é'; from eval.x import y\n", "def f():\n    é = 'é'; from benchwright.eval.x import y\n"),
        ("from benchwright.frames import x\nfrom . import y\n", "from benchwright.frames import x\nfrom . import y\n"),
        ('"""from core import x"""\nimport corex\neval("1")\n', '"""from core import x"""\nimport corex\neval("1")\n'),
    ],
)
def test_import_statements_alone_are_rewritten(written: str, built: str) -> None:
    assert hatch_build.rewrite_imports(written, "x.py") == built


@pytest.mark.parametrize("written", ["import core.ids\n", "from \\\n    core import ids\n"])
def test_a_form_that_cannot_be_rewritten_stops_the_build(written: str) -> None:
    with pytest.raises(ValueError, match=r"^x\.py:1: write "):
        hatch_build.rewrite_imports(written, "x.py")


def build(target: str, source: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    [built] = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the package; it sees the libraries of this one, and nothing of the checkout."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(folder, symlinks=True)
    [packages] = folder.glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    command = [UV, "pip", "install", "--offline", "--no-deps", "--python", folder / "bin" / "python", wheel]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def clean_environment(**more: str) -> Mapping[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "BENCHWRIGHT_", "STREAMLIT_"))
    }
    return kept | ONE_THREAD | more


def read_wheel(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_holds_one_package_with_every_file_that_the_code_reads(wheel: Path) -> None:
    files = read_wheel(wheel)
    assert {name.split("/")[0] for name in files} == {"benchwright", f"benchwright-{VERSION}.dist-info"}
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    folders = {*FLOORS, "samples"} - {"benchwright"}
    ours = {f"benchwright/{name}" for name in tracked if name.removesuffix(".py").split("/")[0] in folders}
    assert len(ours) > 700 and ours - set(files) == set()
    assert {"benchwright/py.typed", "benchwright/.streamlit/config.toml"} <= set(files)


def test_every_floor_is_built() -> None:
    assert hatch_build.OURS | {"benchwright"} == set(FLOORS)


def test_the_package_requires_what_requirements_txt_lists(wheel: Path) -> None:
    metadata = message_from_bytes(read_wheel(wheel)[f"benchwright-{VERSION}.dist-info/METADATA"])
    lines = metadata.get_all("Requires-Dist", [])
    required = {normalized(line.split("==")[0]) for line in lines if "extra ==" not in line}
    assert required == declared() and metadata["Version"] == VERSION
    extras = {"grammar", "huggingface", "lancedb", "mlflow", "opensearch", "otlp", "postgres", "qdrant", "ray", "tantivy"}
    assert set(metadata.get_all("Provides-Extra", [])) == extras


def test_line_numbers_stay(wheel: Path) -> None:
    for name, content in read_wheel(wheel).items():
        if name.endswith(".py") and not name.startswith("benchwright/benchwright"):
            own = ROOT / name if (ROOT / name).exists() else ROOT / name.removeprefix("benchwright/")
            assert content.count(b"\n") == own.read_bytes().count(b"\n"), name


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(build("sdist", ROOT, tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path, filter="data")
    again = build("wheel", tmp_path / f"benchwright-{VERSION}", tmp_path / "again")
    assert read_wheel(again) == read_wheel(wheel)


def test_the_command_says_version_and_commit(environment: Path, tmp_path: Path) -> None:
    command = [environment / "bin" / "benchwright", "--version"]
    done = subprocess.run(command, cwd=tmp_path, env=clean_environment(), capture_output=True, text=True, check=True)
    assert done.stdout == f"benchwright {VERSION} (commit {find_commit()})\n" and re.search(r"commit [0-9a-f]{12}", done.stdout)


@pytest.mark.slow
def test_the_demo_runs_in_another_folder(environment: Path, tmp_path: Path) -> None:
    command = [environment / "bin" / "benchwright", "demo", "--json"]
    done = subprocess.run(command, cwd=tmp_path, env=clean_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Next, each after `benchwright` (everything above is in demo.duckdb):" in json.loads(done.stdout)["text"]
    assert (tmp_path / "demo.duckdb").exists()


@pytest.mark.slow
def test_the_app_opens_with_its_pages_and_its_settings(environment: Path, workspace: Path, tmp_path: Path) -> None:
    port = known_port()
    command = [environment / "bin" / "benchwright", "app", "--port", str(port), "--workspace", str(workspace)]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=tmp_path, env=clean_environment(), stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + 120
        while True:
            try:
                assert json.loads(urllib.request.urlopen(f"{address}/bench/health", timeout=60).read())
                break
            except OSError:
                assert process.poll() is None and time.monotonic() < until, (tmp_path / "log").read_text()
                time.sleep(0.2)
        assert "<title>" in urllib.request.urlopen(f"{address}/corpus", timeout=60).read().decode()
        again = subprocess.run(command, cwd=tmp_path, env=clean_environment(), capture_output=True, text=True, check=False)
        assert (
            again.returncode == 1
            and again.stderr == f"An app at port {port} has {workspace} open: use that app, or end it first.\n"
        )
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) in (0, -signal.SIGTERM)
    assert f"Benchwright is at {address}/ with {workspace}" in (tmp_path / "log").read_text()


@pytest.mark.slow
def test_every_module_is_imported_by_its_long_name_alone_and_every_page_opens(
    environment: Path, workspace: Path, tmp_path: Path
) -> None:
    code = f"""
import importlib, pkgutil, sys
import benchwright
left_out = ("benchwright.app", "benchwright.pages.", "benchwright.store.formats.shipped", "benchwright.eval.systems._pal_child")
for module in pkgutil.walk_packages(benchwright.__path__, "benchwright."):
    if not module.name.startswith(left_out):
        importlib.import_module(module.name)

def list_short():
    return sorted({{name.split(".")[0] for name in sys.modules}} & set({sorted(hatch_build.OURS)!r}))

print(len(sys.modules), list_short())
from streamlit.testing.v1 import AppTest
import benchwright.core.installation as installation
at = AppTest.from_file(installation.FOLDER / "app.py", default_timeout=120)
at.session_state["person_name"] = "Ada"
at.run()
assert at.title or at.header
for page in {PAGES!r}:
    at.switch_page(f"pages/{{page}}.py").run()
    assert not at.exception, (page, at.exception)
import benchwright.jobs as jobs, benchwright.workbench as workbench
jobs.stop(workbench.open_workbench())
workbench.close_workbench()
assert list_short() == [], list_short()
"""
    command = [environment / "bin" / "python", "-c", code]
    variables = clean_environment(BENCHWRIGHT_WORKSPACE=str(workspace))
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    count, short = done.stdout.split(maxsplit=1)
    assert int(count) > 700 and short.startswith("[]\n")


EXAMPLE = ROOT / "docs" / "examples" / "plug_in"
GROUPS = {
    "benchwright.metrics": "starts_alike",
    "benchwright.systems": "longest_sentence",
    "benchwright.retrievers": "shared_words",
    "benchwright.tasks": "tiny_factoid",
    "benchwright.perturbations": "shouting",
    "benchwright.formats": "questions",
    "benchwright.agents": "parrot",
}
"""Entry points of the example."""


def test_the_example_imports_public_names_alone() -> None:
    for path in (EXAMPLE / "benchwright_example").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] not in sys.stdlib_module_names:
                assert node.module == "benchwright" and {alias.name for alias in node.names} <= set(benchwright.__all__), path
            elif isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= sys.stdlib_module_names, path


@pytest.fixture(scope="module")
def with_example(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment with the example package."""
    example = build(
        "wheel", shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("example") / "copy"), tmp_path_factory.mktemp("built")
    )
    command = [UV, "pip", "install", "--offline", "--no-deps", "--python", environment / "bin" / "python", example]
    subprocess.run(command, check=True, capture_output=True)
    return environment


def test_the_plug_ins_of_an_installed_package_work_in_a_run(with_example: Path, workspace: Path, tmp_path: Path) -> None:
    declared_groups = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    assert (
        {group: next(iter(names)) for group, names in declared_groups.items()}
        == GROUPS
        == {group: GROUPS[group] for group in catalog.GROUPS.values()}
    )
    code = """
import json, sys
import benchwright as bw
with bw.open(sys.argv[1]) as bench:
    metrics = ["starts_alike", "token_f1"]
    run = bench.run(
        "working", "longest_sentence", retriever="shared_words", metrics=metrics, settings={"passages": 2}, sample=8
    )
    gold = bench.items(status="accepted", task="explicit_factoid")["answers"].iloc[0][0]
    asked = bench.run("working", "closed_book", agent=f"parrot:{gold}", metrics=["starts_alike"])
    drafts = bench.draft("tiny_factoid", "tech", 4)
    caller = bench._caller
    varied = caller.call("vary", "--kinds=shouting", "--task=explicit_factoid", "--set=embedding_model=none")["made"]
    exported = caller.call("export", "working", "--format=questions", "questions")
    told = sorted(run.scores()["metric"].unique()), asked.scores()["value"].sum(), drafts["task"].tolist(), varied[0]["text"]
    print(json.dumps([run.answered, *told]))
"""
    command = [with_example / "bin" / "python", "-c", code, str(workspace)]
    done = subprocess.run(command, cwd=tmp_path, env=clean_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    answered, names, right, tasks, shouted = json.loads(done.stdout)
    assert answered == 8 and names == ["starts_alike", "token_f1"] and right >= 1 and set(tasks) == {"tiny_factoid"}
    assert shouted == shouted.upper() and (tmp_path / "questions" / "questions.txt").read_text().count("\n") >= 30
    assert "is left out" not in done.stderr
