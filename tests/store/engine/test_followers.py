"""What follows a table in memory is what a query of the table returns, whatever statements write to it and however they end."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

import duckdb
import pytest

from store.engine.columns import insert_row, insert_rows
from store.engine.database import Cursor, Database, follow
from store.engine.followers import Mirror


class Setting(NamedTuple):
    key: str
    value: str


class SettingMirror(Mirror[Setting]):
    table, columns, row, key, indexes = "setting", Setting._fields, Setting, ("key",), ("value",)


STATEMENTS: list[Callable[[Cursor, str, str], Any]] = [
    lambda cursor, a, b: insert_row(
        cursor, "setting", "key, value", [f"{a}{b}{len(follow(cursor, SettingMirror).list_rows())}", a]
    ),
    lambda cursor, a, b: insert_rows(cursor, "setting", "key, value", [(a, b), (b, a)]),
    lambda cursor, a, b: insert_rows(cursor, "setting", "key, value", [(a, b)], "(key) DO UPDATE SET value = excluded.value"),
    lambda cursor, a, b: cursor.execute("UPDATE setting SET value = ? WHERE value = ?", [a, b]).fetchall(),
    lambda cursor, a, b: cursor.execute("UPDATE setting SET value = ? WHERE key = ? RETURNING value", [a, b]).fetchall(),
    lambda cursor, a, b: cursor.execute("UPDATE setting SET key = key || '+' WHERE key = ?", [a]).fetchall(),
    lambda cursor, a, b: cursor.execute(
        "UPDATE setting SET value = n.new FROM (SELECT ? AS key, ? AS new) n WHERE setting.key = n.key", [a, b]
    ).fetchall(),
    lambda cursor, a, b: cursor.execute("DELETE FROM setting WHERE key = ? AND value = ?", [a, b]).fetchall(),
    lambda cursor, a, b: cursor.execute("DELETE FROM setting WHERE key > ? RETURNING key", [a]).fetchall(),
    lambda cursor, a, b: cursor.execute("INSERT INTO setting SELECT key || '-', value FROM setting WHERE key = ?", [a]),
]


def followed(source: Database | Cursor) -> list[tuple[str, str]]:
    mirror = follow(source, SettingMirror)
    rows = sorted(map(tuple, mirror.list_rows()))
    assert all(mirror.get(key) == (key, value) for key, value in rows) and mirror.get("nowhere") is None
    values = {value for _, value in rows}
    assert sorted(row for value in values for row in map(tuple, mirror.list_having("value", value))) == rows
    return rows


STORED = "SELECT key, value FROM setting ORDER BY key, value"


@pytest.mark.fault(38)
def test_a_mirror_is_the_table_whatever_is_written_and_whatever_fails() -> None:
    chance = Random(11)
    with Database.open(":memory:") as database:
        assert followed(database) == []
        for _ in range(300):
            steps = [(chance.choice(STATEMENTS), *chance.choices("abcde", k=2)) for _ in range(chance.randint(1, 4))]
            is_bad = chance.random() < 0.3

            def write(cursor: Cursor, steps: Any = steps, is_bad: bool = is_bad) -> None:
                for act, a, b in steps:
                    act(cursor, a, b)
                    assert followed(cursor) == sorted(cursor.execute(STORED).fetchall()), "a write sees what it wrote"
                if is_bad:
                    raise ValueError("no")

            before = database.rows(STORED)
            try:
                database.write(write)
                assert not is_bad
            except (ValueError, duckdb.ConstraintException):  # the second one if a key comes twice
                assert database.rows(STORED) == before
            assert followed(database) == sorted(database.rows(STORED))


def test_others_see_the_rows_of_a_write_when_it_is_committed_and_not_before() -> None:
    with Database.open(":memory:") as database, ThreadPoolExecutor(1) as other:
        assert followed(database) == []

        def write(cursor: Cursor) -> list[tuple[str, str]]:
            insert_row(cursor, "setting", "key, value", ["a", "1"])
            assert followed(cursor) == [("a", "1")]
            return other.submit(followed, database).result()

        assert database.write(write) == [] and followed(database) == [("a", "1")]


def test_a_bad_write_takes_nothing_of_its_group_out_of_memory() -> None:
    """All wait while the first one sleeps, so that one transaction is tried with all of them; then each is tried alone."""

    def act(n: int) -> Callable[[Cursor], None]:
        def write(cursor: Cursor) -> None:
            insert_row(cursor, "setting", "key, value", [f"{n:02}", "v"])
            if n % 3 == 0:
                raise ValueError("no")

        return write

    with Database.open(":memory:") as database:
        followed(database)
        futures = [database.write_soon(act(n)) for n in range(30)]
        assert [future.exception() is not None for future in futures] == [n % 3 == 0 for n in range(30)]
        assert followed(database) == database.rows(STORED) and len(followed(database)) == 20


def test_threads_that_write_and_read_leave_memory_and_table_equal() -> None:
    def work(n: int) -> None:
        chance = Random(n)
        for _ in range(25):
            act, a, b = chance.choice(STATEMENTS[1:9]), *chance.choices("abcde", k=2)
            with suppress(duckdb.ConstraintException):  # a key that comes twice
                database.write(lambda cursor, act=act, a=a, b=b: act(cursor, a, b))
            database.follow(SettingMirror).list_rows()

    with Database.open(":memory:") as database, ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
        assert followed(database) == sorted(database.rows(STORED))


def test_a_statement_that_could_change_rows_unnoticed_is_refused() -> None:
    with Database.open(":memory:") as database:
        for evil in (
            "INSERT OR REPLACE INTO setting VALUES ('a', '1')",
            "WITH n AS (SELECT 'a' AS k, '1' AS v) INSERT INTO setting SELECT k, v FROM n",
            "TRUNCATE setting",
            "MERGE INTO setting USING (SELECT 'a' AS k) n ON setting.key = n.k WHEN NOT MATCHED THEN INSERT VALUES (n.k, '1')",
        ):
            with pytest.raises(RuntimeError, match="a write function cannot run this statement"):
                database.write(lambda cursor, evil=evil: cursor.execute(evil).fetchall())
        assert database.rows(STORED) == []


def test_a_second_statement_and_a_change_by_a_reader_are_refused() -> None:
    """The followers would not learn of either."""
    change = "INSERT INTO setting VALUES ('a', '1')"
    with Database.open(":memory:") as database:
        assert followed(database) == []
        for two in (f"SELECT 1; {change}", f"DELETE FROM setting WHERE key = 'b'; {change}"):
            with pytest.raises(RuntimeError, match="expected one SQL statement, got 2"):
                database.write(lambda cursor, two=two: cursor.execute(two))
            with pytest.raises(RuntimeError, match="expected one SQL statement, got 2"):
                database.rows(two)
        for evil in (change, "DELETE FROM setting", "DROP TABLE setting", "CHECKPOINT", "COPY setting FROM 'x'"):
            with pytest.raises(RuntimeError, match="not a query"):
                database.rows(evil)
        assert database.rows(f"{STORED};") == database.rows(f"EXPLAIN {STORED}")[:0] == followed(database) == []


def test_writes_run_once_though_showing_their_rows_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []

    def write(cursor: Cursor) -> None:
        runs.append(1)
        insert_row(cursor, "setting", "key, value", ["a", str(len(runs))])

    def fail(mirror: SettingMirror) -> None:
        raise IndexError("pop from empty list")

    with Database.open(":memory:") as database:
        assert followed(database) == []
        monkeypatch.setattr(SettingMirror, "commit", fail)
        database.write(write)
        monkeypatch.undo()
        assert (runs, followed(database)) == ([1], [("a", "1")])
