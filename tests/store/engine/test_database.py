"""The workspace file: one writer, a cursor per reading thread, nothing outside reachable, one sentence for every trouble."""

import json
import os
import subprocess
import sys
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

from core.errors import BenchError
from store.engine import settings
from store.engine.database import Database
from store.engine.exchange import exchange_folder
from store.engine.writer import Cursor

ROOT = Path(__file__).parents[3]


def insert(key: str, value: str = "1"):
    return lambda cursor: cursor.execute("INSERT INTO setting VALUES (?, ?)", [key, value]).fetchall()


def keys(database: Database) -> list[str]:
    return [row[0] for row in database.rows("SELECT key FROM setting ORDER BY key")]


def test_a_write_is_on_the_disk_when_it_returns_and_stays_after_reopening(tmp_path: Path) -> None:
    with Database.open(tmp_path / "w.duckdb") as database:
        settings.put(database, "a", {"b": [1, None]})
        assert settings.get(database, "a") == {"b": [1, None]}
    with Database.open(tmp_path / "w.duckdb") as database:
        assert settings.get(database, "a") == {"b": [1, None]}


def test_rows_become_objects_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.engine.database.ROWS_PER_FETCH", 10)
    sql = "SELECT n, repeat('x', 10000) FROM (SELECT unnest(range(?)) AS n) ORDER BY n"
    with Database.open(":memory:") as database:
        for count in (0, 9, 10, 11):
            assert database.build_rows(lambda row: row[0], sql, [count]) == list(range(count))
        tracemalloc.start()
        try:
            lengths = database.build_rows(lambda row: len(row[1]), sql, [2_000])
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert lengths == [10_000] * 2_000
    assert most < 2_000_000  # all rows at once are 20 MB


def test_few_commits_in_memory_do_not_compress_all_tables() -> None:
    """DuckDB has written a segment that is persistent."""
    with Database.open(":memory:") as database:
        for n in range(40):
            database.execute("INSERT INTO setting VALUES (?, ?)", [str(n), "1"])
        stored = database.rows("SELECT sum(count), count(*) FILTER (persistent) FROM pragma_storage_info('setting')")
        assert stored == [(4 * 40, 0)]  # two columns, each with its column of nulls


@pytest.mark.fault(38)
def test_a_bad_write_does_not_hurt_its_batch() -> None:
    """The writer is held up until all wait, so that they are one batch."""
    with Database.open(":memory:") as database:
        gate = threading.Event()
        held = database.write_soon(lambda cursor: gate.wait(10))
        good = [database.write_soon(insert(f"good {n}")) for n in range(5)]
        broken = database.write_soon(lambda cursor: cursor.execute("SELECT nothing FROM nowhere"))
        twice = database.write_soon(insert("good 1"))
        raising = database.write_soon(lambda cursor: json.loads("{"))
        last = database.write_soon(insert("last"))
        gate.set()
        assert held.result(10) and [future.result(10) for future in (*good, last)] == [[(1,)]] * 6
        assert isinstance(broken.exception(10), duckdb.CatalogException)
        assert isinstance(twice.exception(10), duckdb.ConstraintException)
        assert isinstance(raising.exception(10), json.JSONDecodeError)
        assert keys(database) == [f"good {n}" for n in range(5)] + ["last"]


@pytest.mark.fault(38)
def test_a_write_that_swallows_its_error_is_not_called_saved() -> None:
    """The COMMIT of an aborted transaction does nothing and raises nothing."""

    def swallowing(cursor: Cursor) -> str:
        insert("lost")(cursor)
        try:
            cursor.execute("SELECT nothing FROM nowhere")
        except duckdb.Error:
            return "all is well"
        return "no error"

    with Database.open(":memory:") as database:
        with pytest.raises(duckdb.TransactionException):
            database.write(swallowing)
        gate = threading.Event()
        database.write_soon(lambda cursor: gate.wait(10))
        before, bad, after = (database.write_soon(w) for w in (insert("before"), swallowing, insert("after")))
        gate.set()
        assert isinstance(bad.exception(10), duckdb.TransactionException)
        assert before.result(10) and after.result(10)
        assert keys(database) == ["after", "before"]


@pytest.mark.fault(38)
def test_a_conflict_with_another_writer_is_tried_again(tmp_path: Path) -> None:
    """Another connection of this process holds the row until the first try has failed."""
    with Database.open(tmp_path / "w.duckdb") as database:
        settings.put(database, "n", 0)
        other = database._root.cursor()
        other.execute("BEGIN")
        other.execute("UPDATE setting SET value = '5' WHERE key = 'n'")
        tries: list[int] = []

        def add_one(cursor: Cursor) -> None:
            tries.append(1)
            if len(tries) == 2:
                other.execute("COMMIT")
            cursor.execute("UPDATE setting SET value = (value::INTEGER + 1)::VARCHAR WHERE key = 'n'")

        database.write(add_one)
        other.close()
        assert len(tries) == 2 and settings.get(database, "n") == 6


