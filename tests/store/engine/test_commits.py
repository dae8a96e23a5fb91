"""What was acknowledged is there when a workspace opens, or the opening is refused and nothing is changed."""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import BenchError
from store.engine import settings, writer
from store.engine.database import Database
from store.engine.migrations import SCHEMA
from tests.store.engine.test_kill import ROOT

ACKNOWLEDGED = 40
KILLED = """
import os, sys
from store.engine import settings, writer
from store.engine.database import Database
database = Database.open(sys.argv[1])
for n in range(int(sys.argv[2])):
    settings.put(database, f"acknowledged {n}", n)
    print(n, flush=True)
os._exit(9)
"""
FIRST_BLOCK = 3 * 4096
"""Where the first block of a DuckDB file begins, in bytes: after three headers."""
BUSY = """
import sys
from store.engine import settings, writer
from store.engine.database import Database
for life in range(1000):
    with Database.open(sys.argv[1]) as database:
        for n in range(life % 4):
            settings.put(database, f"{sys.argv[2]} {life} {n}", n)
            print(f"{sys.argv[2]} {life} {n}", flush=True)
"""


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a workspace whose process died after its last acknowledgement."""
    folder = tmp_path_factory.mktemp("killed")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(folder / "w.duckdb"), str(ACKNOWLEDGED)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 9, done.stderr
    assert {file.name for file in folder.iterdir()} == {"w.duckdb", "w.duckdb.wal", "w.duckdb.commits", "w.duckdb.metadata"}
    return folder


@pytest.fixture
def file(killed: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(killed, tmp_path / "copy")) / "w.duckdb"


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if ".refused-" not in file.name}


def refusal(file: Path) -> str:
    """The sentence; nothing that was there is another than before."""
    before = contents(file.parent)
    with pytest.raises(BenchError) as raised:
        Database.open(file)
    assert contents(file.parent) == before and "\n" not in str(raised.value)
    return str(raised.value)


def stored(file: Path) -> int:
    with Database.open(file) as database:
        return len(settings.list_settings(database))


@pytest.mark.fault(37)
def test_a_flipped_bit_in_the_log_is_never_silent(file: Path) -> None:
    """Each byte of the log's header, and some of its entries: refused, or nothing is missing."""
    log = file.with_name("w.duckdb.wal")
    whole, refusals = log.read_bytes(), 0
    for place in (*range(0, 24), *random.Random(1).sample(range(24, len(whole)), 10)):
        damaged = bytearray(whole)
        damaged[place] ^= 4
        log.write_bytes(damaged)
        shutil.copytree(file.parent, file.parent.with_name(f"at {place}"))
        copy = file.parent.with_name(f"at {place}") / "w.duckdb"
        try:
            assert stored(copy) == ACKNOWLEDGED, place
        except BenchError:
            refusals += 1
    assert refusals > 20


@pytest.mark.fault(37)
@pytest.mark.parametrize("share", [0, 0.01, 0.3, 0.5, 0.9, 0.999])
def test_a_log_that_was_cut_is_refused_and_a_whole_one_put_back_opens(file: Path, share: float) -> None:
    log = file.with_name("w.duckdb.wal")
    whole = log.read_bytes()
    log.write_bytes(whole[: int(len(whole) * share)])
    said = refusal(file)
    assert "lacks" in said and "w.duckdb.wal is" in said and "w.duckdb.refused-001.duckdb" in said
    assert file.with_name("w.duckdb.refused-001.duckdb.wal").read_bytes() == log.read_bytes()
    assert refusal(file) == said, "a second try makes no second copy"
    assert not file.with_name("w.duckdb.refused-002.duckdb").exists()
    log.write_bytes(whole)
    assert stored(file) == ACKNOWLEDGED


@pytest.mark.fault(37)
def test_a_missing_log_is_refused_until_a_person_wants_what_is_there(file: Path) -> None:
    file.with_name("w.duckdb.wal").unlink()
    assert f"lacks {ACKNOWLEDGED} acknowledged changes: its log w.duckdb.wal is missing" in refusal(file)
    commits = file.with_name("w.duckdb.commits")
    noted = commits.read_bytes()
    for cut in (0, 1, 60, len(noted.rstrip()) - 1):  # spaces fill it up
        commits.write_bytes(noted[:cut])
        assert "w.duckdb.commits is that of another workspace, or damaged" in refusal(file)
    commits.write_text("go on\n")
    assert stored(file) == 0
    assert not file.with_name("w.duckdb.commits").exists()


