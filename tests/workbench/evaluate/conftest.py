"""The samples with two runs, made once for the tests of all files that grade them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import jobs
from tests.workbench.graded import runs_in
from workbench import Workbench


@pytest.fixture(scope="session")
def ready(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples with two runs. A module whose tests need other runs has its own fixture of this name."""
    path = Path(shutil.copy(samples, tmp_path_factory.mktemp("graded") / "w.duckdb"))
    with Workbench.open(path) as bench:
        runs_in(bench)
        jobs.stop(bench)
    return path


@pytest.fixture
def bench(ready: Path, tmp_path: Path) -> Iterator[Workbench]:
    """An open copy of what is ready."""
    with Workbench.open(shutil.copy(ready, tmp_path / "w.duckdb")) as bench:
        yield bench