@pytest.mark.fault(38)
def test_an_endless_conflict_is_one_sentence_and_nothing_is_called_saved(tmp_path: Path) -> None:
    with Database.open(tmp_path / "w.duckdb") as database:
        settings.put(database, "n", 0)
        other = database._root.cursor()
        other.execute("BEGIN")
        other.execute("UPDATE setting SET value = '5' WHERE key = 'n'")
        with pytest.raises(BenchError, match="nothing of it was stored"):
            settings.put(database, "n", 1)
        other.execute("ROLLBACK")
        other.close()
        assert settings.get(database, "n") == 0


@pytest.mark.fault(44)
def test_sixteen_threads_write_and_read_and_nothing_is_lost_or_mixed_up(tmp_path: Path) -> None:
    with Database.open(tmp_path / "w.duckdb") as database:

        def work(thread: int) -> list[tuple[str, str]]:
            seen = []
            for n in range(25):
                key = f"{thread}-{n}"
                database.write(insert(key, key))
                seen.append(database.rows("SELECT key, value FROM setting WHERE key = ?", [key])[0])
            return seen

        with ThreadPoolExecutor(16) as pool:
            found = list(pool.map(work, range(16)))
        assert found == [[(f"{t}-{n}", f"{t}-{n}") for n in range(25)] for t in range(16)]
        assert database.rows("SELECT count(*) FROM setting") == [(400,)]


def test_closing_writes_what_waits(tmp_path: Path) -> None:
    database = Database.open(tmp_path / "w.duckdb")
    futures = [database.write_soon(insert(f"{n:03d}")) for n in range(200)]
    database.close()
    database.close()
    assert all(future.done() for future in futures)
    with pytest.raises(BenchError, match="closed"):
        database.rows("SELECT 1")
    with pytest.raises(BenchError, match="closed"):
        database.write(insert("late"))
    with Database.open(tmp_path / "w.duckdb") as database:
        assert keys(database) == [f"{n:03d}" for n in range(200)]