@pytest.mark.fault(37)
def test_an_older_count_does_not_hide_a_missing_log(file: Path) -> None:
    """As a folder that was restored or synchronised file by file has them."""
    commits, log = file.with_name("w.duckdb.commits"), file.with_name("w.duckdb.wal")
    older = commits.read_bytes()
    checkpointed = KILLED.replace("os._exit", "database.write(lambda cursor: cursor.execute('CHECKPOINT'))\nos._exit")
    done = subprocess.run([sys.executable, "-c", checkpointed, str(file), "1"], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 9, done.stderr
    whole = log.read_bytes() if log.exists() else None
    log.unlink(missing_ok=True)
    commits.write_bytes(older)
    assert whole is None and "w.duckdb.commits is an older copy" in refusal(file)


@pytest.mark.fault(37)
def test_a_count_of_an_earlier_program_still_counts(file: Path) -> None:
    commits, log = file.with_name("w.duckdb.commits"), file.with_name("w.duckdb.wal")
    noted = json.loads(commits.read_text())
    commits.write_text(json.dumps({"workspace": noted["workspace"], "commits": noted["commits"]}).ljust(119) + "\n")
    whole = log.read_bytes()
    log.unlink()
    assert f"lacks {ACKNOWLEDGED} acknowledged changes" in refusal(file)
    log.write_bytes(whole)
    assert stored(file) == ACKNOWLEDGED


@pytest.mark.fault(37)
@pytest.mark.parametrize("place", range(16, 150, 7))
def test_a_flipped_bit_in_the_count_is_named_and_loses_nothing(file: Path, place: int) -> None:
    commits = file.with_name("w.duckdb.commits")
    damaged = bytearray(commits.read_bytes())
    damaged[place] ^= 1
    commits.write_bytes(damaged)
    try:
        assert stored(file) == ACKNOWLEDGED
    except BenchError as error:
        assert "w.duckdb.commits is that of another workspace, or damaged" in str(error)


@pytest.mark.fault(37)
def test_a_damaged_file_is_named_and_its_log_kept(file: Path) -> None:
    """Single bits, from the header on; what is opened has everything that its sound pages and its log hold."""
    whole, refusals = file.read_bytes(), 0
    for place in (0, 8, 40, 4_100, 8_200, *range(12_288, len(whole), 131_072)):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        copy = Path(shutil.copytree(file.parent, file.parent.with_name(f"at {place}"))) / "w.duckdb"
        copy.write_bytes(damaged)
        log = copy.with_name("w.duckdb.wal").read_bytes()
        try:
            assert stored(copy) == ACKNOWLEDGED, place
        except BenchError as error:
            refusals += 1
            assert "put a backup in its place" in str(error) and "free disk space" not in str(error)
            assert copy.with_name("w.duckdb.wal").read_bytes().startswith(log)
    assert refusals > 3


@pytest.mark.fault(37)
def test_a_missing_file_is_not_begun_anew_over_its_log(file: Path) -> None:
    file.unlink()
    assert "is missing, although its log exists" in refusal(file)


@pytest.mark.fault(37)
def test_a_first_write_is_stored_while_another_thread_reads_and_its_log_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A query that is not read to its end keeps the file's mark in the log until the next commit."""
    monkeypatch.setattr(writer, "IDLE_SECONDS", 3600.0)
    with Database.open(tmp_path / "w.duckdb") as database:
        reading = database._root.cursor()
        reading.execute("SELECT * FROM range(1_000_000)")
        settings.put(database, "n", 0)
        early = Path(shutil.copytree(tmp_path, tmp_path / "early")) / "w.duckdb"
        reading.fetchall()
        reading.close()
        settings.put(database, "n", 1)
        late = Path(shutil.copytree(tmp_path, tmp_path / "late", ignore=shutil.ignore_patterns("early"))) / "w.duckdb"
    for file, lacking in ((early, "2 acknowledged changes"), (late, "1 acknowledged change")):  # the first is the mark itself
        file.with_name("w.duckdb.wal").unlink()
        assert f"lacks {lacking}" in refusal(file)
    late.with_name("w.duckdb.commits").unlink()
    assert "was copied while it was open" in refusal(late), "the second commit stored the mark in the file"


@pytest.mark.fault(37)
def test_a_log_of_another_workspace_is_refused(file: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "o.duckdb"), "3"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 9
    shutil.copyfile(tmp_path / "o.duckdb.wal", file.with_name("w.duckdb.wal"))
    assert "its log w.duckdb.wal is damaged or another workspace's" in refusal(file)


def test_copies_of_all_three_files_and_of_a_closed_workspace_open(file: Path, tmp_path: Path) -> None:
    assert stored(file) == ACKNOWLEDGED
    assert list(file.parent.iterdir()) == [file], "closed, it is one file"
    shutil.move(file, tmp_path / "elsewhere.duckdb")
    assert stored(tmp_path / "elsewhere.duckdb") == ACKNOWLEDGED


@pytest.mark.fault(37)
@pytest.mark.parametrize("taken", [("w.duckdb",), ("w.duckdb", "w.duckdb.wal")])
def test_a_part_of_an_open_workspace_is_refused(file: Path, tmp_path: Path, taken: tuple[str, ...]) -> None:
    (tmp_path / "part").mkdir()
    for name in taken:
        shutil.copyfile(file.with_name(name), tmp_path / "part" / name)
    assert "was copied while it was open" in refusal(tmp_path / "part" / "w.duckdb")


def test_a_backup_is_a_closed_workspace_wherever_it_is_put(file: Path, tmp_path: Path) -> None:
    with Database.open(file) as database:
        settings.put(database, "one more", 1)
        backup = database.backup(tmp_path / "b.duckdb")
        assert stored(shutil.copy(backup, tmp_path / "c.duckdb")) == ACKNOWLEDGED + 1
    with Database.open(backup):
        pass
    shutil.copyfile(backup, file)
    file.with_name("w.duckdb.commits").write_text('{"workspace": "the one before", "commits": 1000000}')
    assert stored(file) == ACKNOWLEDGED + 1


def test_a_workspace_of_before_the_count_opens_with_its_log(tmp_path: Path) -> None:
    older = tmp_path / "schema"
    older.mkdir()
    for step in sorted(SCHEMA.glob("*.sql")):
        if step.stem.endswith("_commits"):
            break
        shutil.copy(step, older)
    file = tmp_path / "w.duckdb"
    Database.open(file, schema=older).close()
    code = """
import duckdb, os, sys
old = duckdb.connect(sys.argv[1])
old.execute("INSERT INTO setting VALUES ('in the log', '1')")
os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", code, str(file)], check=False).returncode == 9
    assert file.with_name("w.duckdb.wal").stat().st_size > 0
    assert stored(file) == 1


@pytest.mark.fault(34)
def test_kills_at_any_moment_raise_no_false_alarm(tmp_path: Path) -> None:
    """Openings, first writes, checkpoints and closings are what the killed process does all the time."""
    file, acknowledged, chance = tmp_path / "w.duckdb", set[str](), random.Random(2)
    for life in range(12):
        command = [sys.executable, "-c", BUSY, str(file), str(life)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None and child.stderr is not None
            first = child.stdout.readline()
            assert first, child.stderr.read()
            time.sleep(chance.uniform(0, 0.3))  # the moment of the kill
            child.kill()
            lines = (first + child.stdout.read()).splitlines(keepends=True)
            acknowledged |= {line.strip() for line in lines if line.endswith("\n")}
    with Database.open(file) as database:
        assert acknowledged <= settings.list_settings(database).keys()


def tear(file: Path, metadata: Path) -> None:
    """Leave the first metadata block half written, as a kill in a checkpoint's write does."""
    with file.open("r+b") as workspace:
        workspace.seek(FIRST_BLOCK)
        workspace.write(bytes(chance.getrandbits(8) for chance in [random.Random(3)] for _ in range(8_192)))
    assert metadata.stat().st_size > FIRST_BLOCK


@pytest.mark.fault(34)
def test_a_metadata_block_that_a_kill_left_half_written_is_put_back(file: Path) -> None:
    metadata = file.with_name("w.duckdb.metadata")
    tear(file, metadata)
    assert stored(file) == ACKNOWLEDGED
    assert not metadata.exists(), "closed, it is one file"


@pytest.mark.fault(34)
@pytest.mark.parametrize("damage", ["missing", "cut", "flipped"])
def test_without_a_whole_copy_of_the_metadata_a_torn_block_is_refused(file: Path, damage: str) -> None:
    metadata = file.with_name("w.duckdb.metadata")
    tear(file, metadata)
    whole = bytearray(metadata.read_bytes())
    whole[20_000] ^= 1
    metadata.write_bytes(whole if damage == "flipped" else whole[:20_000])
    if damage == "missing":
        metadata.unlink()
    assert "cannot be read (Corrupt database file" in refusal(file)


@pytest.mark.fault(34)
def test_metadata_of_an_earlier_checkpoint_is_not_put_back(file: Path) -> None:
    metadata = file.with_name("w.duckdb.metadata")
    before = metadata.read_bytes()
    with Database.open(file) as database:
        settings.put(database, "later", 1)
    later = file.read_bytes()
    metadata.write_bytes(before)
    assert stored(file) == ACKNOWLEDGED + 1
    assert file.read_bytes() == later


@pytest.mark.fault(34)
def test_another_process_restores_nothing_while_the_workspace_is_open(file: Path) -> None:
    with Database.open(file) as database:
        settings.put(database, "now", 1)
        torn = bytearray(file.with_name("w.duckdb.metadata").read_bytes())
        command = [sys.executable, "-c", "import sys; from store.engine.database import Database; Database.open(sys.argv[1])"]
        tried = subprocess.run([*command, str(file)], cwd=ROOT, capture_output=True, text=True, check=False)
        assert "is held by another process" in tried.stderr
        with pytest.raises(BenchError, match="already open in this process"):
            Database.open(file)
        tried = subprocess.run([*command, str(file)], cwd=ROOT, capture_output=True, text=True, check=False)
        assert "is held by another process" in tried.stderr, "the second opening here released no lock"
        assert file.with_name("w.duckdb.metadata").read_bytes() == torn
        settings.put(database, "after", 1)
    assert stored(file) == ACKNOWLEDGED + 2


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_new_workspace_and_all_that_is_made_of_it_are_its_owners_alone(tmp_path: Path) -> None:
    with Database.open(tmp_path / "w.duckdb") as database:
        settings.put(database, "a", 1)
        database.backup(tmp_path / "b.duckdb")
        settings.put(database, "b", 1)
        modes = {file.name: oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()}
    assert modes == dict.fromkeys((f"w.duckdb{end}" for end in ("", ".wal", ".commits", ".metadata")), "0o600") | {
        "b.duckdb": "0o600"
    }
