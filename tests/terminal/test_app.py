"""The verb `app`, and what the command line says where it cannot run."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

import cli
from core.errors import BenchError
from core.installation import FOLDER
from terminal.local_session import LocalSession
from terminal.verbs import app


def test_the_app_is_started_with_its_workspace_and_port(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started: list[Any] = []
    monkeypatch.setattr(app.os, "execve", lambda *words: started.append(words))
    workspace = str(tmp_path / "w.duckdb")
    app.open_app(LocalSession(), Namespace(workspace=workspace, port=8600))
    [(program, command, environment)] = started
    assert program == command[0] == sys.executable and environment["BENCHWRIGHT_WORKSPACE"] == workspace
    assert command[1:] == ["-P", "-m", "streamlit", "run", str(FOLDER / "app.py"), "--server.port", "8600"]


def test_an_app_starts_no_other_app_for_a_command_line() -> None:
    with pytest.raises(
        BenchError, match=r"^An app cannot open another app: run this command on your own machine, without --server\.$"
    ):
        app.open_app(object(), Namespace(workspace=None, port=None))  # type: ignore[arg-type]


def test_windows_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SystemExit, match=r"^Benchwright runs on Linux and macOS, .+: use WSL on Windows\.$"):
        cli.run()


def test_version_and_commit_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == 0 and capsys.readouterr().out.startswith("benchwright 0.1.0.dev0 (commit ")