def test_a_process_that_ends_without_closing_keeps_its_writes(tmp_path: Path) -> None:
    code = """
import sys
from store.engine.database import Database
database = Database.open(sys.argv[1])
for n in range(50):
    database.write_soon(lambda cursor, n=n: cursor.execute("INSERT INTO setting VALUES (?, '1')", [str(n)]))
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "w.duckdb")], cwd=ROOT, check=True)
    with Database.open(tmp_path / "w.duckdb") as database:
        assert database.rows("SELECT count(*) FROM setting") == [(50,)]


def test_a_write_inside_a_write_is_refused_instead_of_waiting_for_ever() -> None:
    with Database.open(":memory:") as database, pytest.raises(RuntimeError, match="inside a write"):
        database.write(lambda cursor: database.write(insert("a")))


@pytest.mark.parametrize(
    "sql",
    [
        "ATTACH '{0}/other.duckdb' AS o",
        "COPY (SELECT 1) TO '{0}/x.csv'",
        "EXPORT DATABASE '{0}/all'",
        "SELECT * FROM read_text('/etc/passwd')",
        "SET enable_external_access = true",
        "SET allowed_directories = ['/']",
        "INSTALL fts",
        "LOAD fts",
    ],
)
@pytest.mark.parametrize("place", ["file", "memory"])
@pytest.mark.fault(21)
def test_sql_reaches_no_other_file(tmp_path: Path, sql: str, place: str) -> None:
    with Database.open(tmp_path / "w.duckdb" if place == "file" else ":memory:") as database:
        with pytest.raises((duckdb.Error, RuntimeError), match=r"disabled|locked|Permission|not a query"):
            database.rows(sql.format(tmp_path))
        reader = database._new_reader().cursor
        assert reader is not None
        with pytest.raises(duckdb.Error, match=r"disabled|locked|Permission"):
            reader.execute(sql.format(tmp_path))
        assert {p.name for p in tmp_path.iterdir()} <= {"w.duckdb", "w.duckdb.wal"}


def test_a_quote_in_the_path_is_a_path(tmp_path: Path) -> None:
    folder = tmp_path / 'Ann\'s "works"'
    folder.mkdir()
    with Database.open(folder / "w 'x'.duckdb") as database:
        settings.put(database, "a", 1)
        database.backup(folder / "b.duckdb")
    with Database.open(folder / "b.duckdb") as database:
        assert settings.get(database, "a") == 1


@pytest.mark.timeout(20)
def test_a_pipe_is_no_place_for_a_backup(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with Database.open(tmp_path / "w.duckdb") as database, pytest.raises(BenchError, match="not an older backup"):
        database.backup(tmp_path / "pipe")


@pytest.mark.fault(43)
def test_a_backup_made_while_others_write_is_whole_and_consistent(tmp_path: Path) -> None:
    """Every write puts a pair into two tables; a copy holds both or neither, and all that was acknowledged before it began."""
    with Database.open(tmp_path / "w.duckdb") as database:
        stop = threading.Event()

        def pair(n: int):
            def write(cursor: Cursor) -> None:
                cursor.execute("INSERT INTO setting VALUES (?, '1')", [str(n)])
                cursor.execute("INSERT INTO tried VALUES ('t', ?, 'j')", [str(n)])

            return write

        done: list[int] = []

        def work() -> None:
            while not stop.is_set():
                database.write(pair(len(done)))
                done.append(len(done))

        thread = threading.Thread(target=work)
        thread.start()
        try:
            while len(done) < 20:
                database.write(lambda cursor: None)
            for n in range(4):
                before = len(done)
                database.backup(tmp_path / f"b{n}.duckdb")
                assert not exchange_folder(tmp_path / "w.duckdb").exists()
                with Database.open(tmp_path / f"b{n}.duckdb") as copy:
                    places = copy.rows("SELECT place FROM tried ORDER BY place")
                    assert [(key,) for key in keys(copy)] == places and len(places) >= before
        finally:
            stop.set()
            thread.join()
        assert database.rows("SELECT count(*) FROM setting") == [(len(done),)]


def test_a_backup_replaces_an_older_backup_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "thesis.docx").write_bytes(b"forty pages")
    with Database.open(tmp_path / "w.duckdb") as database:
        database.backup(tmp_path / "b.duckdb")
        settings.put(database, "a", 1)
        database.backup(tmp_path / "b.duckdb")
        for target in ("thesis.docx", "w.duckdb", "."):
            with pytest.raises(BenchError, match="is not an older backup"):
                database.backup(tmp_path / target)
    with Database.open(tmp_path / "b.duckdb") as database:
        assert settings.get(database, "a") == 1
    assert (tmp_path / "thesis.docx").read_bytes() == b"forty pages"


def test_a_workspace_in_memory_says_that_it_cannot_be_copied(tmp_path: Path) -> None:
    with Database.open(":memory:") as database, pytest.raises(BenchError, match="in memory"):
        database.backup(tmp_path / "b.duckdb")


def test_what_is_kept_is_read_again_as_soon_as_its_table_was_written() -> None:
    with Database.open(":memory:") as database:
        made: list[int] = []

        def names() -> list[tuple[object, ...]]:
            made.append(1)
            return database.rows("SELECT key FROM setting ORDER BY key")

        def kept() -> list[tuple[object, ...]]:
            return database.read_cached("names", ["setting"], names)

        assert kept() == kept() == [] and len(made) == 1
        guideline = "INSERT INTO guideline VALUES (1, '', '', '', '', '')"
        database.write(lambda cursor: cursor.execute(guideline).fetchall())
        assert kept() == [] and len(made) == 1, "another table is no matter"
        with pytest.raises(duckdb.Error):
            database.write(lambda cursor: cursor.execute("INSERT INTO setting VALUES ('a', '1'), ('a', '2')").fetchall())
        database.write(lambda cursor: cursor.execute("\n    INSERT INTO setting VALUES ('b', '1')").fetchall())
        assert kept() == [("b",)]


def test_a_text_that_was_read_before_a_table_changed_reads_the_table_as_it_is_now() -> None:
    """Texts are kept parsed; what they mean is not."""
    everything = "SELECT * FROM setting WHERE key = ?"
    with Database.open(":memory:") as database:
        database.write(insert("a"))
        assert database.rows(everything, ["a"]) == [("a", "1")]
        database.write(lambda cursor: cursor.execute("ALTER TABLE setting ADD COLUMN more INTEGER DEFAULT 7"))
        assert database.rows(everything, ["a"]) == [("a", "1", 7)]
        database.write(lambda cursor: cursor.execute("DROP TABLE setting"))
        with pytest.raises(duckdb.CatalogException):
            database.rows(everything, ["a"])


def test_one_text_is_read_by_many_threads_each_with_its_own_values() -> None:
    with Database.open(":memory:") as database, ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda n: database.rows("SELECT ?::INTEGER, ?::VARCHAR", [n, str(n)]), range(400))
        assert list(found) == [[(n, str(n))] for n in range(400)]


def test_of_several_statements_none_is_run() -> None:
    with Database.open(":memory:") as database:
        both = "INSERT INTO setting VALUES ('a', '1'); INSERT INTO setting VALUES ('b', '2')"
        with pytest.raises(RuntimeError, match="expected one SQL statement, got 2"):
            database.write(lambda cursor: cursor.execute(both))
        assert keys(database) == []
