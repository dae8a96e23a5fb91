"""What tests share: the command line called in process, and a workspace of the samples."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import cli


@dataclass(frozen=True)
class Said:
    """What one verb printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Bench = Callable[..., Said]


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
