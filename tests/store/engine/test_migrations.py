"""Numbered schema steps: each once, each whole, an old workspace copied before it is changed, a newer one refused."""

from pathlib import Path

import duckdb
import pytest

from core.errors import BenchError
from store.engine import settings
from store.engine.database import Database
from store.engine.migrations import SCHEMA, load_steps


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """A schema folder of one step; `grow` adds the next."""
    folder = tmp_path / "schema"
    folder.mkdir()
    (folder / "001_first.sql").write_text((SCHEMA / "001_first.sql").read_text(encoding="utf-8"), encoding="utf-8")
    return folder


def records(database: Database) -> list[tuple[int, str]]:
    return database.rows("SELECT number, name FROM schema_step ORDER BY number")  # type: ignore[return-value]


def old_workspace(file: Path, schema: Path) -> None:
    with Database.open(file, schema=schema) as database:
        settings.put(database, "a", 1)


def test_a_new_workspace_records_every_step_and_needs_no_copy(tmp_path: Path) -> None:
    with Database.open(tmp_path / "w.duckdb") as database:
        assert records(database) == [(step.number, step.name) for step in load_steps()]
    assert [p.name for p in tmp_path.iterdir()] == ["w.duckdb"]


@pytest.mark.fault(37)
def test_an_older_workspace_is_copied_and_then_migrated(tmp_path: Path, schema: Path) -> None:
    file = tmp_path / "w.duckdb"
    old_workspace(file, schema)
    (schema / "002_notes.sql").write_text("CREATE TABLE note (id VARCHAR PRIMARY KEY); INSERT INTO note VALUES ('n');")
    with Database.open(file, schema=schema) as database:
        assert records(database) == [(1, "001_first"), (2, "002_notes")]
        assert settings.get(database, "a") == 1 and database.rows("FROM note") == [("n",)]
    assert not (tmp_path / "w.duckdb.wal").exists()
    with duckdb.connect(str(tmp_path / "w.duckdb.before-002.duckdb"), read_only=True) as copy:
        assert copy.execute("SELECT max(number) FROM schema_step").fetchall() == [(1,)]
        assert copy.execute("SELECT value FROM setting").fetchall() == [("1",)]
    with Database.open(file, schema=schema):
        assert len(list(tmp_path.glob("*.before-*"))) == 1


def test_a_copy_that_is_there_is_never_overwritten(tmp_path: Path, schema: Path) -> None:
    file = tmp_path / "w.duckdb"
    old_workspace(file, schema)
    (tmp_path / "w.duckdb.before-002.duckdb").write_bytes(b"an earlier copy")
    (schema / "002_notes.sql").write_text("CREATE TABLE note (id VARCHAR PRIMARY KEY);")
    Database.open(file, schema=schema).close()
    assert (tmp_path / "w.duckdb.before-002.duckdb").read_bytes() == b"an earlier copy"
    with duckdb.connect(str(tmp_path / "w.duckdb.before-002-2.duckdb"), read_only=True) as copy:
        assert copy.execute("SELECT max(number) FROM schema_step").fetchall() == [(1,)]


@pytest.mark.fault(37)
def test_a_step_that_fails_leaves_the_workspace_as_it_was(tmp_path: Path, schema: Path) -> None:
    file = tmp_path / "w.duckdb"
    old_workspace(file, schema)
    (schema / "002_notes.sql").write_text("CREATE TABLE note (id VARCHAR PRIMARY KEY); INSERT INTO nowhere VALUES (1);")
    with pytest.raises(BenchError, match=r"002_notes.*the migration step changed nothing"):
        Database.open(file, schema=schema)
    (schema / "002_notes.sql").unlink()
    with Database.open(file, schema=schema) as database:
        assert records(database) == [(1, "001_first")] and settings.get(database, "a") == 1
        assert database.rows("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'note'") == [(0,)]


@pytest.mark.fault(37)
def test_a_newer_workspace_is_refused(tmp_path: Path, schema: Path) -> None:
    file = tmp_path / "w.duckdb"
    (schema / "002_notes.sql").write_text("CREATE TABLE note (id VARCHAR PRIMARY KEY);")
    old_workspace(file, schema)
    (schema / "002_notes.sql").unlink()
    with pytest.raises(BenchError, match=r"newer Benchwright \(schema 2, but this version knows only 1\)"):
        Database.open(file, schema=schema)


def test_numbers_with_a_gap_are_refused(tmp_path: Path, schema: Path) -> None:
    (schema / "003_third.sql").write_text("SELECT 1;")
    with pytest.raises(BenchError, match="without a gap"):
        Database.open(tmp_path / "w.duckdb", schema=schema)


def test_tables_have_primary_keys_and_no_other_index_or_foreign_key(tmp_path: Path) -> None:
    with Database.open(tmp_path / "w.duckdb") as database:
        assert database.rows("SELECT count(*) FROM duckdb_indexes()") == [(0,)]
        kinds = database.rows("SELECT DISTINCT constraint_type FROM duckdb_constraints()")
        keyed = database.rows("SELECT DISTINCT table_name FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'")
        tables = database.rows("SELECT table_name FROM duckdb_tables()")
    assert {kind for (kind,) in kinds} == {"PRIMARY KEY", "NOT NULL"}
    assert sorted(keyed) == sorted(tables)


def test_thoughts_in_the_replies_of_an_older_workspace_are_taken_off(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    for file in SCHEMA.glob("0*.sql"):
        if file.name < "033":
            (old / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    texts = {
        "a": "<think>\nPerhaps 1904?\n</think>\n\nIn 1907.",
        "b": "Perhaps 1904?</think>In 1907.",
        "c": "In 1907.",
        "d": None,
    }
    with Database.open(tmp_path / "w.duckdb", schema=old) as database:
        for id_, text in texts.items():
            columns = "id, key, agent, prompt, skill, request, made_at, text"
            database.execute(f"INSERT INTO call ({columns}) VALUES (?, ?, 'm', 'p', 's', '{{}}', '', ?)", [id_, id_, text])
    with Database.open(tmp_path / "w.duckdb") as database:
        assert database.rows("SELECT id, text, thinking, tokens_thinking, not_taken FROM call ORDER BY id") == [
            ("a", "In 1907.", "Perhaps 1904?", None, None),
            ("b", "In 1907.", "Perhaps 1904?", None, None),
            ("c", "In 1907.", None, None, None),
            ("d", None, None, None, None),
        ]
