"""An app that a test forks starts whatever an AppTest left behind as the main module."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.app_server import Serve


def test_a_script_left_as_the_main_module_is_not_run(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "left.py"
    script.write_text("raise SystemExit('run again')", encoding="utf-8")
    left = ModuleType("__main__")
    left.__file__ = str(script)
    monkeypatch.setitem(sys.modules, "__main__", left)
    app = serve(tmp_path / "w.duckdb")
    assert app.process.poll() is None
