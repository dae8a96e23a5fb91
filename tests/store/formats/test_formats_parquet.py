"""Parquet: equal Items come back; a file with other columns, or none at all, is one sentence."""

import pyarrow
import pyarrow.parquet
import pytest

from core.errors import BenchError
from core.tables.files import read_table
from store.formats import _columns, parquet
from store.formats._columns import COLUMNS, list_parts, read_columns, write_columns
from tests.store.held_records import HeldRecords
from tests.store.released import bundle, items


def test_an_exported_folder_comes_back_as_it_was(tmp_path):
    whole = bundle()
    parquet.write(whole, tmp_path, frozenset())
    back = parquet.read(tmp_path)
    assert back.items == whole.items and list(back.variants) == list(whole.variants) and list(back.refused) == []
    assert {d.id: d for d in back.documents} == {d.id: d for d in whole.documents}
    assert (back.hash, back.manifest) == (whole.hash, whole.manifest)


def test_one_file_of_items_is_read_too(tmp_path):
    parquet.write(bundle(), tmp_path, frozenset())
    assert parquet.read(tmp_path / "items.parquet").items == items()


def test_a_release_without_variants_has_their_empty_table(tmp_path):
    parquet.write(bundle([items()[1]]), tmp_path, frozenset())
    table = pyarrow.parquet.read_table(tmp_path / "variants.parquet")
    assert table.num_rows == 0 and table.column_names == list(COLUMNS["variants"])


def make_rows(count):
    row = {"revision": 1, "task": "t", "answers": ["a"], "evidence": [{"document": "d", "start": 0, "end": 1, "text": "e"}]}
    return [{**row, "id": f"i{n:05}", "question": f"q{n}", "labels": {"n": n}} for n in range(count)]


@pytest.mark.parametrize("rows_per_file", [None, 500])
def test_records_are_written_some_at_a_time(tmp_path, monkeypatch, rows_per_file):
    monkeypatch.setattr(_columns, "ROWS_PER_TABLE", 10)
    monkeypatch.setattr(_columns, "ROWS_PER_GROUP", 100)
    rows = HeldRecords(make_rows(1_001))
    write_columns(tmp_path / "items.parquet", "items", iter(rows), rows_per_file)
    assert rows.most <= 2 * 10 + 1  # the rows of one table, and of the next while they are read
    parts = list_parts(tmp_path / "items.parquet")
    groups = [pyarrow.parquet.ParquetFile(part).metadata.num_row_groups for part in parts]
    assert groups == ([11] if rows_per_file is None else [5, 5, 1])
    assert [line.record["id"] for part in parts for line in read_columns(part, "items")] == [r["id"] for r in make_rows(1_001)]


def test_the_tables_in_which_a_group_is_built_do_not_change_its_bytes(tmp_path, monkeypatch):
    write_columns(tmp_path / "one.parquet", "items", make_rows(2_000))
    monkeypatch.setattr(_columns, "ROWS_PER_TABLE", 64)
    write_columns(tmp_path / "many.parquet", "items", make_rows(2_000))
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "many.parquet").read_bytes()


@pytest.mark.parametrize(
    ("count", "names"), [(0, ["x.parquet"]), (3, ["x.parquet"]), (4, [f"x-0000{n}-of-00002.parquet" for n in (0, 1)])]
)
def test_only_several_files_have_numbers(tmp_path, count, names):
    write_columns(tmp_path / "x.parquet", "items", make_rows(count), 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == names


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"a": [1]}, "has no column id"),
        ({"id": ["x"], "task": ["t"], "question": ["q"], "answers": ["one text"]}, "column answers of type string"),
        ({"id": [1], "task": ["t"], "question": ["q"], "answers": [["a"]]}, "column id of type int64"),
    ],
)
@pytest.mark.fault(11, 15)
def test_other_columns_are_one_sentence(tmp_path, columns, said):
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "x.parquet")
    with pytest.raises(BenchError, match=said):
        parquet.read(tmp_path / "x.parquet")


def test_a_broken_json_column_refuses_its_row_alone(tmp_path):
    write_columns(
        tmp_path / "x.parquet",
        "items",
        [
            {"id": "a", "revision": 1, "task": "t", "question": "q", "answers": ["a"], "status": "accepted"},
            {"id": "b", "revision": 1, "task": "t", "question": "q", "answers": ["a"], "status": "accepted"},
        ],
    )
    table = pyarrow.parquet.read_table(tmp_path / "x.parquet")
    place = table.column_names.index("labels")
    table = table.set_column(place, "labels", pyarrow.array(["{}", "{broken"]))
    pyarrow.parquet.write_table(table, tmp_path / "x.parquet")
    back = parquet.read(tmp_path / "x.parquet")
    assert [i.id for i in back.items] == ["a"] and "labels is not JSON" in back.refused[0]["message"]


@pytest.mark.fault(15)
def test_a_file_that_unpacks_to_far_more_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr("store.formats._columns.MAX_UNPACKED_BYTES", 1_000_000)
    rows = [{"id": str(n), "task": "t", "question": "q" * 100_000, "answers": ["a"]} for n in range(20)]
    write_columns(tmp_path / "x.parquet", "items", rows)
    assert (tmp_path / "x.parquet").stat().st_size < 20_000
    with pytest.raises(BenchError, match="unpacks to more than"):
        parquet.read(tmp_path / "x.parquet")


def test_a_column_that_is_there_twice_is_one_sentence(tmp_path):
    columns = [pyarrow.array(["a"]), pyarrow.array(["b"]), pyarrow.array(["t"]), pyarrow.array([["x"]]), pyarrow.array(["q"])]
    table = pyarrow.Table.from_arrays(columns, names=["id", "id", "task", "answers", "question"])
    pyarrow.parquet.write_table(table, tmp_path / "x.parquet")
    with pytest.raises(BenchError, match="has the column id twice"):
        parquet.read(tmp_path / "x.parquet")
    with pytest.raises(BenchError, match="has the column id twice"):
        read_table(tmp_path / "x.parquet")
