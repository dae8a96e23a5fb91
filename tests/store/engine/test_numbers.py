"""The column `number` counts on without a gap, whichever way rows come in and whatever a failed write took."""

from collections.abc import Callable, Iterator

import pytest

from store.engine.columns import insert_row, insert_rows
from store.engine.database import Cursor, Database

COLUMNS = "item, person, ended_by, what, made_at"
ROW = ("item", "Ann", "Bo", "released", "2026-11-30")
WAYS: dict[str, Callable[[Cursor], object]] = {
    "one": lambda cursor: insert_row(cursor, "lease_end", COLUMNS, ROW, is_numbered=True),
    "two": lambda cursor: insert_rows(cursor, "lease_end", COLUMNS, [ROW, ROW], is_numbered=True),
    "sql": lambda cursor: cursor.execute(
        "INSERT INTO lease_end BY NAME SELECT * REPLACE (number + 10 AS number) FROM lease_end WHERE number = 1"
    ),
}


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.open(":memory:") as opened:
        yield opened


def list_numbers(database: Database) -> list[int]:
    return [number for (number,) in database.rows("SELECT number FROM lease_end ORDER BY number")]


def test_rows_of_every_way_follow_one_another(database: Database) -> None:
    for way in ("one", "one", "two", "one", "sql", "one", "one"):
        database.write(WAYS[way])
    assert list_numbers(database) == [1, 2, 3, 4, 5, 11, 12, 13]


def test_several_in_one_write(database: Database) -> None:
    def write(cursor: Cursor) -> None:
        for way in ("one", "two", "one", "one"):
            WAYS[way](cursor)

    database.write(write)
    assert list_numbers(database) == [1, 2, 3, 4, 5]


def test_a_failed_write_takes_no_number(database: Database) -> None:
    database.write(WAYS["one"])

    def fail(cursor: Cursor) -> None:
        WAYS["one"](cursor)
        raise ValueError("after the row")

    def fail_in_between(cursor: Cursor) -> None:
        insert_row(cursor, "lease_end", COLUMNS, (*ROW[:4], object()), is_numbered=True)

    for broken in (fail, fail_in_between):
        with pytest.raises(Exception, match=r"after the row|object"):
            database.write(broken)
    database.write(WAYS["two"])
    database.write(WAYS["one"])
    assert list_numbers(database) == [1, 2, 3, 4]
