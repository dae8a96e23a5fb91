"""The token file: for its owner alone, replaced by the next app, never taken away from another one."""

import json
import os
import stat
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from pwd import getpwuid

import pytest

from core.errors import WorkspaceHeld
from terminal import token as tokens
from terminal.local_session import LocalSession
from terminal.remote import run_through_app


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "w.duckdb"


def test_only_its_owner_can_read_it_whatever_the_umask(workspace):
    before = os.umask(0)
    try:
        tokens.write(workspace, tokens.create_token(8501))
    finally:
        os.umask(before)
    assert stat.S_IMODE(tokens.token_path(workspace).stat().st_mode) == 0o600
    assert sorted(path.name for path in workspace.parent.iterdir()) == ["w.duckdb.token"]


def test_it_holds_port_token_and_process(workspace):
    made = tokens.create_token(8501)
    tokens.write(workspace, made)
    assert json.loads(tokens.token_path(workspace).read_text()) == {"port": 8501, "token": made.token, "pid": os.getpid()}
    assert tokens.read(workspace) == made


def test_the_next_app_replaces_it_and_the_last_one_leaves_that_alone(workspace):
    last, following = tokens.create_token(8501), tokens.create_token(8502)
    tokens.write(workspace, last)
    tokens.write(workspace, following)
    tokens.remove(workspace, last)
    assert tokens.read(workspace) == following
    tokens.remove(workspace, following)
    assert not tokens.token_path(workspace).exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '"x"', '{"port": 1}', '{"port": "x", "token": "t", "pid": 1}', "\udcff"])
def test_what_is_no_token_is_none(workspace, text):
    tokens.token_path(workspace).write_bytes(text.encode(errors="surrogateescape"))
    tokens.token_path(workspace).chmod(0o600)
    assert tokens.read(workspace) is None


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o604])
def test_one_that_others_may_touch_is_not_believed(workspace, mode):
    tokens.write(workspace, tokens.create_token(8501))
    tokens.token_path(workspace).chmod(mode)
    assert tokens.read(workspace) is None


def test_a_user_other_than_the_apps_is_told_whose_app_it_is(workspace, monkeypatch):
    held = WorkspaceHeld(f"{workspace} is held by another process (PID 1)")
    options = Namespace(workspace=str(workspace), server=None)
    with pytest.raises(WorkspaceHeld, match="another process"):
        run_through_app(["items"], options, LocalSession(), held)
    tokens.write(workspace, tokens.create_token(8501))
    monkeypatch.setattr(tokens.os, "getuid", lambda: os.geteuid() + 1)
    with pytest.raises(
        WorkspaceHeld, match=f"the app of the user {getpwuid(os.geteuid()).pw_name}: run the command as that user"
    ):
        run_through_app(["items"], options, LocalSession(), held)


def test_the_secret_is_in_no_repr_and_decides_the_proof():
    made = tokens.create_token(8501)
    assert made.token not in repr(made)
    assert made.proof("n") == made.proof("n") != replace(made, token="other").proof("n") != made.proof("m")
