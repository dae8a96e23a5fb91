"""What can be wrong with a workspace file: each trouble is one sentence, and nothing stored is lost."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pytest

from core.errors import BenchError, WorkspaceHeld
from store.engine import settings
from store.engine.database import Database

ROOT = Path(__file__).parents[3]


@pytest.mark.fault(36)
def test_another_process_that_holds_the_file_is_named(tmp_path: Path) -> None:
    code = """
import sys
from store.engine.database import Database
database = Database.open(sys.argv[1])
print("open", flush=True)
sys.stdin.readline()
"""
    command = [sys.executable, "-c", code, str(tmp_path / "w.duckdb")]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "open\n"
        with pytest.raises(WorkspaceHeld, match=rf"PID {holder.pid}\b"):
            Database.open(tmp_path / "w.duckdb")
        holder.communicate("\n")
    Database.open(tmp_path / "w.duckdb").close()


def test_the_same_file_twice_in_one_process_is_refused(tmp_path: Path) -> None:
    with Database.open(tmp_path / "w.duckdb") as database:
        with pytest.raises(BenchError, match="already open in this process"):
            Database.open(tmp_path / "w.duckdb")
        settings.put(database, "a", 1)
        assert settings.get(database, "a") == 1


def test_a_file_that_is_no_workspace_is_one_sentence_and_stays_as_it_is(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("notes " * 1000)
    (tmp_path / "empty").touch()
    with duckdb.connect(str(tmp_path / "other.duckdb")) as other:
        other.execute("CREATE TABLE mine (x INTEGER)")
    for name, words in (
        ("notes.txt", "is not a DuckDB file"),
        ("empty", "is not a DuckDB file"),
        ("other.duckdb", "no Benchwright workspace"),
        (".", "is a folder"),
        ("nowhere/w.duckdb", "does not exist"),
    ):
        with pytest.raises(BenchError, match=words) as raised:
            Database.open(tmp_path / name)
        assert "\n" not in str(raised.value)
    assert text.read_text() == "notes " * 1000
    with duckdb.connect(str(tmp_path / "other.duckdb")) as other:
        assert other.execute("SELECT count(*) FROM duckdb_tables()").fetchall() == [(1,)]


@pytest.mark.fault(37)
def test_a_broken_page_names_the_copy_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "w.duckdb"
    Database.open(file).close()
    shutil.copyfile(file, tmp_path / "w.duckdb.before-002.duckdb")
    whole = bytearray(file.read_bytes())
    whole[20] ^= 0xFF
    file.write_bytes(whole)
    with pytest.raises(BenchError, match=r"cannot be read .*w\.duckdb\.before-002\.duckdb"):
        Database.open(file)


@pytest.mark.fault(35)
def test_a_read_only_folder_is_one_sentence_and_can_still_be_read() -> None:
    """In a process of another user: root may write anywhere."""
    code = """
import os, sys
from store.engine import settings
from store.engine.database import Database
from core.errors import BenchError
if os.getuid() == 0:
    os.setuid(65534)
try:
    Database.open(sys.argv[1])
except BenchError as error:
    print(error)
with Database.open(sys.argv[1], read_only_ok=True) as database:
    print(settings.get(database, "a"))
    try:
        settings.put(database, "a", 2)
    except BenchError as error:
        print(error)
try:
    Database.open(sys.argv[1] + "x", read_only_ok=True)
except BenchError as error:
    print(error)
"""
    folder = Path(tempfile.mkdtemp())
    try:
        with Database.open(folder / "w.duckdb") as database:
            settings.put(database, "a", 1)
        os.chmod(folder, 0o555)
        os.chmod(folder / "w.duckdb", 0o444)
        done = subprocess.run(
            [sys.executable, "-c", code, str(folder / "w.duckdb")], cwd=ROOT, capture_output=True, text=True, check=True
        )
    finally:
        os.chmod(folder, 0o755)
        shutil.rmtree(folder)
    first, value, second, third = done.stdout.splitlines()
    assert first == f"{folder / 'w.duckdb'} cannot be written: give write permission, or another --workspace."
    assert value == "1" and "reading only" in second and third.startswith(f"{folder} cannot be written")


@pytest.mark.fault(35)
def test_a_full_disk_is_one_sentence_and_what_was_stored_before_stays(tmp_path: Path) -> None:
    """A process whose files may grow to 3 MB only."""
    code = """
import resource, signal, sys
from store.engine import settings
from store.engine.database import Database
from core.errors import BenchError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
database = Database.open(sys.argv[1])
settings.put(database, "kept", 1)
resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))
import os, base64
try:
    for n in range(20):
        settings.put(database, f"big {n}", base64.b64encode(os.urandom(1_000_000)).decode())
        print("saved", n)
