"""Workspaces that are none, are newer, damaged, held, or cannot be made: one sentence, and the file stays as it is."""

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tests.as_process import ROOT, terminal
from tests.terminal.test_cli import TOWN


def test_a_workspace_that_is_no_duckdb_is_left_as_it_is(bw, town):
    said = bw("items", workspace=town)
    assert said.code == 1 and "not a DuckDB file" in said.sentence
    assert town.read_text(encoding="utf-8") == TOWN


def test_another_duckdb_file_is_no_workspace(bw, tmp_path):
    path = tmp_path / "other.duckdb"
    with duckdb.connect(str(path)) as other:
        other.execute("CREATE TABLE sales (amount INTEGER)")
    said = bw("items", workspace=path)
    assert said.code == 1 and "no Benchwright workspace" in said.sentence
    with duckdb.connect(str(path)) as other:
        assert other.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("sales",)]


@pytest.mark.fault(37)
def test_a_newer_workspace_is_refused(bw, tmp_path):
    path = tmp_path / "newer.duckdb"
    assert bw("items", workspace=path).code == 0
    with duckdb.connect(str(path)) as newer:
        newer.execute("INSERT INTO schema_step VALUES (900, '900_later', '2030-01-01')")
    said = bw("items", workspace=path)
    assert said.code == 1 and "newer" in said.sentence and "900" in said.err


@pytest.mark.parametrize("left", [0, 7, 4096, 20_000])
@pytest.mark.fault(37)
def test_a_cut_workspace_is_one_sentence(bw, town, tmp_path, left):
    path = tmp_path / "cut.duckdb"
    assert bw("add", town, workspace=path).code == 0
    path.write_bytes(path.read_bytes()[:left])
    said = bw("items", workspace=path)
    assert said.code == 1 and "cut.duckdb" in said.sentence


@pytest.mark.parametrize("start", [12_288, 262_144])
@pytest.mark.fault(37)
def test_pages_that_the_disk_lost_are_one_sentence_whenever_they_are_met(bw, town, tmp_path, start):
    path = tmp_path / "lost.duckdb"
    assert bw("add", town, "--domain", "arts", workspace=path).code == 0
    data = path.read_bytes()
    path.write_bytes(data[:start] + bytes(byte ^ 0x5A for byte in data[start:]))
    for words in (
        ("add", town),
        ("draft", "--task", "explicit_factoid", "--domain", "arts", "--count", 1, "--agent", "offline"),
        ("backup", tmp_path / "b.duckdb"),
    ):
        said = bw(*words, workspace=path)
        assert said.code == 1 and "Corrupt" in said.sentence and "\n" not in said.err.strip()
    assert not (tmp_path / "b.duckdb").exists()


@pytest.mark.fault(37)
@pytest.mark.skipif(os.name != "posix", reason="pipes are POSIX's")
def test_a_pipe_or_a_device_is_no_workspace_and_is_not_waited_for(bw, tmp_path):
    os.mkfifo(tmp_path / "pipe.duckdb")
    for path in (tmp_path / "pipe.duckdb", Path("/dev/null")):
        said = bw("items", workspace=path)
        assert said.code == 1 and "is a pipe or a device" in said.sentence
    for path in (tmp_path / "pipe.duckdb", tmp_path, Path("/dev/null")):
        said = bw("import", path, "--format", "jsonl", workspace=tmp_path / "w.duckdb")
        assert said.code == 1 and "is a pipe or a device" in said.sentence


@pytest.mark.fault(36)
def test_a_held_workspace_is_exit_3_and_names_the_holder(bw, tmp_path):
    path = tmp_path / "held.duckdb"
    hold = (
        "import sys; from store.engine.database import Database\nDatabase.open(sys.argv[1]); print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        said = bw("items", workspace=path)
        holder.communicate("\n")
    assert said.code == 3 and str(holder.pid) in said.sentence and said.out == ""
    assert bw("items", workspace=path).code == 0


def test_the_demo_throws_no_file_away_that_is_not_its_own(tmp_path):
    (tmp_path / "demo.duckdb").write_text("my notes", encoding="utf-8")
    done = terminal("demo", cwd=tmp_path)
    assert done.returncode == 1 and "not a DuckDB file" in done.stderr
    assert (tmp_path / "demo.duckdb").read_text(encoding="utf-8") == "my notes"


@pytest.mark.parametrize("where", ["nowhere/w.duckdb", ".", "x" * 300, "bridge.md/w.duckdb", "/proc/w.duckdb"])
def test_a_workspace_that_cannot_be_made(bw, town, tmp_path, monkeypatch, where):
    monkeypatch.chdir(tmp_path)
    said = bw("items", workspace=Path(where))
    assert said.code == 1 and said.sentence


def test_a_folder_that_cannot_be_written(bw, tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    if os.access(folder, os.W_OK):
        pytest.skip("whoever runs this test may write everywhere (root): /proc/w.duckdb above stands in")
    said = bw("items", workspace=folder / "w.duckdb")
    assert said.code == 1 and "cannot be written" in said.sentence


def test_the_environment_names_the_workspace_and_the_option_wins(tmp_path):
    environment = {"BENCHWRIGHT_WORKSPACE": str(tmp_path / "env.duckdb")}
    assert terminal("items", "--json", cwd=tmp_path, environment=environment).stdout == "[]\n"
    assert (tmp_path / "env.duckdb").exists()
    assert terminal("jobs", "--workspace", "own.duckdb", cwd=tmp_path, environment=environment).returncode == 0
    assert (tmp_path / "own.duckdb").exists() and not (tmp_path / "benchwright.duckdb").exists()
