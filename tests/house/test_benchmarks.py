"""Every benchmark can be loaded, with what it measures and the peers beside it; those that take little run, at sizes at which
their figures mean nothing. `make bench-smoke` runs them all like that."""

import ast
import importlib
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.benchmarks.run import ROOT, find_benchmarks
from tests.benchmarks.small import GROUPS, SIZES, run_small

CHEAP = GROUPS[1]
"""Three seconds of processor time together."""
FLOORS = ("agents", "builders", "cli", "core", "eval", "serving", "store", "terminal", "tests", "workbench")


@pytest.fixture(params=sorted(find_benchmarks().items()), ids=lambda found: found[0])
def benchmark(request: pytest.FixtureRequest) -> tuple[str, Path]:
    """The name of a benchmark and its file."""
    name, path = request.param
    return name, path


def load(path: Path) -> ModuleType:
    return importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def test_each_has_its_small_sizes_and_its_group() -> None:
    assert sorted(find_benchmarks()) == sorted(SIZES) == sorted(name for group in GROUPS for name in group)


def test_each_loads_and_has_the_constants_that_make_it_small(benchmark: tuple[str, Path]) -> None:
    name, path = benchmark
    module = load(path)
    assert callable(module.main) and [constant for constant in SIZES[name] if not hasattr(module, constant)] == []


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """What the file imports, within its functions too: (module, name in it or "")."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((str(node.module), alias.name) for alias in node.names)


def test_what_it_measures_and_its_peers_are_there(benchmark: tuple[str, Path]) -> None:
    for module, name in imports(benchmark[1]):
        if module.split(".")[0] in FLOORS:
            assert not name or hasattr(importlib.import_module(module), name), f"{module} has no {name}"
        else:
            assert importlib.util.find_spec(module), module  # a peer is not loaded: torch alone takes seconds


def test_those_that_take_little_print_their_tables() -> None:
    run_small(CHEAP)


def test_tests_end_without_a_list_of_what_their_threads_hold(tmp_path: Path) -> None:
    """Thirty lines of leaked objects followed the results of a run of tests."""
    test = tmp_path / "test_held.py"
    test.write_text(
        "import threading, duckdb\n"
        "def hold(con): threading.Event().wait()\n"
        "def test_held(): threading.Thread(target=hold, args=(duckdb.connect(),), daemon=True).start()\n"
        "def test_failed(): assert 0\n"
    )
    words = ["-q", "-p", "tests.conftest", "-c", "/dev/null", "--rootdir", str(tmp_path), "-p", "no:cacheprovider", str(test)]
    done = subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "1 failed, 1 passed" in done.stdout and "leaked" not in done.stderr