except BenchError as error:
    print(error)
sys.stdout.flush()
os._exit(0)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "w.duckdb")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    *saved, last = done.stdout.splitlines()
    assert "could not be written" in last and "nothing of this change was stored" in last, done.stderr
    with Database.open(tmp_path / "w.duckdb") as database:
        assert settings.get(database, "kept") == 1
        assert {f"big {line.split()[1]}" for line in saved} == settings.list_settings(database).keys() - {"kept"}


@pytest.mark.fault(35)
def test_a_workspace_goes_on_without_a_new_start_once_there_is_room_again(tmp_path: Path) -> None:
    """A checkpoint without room makes DuckDB give the open file up."""
    code = """
import os, resource, signal, sys, time
import duckdb
from store.engine import settings
from store.engine.database import Database
from core.errors import BenchError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
database = Database.open(sys.argv[1])
settings.put(database, "before", 1)
reached = database._root.cursor()
resource.setrlimit(resource.RLIMIT_FSIZE, (os.path.getsize(sys.argv[1] + ".wal"), resource.RLIM_INFINITY))
end = time.monotonic() + 60
try:
    while time.monotonic() < end:
        reached.execute("SELECT 1")
        time.sleep(0.05)
except duckdb.FatalException:
    print("given up")
reached.close()
print(settings.get(database, "before"))
try:
    settings.put(database, "without room", 1)
except BenchError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
settings.put(database, "after", 2)
database.close()
"""
    path = tmp_path / "w.duckdb"
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    first, read, refused = done.stdout.splitlines()
    assert (first, read) == ("given up", "1"), done.stderr
    assert "could not be written" in refused and refused.endswith("free disk space and try again.")
    assert [part.name for part in tmp_path.iterdir()] == ["w.duckdb"]
    with Database.open(path) as database:
        assert settings.list_settings(database) == {"before": 1, "after": 2}


@pytest.mark.fault(35)
def test_a_backup_that_finds_no_room_leaves_no_half_file_and_the_workspace_goes_on(tmp_path: Path) -> None:
    """The same, with a cap of 4 MB on a copy of 8 MB."""
    code = """
import base64, os, resource, signal, sys
from pathlib import Path
from store.engine import settings
from store.engine.database import Database
from core.errors import BenchError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
database = Database.open(sys.argv[1])
for n in range(8):
    settings.put(database, f"big {n}", base64.b64encode(os.urandom(1_000_000)).decode())
before = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (4_000_000, before[1]))
try:
    database.backup(sys.argv[2])
except BenchError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, before)
settings.put(database, "after", 1)
print(database.backup(sys.argv[2]).name, len(settings.list_settings(database)))
database.close()
"""
    file, out = tmp_path / "w.duckdb", tmp_path / "b.duckdb"
    done = subprocess.run(
        [sys.executable, "-c", code, str(file), str(out)], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    first, second = done.stdout.splitlines()
    assert first.startswith(f"{out} could not be written") and second == "b.duckdb 9"
    assert {p.name for p in tmp_path.iterdir()} == {"w.duckdb", "b.duckdb"}
    with Database.open(out) as copy:
        assert len(settings.list_settings(copy)) == 9


@pytest.mark.fault(34)
def test_what_a_killed_copy_left_is_cleared_away_at_the_next_opening(tmp_path: Path) -> None:
    (tmp_path / "w.duckdb.exchange").mkdir()
    (tmp_path / "w.duckdb.exchange" / "half.duckdb").write_bytes(b"half")
    Database.open(tmp_path / "w.duckdb").close()
    assert {p.name for p in tmp_path.iterdir()} == {"w.duckdb"}


@pytest.mark.fault(35)
def test_a_backup_goes_to_another_mount_of_the_same_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As into a folder that systemd opens to a service, or another volume of a container: no file can be renamed there."""
    target, replace = tmp_path / "mount" / "b.duckdb", os.replace

    def replace_within_a_mount(source: Path, to: Path) -> None:
        if Path(source).parent != Path(to).parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link", str(source), None, str(to))
        replace(source, to)

    with Database.open(tmp_path / "w.duckdb") as database:
        settings.put(database, "here", 1)
        monkeypatch.setattr(os, "replace", replace_within_a_mount)
        database.backup(target)
    assert [file.name for file in target.parent.iterdir()] == ["b.duckdb"]
    assert target.stat().st_mode & 0o777 == 0o600, "as private as the workspace"
    with Database.open(target) as copy:
        assert settings.list_settings(copy)
