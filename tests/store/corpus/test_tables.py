"""Tables stay as they were put in: other rows or another spec are a new snapshot, and one that items were made from is kept."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import BenchError
from core.nouns import Item
from core.tables.nouns import tables_step
from store.corpus import tables
from store.engine.database import Database
from store.items import items
from tests.core.tables.films import FILM_ROWS, FILMS

ROWS = [*FILM_ROWS, (5, 'Émile\'s "Fog"; 雾', None, ("x", 2, None), None, -(2**62), 0.1 + 0.2)]


def test_rows_come_back_as_they_were_put_in_from_a_copy_too(tmp_path: Path) -> None:
    with Database.open(tmp_path / "w.duckdb") as database:
        put = tables.put(database, FILMS, ROWS, "films.csv")
        assert (put.is_new, put.replaced, put.stored.rows, put.stored.origin) == (True, None, 5, "films.csv")
        database.backup(tmp_path / "copy.duckdb")
    with Database.open(tmp_path / "copy.duckdb") as copy:
        table = tables.load(copy, put.stored.hash)
        assert (table.spec, table.rows, table.hash) == (FILMS, ROWS, put.stored.hash)
        assert tables.load_page(copy, put.stored.hash, 2, 1) == ROWS[1:3]


def test_the_same_again_is_nothing_new_and_anything_else_is_a_new_snapshot() -> None:
    with Database.open(":memory:") as database:
        first = tables.put(database, FILMS, ROWS, "films.csv").stored
        again = tables.put(database, FILMS, ROWS, "copy.csv")
        assert (again.is_new, again.stored.hash) == (False, first.hash)
        corrected = tables.put(database, replace(FILMS, popularity=""), ROWS, "films.csv")
        assert (corrected.replaced, corrected.stored.data) == (first, first.data)
        assert corrected.stored.hash != first.hash
        fewer = tables.put(database, FILMS, ROWS[:2], "films.csv").stored
        assert fewer.data != first.data
        assert [stored.hash for stored in tables.list_tables(database)] == [fewer.hash]
        back = tables.put(database, FILMS, ROWS, "films.csv").stored
        assert back.hash == first.hash
        assert tables.load_current(database, "films") == back
        assert len(tables.list_snapshots(database, "films")) == 3
        assert len(tables.load(database, fewer.hash)) == 2


def test_a_snapshot_that_items_were_made_from_outlives_its_name() -> None:
    with Database.open(":memory:") as database:
        used = tables.put(database, FILMS, ROWS, "films.csv").stored
        items.add(
            database,
            [
                Item("q1", "template_question", "Who?", ("p1",), status="accepted", steps=(tables_step({"films": used.hash}),)),
                Item("q2", "template_question", "When?", ("1990",), steps=(tables_step({"films": used.hash}),)),
            ],
        )
        idle = tables.put(database, replace(FILMS, popularity=""), ROWS[:3], "films.csv").stored
        assert (tables.count_accepted_from(database, used.hash), tables.count_accepted_from(database, idle.hash)) == (1, 0)
        assert tables.retire(database, "films")
        assert tables.list_tables(database) == []
        assert [stored.hash for stored in tables.list_snapshots(database, "films")] == [used.hash]
        assert tables.load(database, used.hash).rows == ROWS
        with pytest.raises(BenchError, match="No table snapshot b2:"):
            tables.load(database, idle.hash)
        assert not tables.retire(database, "films")
        assert database.rows("SELECT count(*) FROM duckdb_tables() WHERE table_name LIKE 'data_%'") == [(1,)]
        assert tables.put(database, FILMS, ROWS, "films.csv").stored.hash == used.hash
