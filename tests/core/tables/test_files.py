"""CSV, JSON lines and Parquet become columns; what cannot be read is counted; a spec is proposed from the cells."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import BenchError
from core.readers.bounded_child import BoundedChildren
from core.tables.files import read_table
from core.tables.proposal import propose, singular
from core.tables.world import EntityTable
from tests.core.tables.films import PEOPLE, PEOPLE_ROWS

CSV = """\ufeffID;Full Title;director;released;Votes;cast;tags;007
1;The Long Lamp;p1;1990-05-01;900;"[""p2"", ""p3""]";sea | lamp;07
2;A Lamp in Orvel; p1 ;2004-11-20;60;"[""p2""]";;08
3;Harbour;p2;2020-01-01;;;sea | town | fog;09

4;"Har
bour";p3;2021-01-01;40;[];fog;1
5;too;few
"""


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_csv_file_tells_its_delimiter_and_its_rows_that_do_not_fit(tmp_path: Path) -> None:
    raw = read_table(written(tmp_path / "My Films.csv", CSV))
    assert raw.name == "my_films"
    assert list(raw.columns) == ["ID", "Full_Title", "director", "released", "Votes", "cast", "tags", "c_007"]
    assert raw.columns["director"] == ["p1", "p1", "p2", "p3"]
    assert raw.columns["Votes"] == ["900", "60", None, "40"]
    assert raw.columns["Full_Title"][3] == "Har\nbour"
    assert raw.notes == (
        "1 row was left out: not 8 cells as the header has (first: line 8 has 3).",
        "Columns renamed: 'Full Title' is named Full_Title; '007' is named c_007.",
    )


def test_a_spec_is_proposed_from_the_cells_and_the_tables_that_are_there(tmp_path: Path) -> None:
    proposal = propose(read_table(written(tmp_path / "films.csv", CSV)), [EntityTable(PEOPLE, PEOPLE_ROWS)])
    spec = proposal.spec
    assert dict(spec.columns) == {
        "ID": "integer",
        "Full_Title": "text",
        "director": "text",
        "released": "date",
        "Votes": "integer",
        "cast": "list",
        "tags": "list",
        "c_007": "text",
    }
    assert (spec.entity, spec.key, spec.label, spec.time, spec.popularity) == ("film", "ID", "Full_Title", "released", "Votes")
    assert [(r.name, r.column, r.to, r.to_column, r.many) for r in spec.relations] == [
        ("director", "director", "people", "id", False),
        ("cast", "cast", "people", "id", True),
    ]
    assert spec.attributes == ("released", "Votes", "tags", "c_007")
    assert "tags is read as lists separated by | or ;." in proposal.notes
    assert any(note.startswith("released is read as the time") for note in proposal.notes)


def test_whole_numbers_lead_nowhere_by_themselves(tmp_path: Path) -> None:
    rows = "id,name,seats\n1,Hall,2\n2,Yard,3\n3,Court,1\n"
    first = propose(read_table(written(tmp_path / "halls.csv", rows))).spec
    halls = EntityTable(first, [(1, "Hall", 2), (2, "Yard", 3), (3, "Court", 1)])
    plays = propose(read_table(written(tmp_path / "plays.csv", "id,title,acts,hall_id\n1,Lamp,3,2\n2,Fog,2,1\n")), [halls]).spec
    assert [(relation.column, relation.name, relation.back) for relation in plays.relations] == [("hall_id", "hall", "plays")]


def test_a_table_without_a_key_is_taken_for_a_link(tmp_path: Path) -> None:
    rows = "a,b\np1,p2\np1,p3\np2,p3\n"
    proposal = propose(read_table(written(tmp_path / "met.csv", rows)), [EntityTable(PEOPLE, PEOPLE_ROWS)])
    assert (proposal.spec.entity, proposal.spec.key) == ("", "")
    assert [relation.back for relation in proposal.spec.relations] == ["met", "met_by_b"]
    assert proposal.notes[-1].startswith("No column holds a different value in each row")


def test_a_key_that_repeats_over_time_is_found_with_its_time(tmp_path: Path) -> None:
    rows = "ticker,date,price\nORV,2030-01-01,1.5\nORV,2031-01-01,2\nLSK,2030-01-01,3\n"
    spec = propose(read_table(written(tmp_path / "prices.csv", rows))).spec
    assert (spec.key, spec.time, spec.columns["price"]) == ("ticker", "date", "number")


def test_json_lines_keep_their_types_and_count_bad_lines(tmp_path: Path) -> None:
    lines = [{"id": "a", "n": 1, "tags": ["x", None]}, {"id": "b", "n": 2.5, "of": {"k": 1}}, {"id": "c", "ok": True}]
    text = "\n".join([*map(json.dumps, lines), "{broken", '{"id": NaN}'])
    raw = read_table(written(tmp_path / "t.jsonl", text))
    assert raw.columns["tags"] == [["x"], None, None]
    assert raw.columns["of"] == [None, '{"k": 1}', None]
    assert raw.columns["ok"] == [None, None, True]
    assert raw.notes[0].startswith("2 rows were left out (first: line 4 is not JSON")
    assert raw.notes[1] == "Objects in of are kept as JSON text."


def test_parquet_gives_dates_lists_and_decimals_as_json_would(tmp_path: Path) -> None:
    table = pa.table(
        {
            "id": [1, 2],
            "on": [date(2030, 1, 2), None],
            "price": [Decimal("1.50"), Decimal("2.00")],
            "tags": [["a"], []],
            "x": [float("nan"), 1.0],
            "raw": [b"1", b"2"],
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    raw = read_table(tmp_path / "t.parquet")
    assert dict(raw.columns) == {
        "id": [1, 2],
        "on": ["2030-01-02", None],
        "price": [1.5, 2],
        "tags": [["a"], []],
        "x": [None, 1.0],
    }
    assert raw.notes == ("Columns left out, because bytes are not values: raw.",)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("t.xlsx", b"x", "t.xlsx is not a table: give a file whose name ends in .csv"),
        ("t.csv", b"a,b\n", "t.csv holds no row that can be read."),
        ("t.csv", b"", "t.csv holds no row that can be read."),
        ("t.csv", b"a\n\xff\n", "t.csv is not UTF-8 at its byte 3"),
        ("t.parquet", b"PAR1 no", "t.parquet cannot be read as Parquet"),
        (
            "t.jsonl",
            b"[1]\n",
            "t.jsonl holds no row that can be read: 1 row was left out (first: line 1 is not a JSON object).",
        ),
    ],
)
def test_a_file_that_is_no_table_is_refused_in_a_sentence(name: str, content: bytes, why: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BenchError) as error:
        read_table(tmp_path / name)
    assert str(error.value).startswith(why)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("is_dictionary", [False, True])
def test_a_parquet_file_of_some_bytes_that_stands_for_gigabytes_is_refused_and_never_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_dictionary: bool
) -> None:
    monkeypatch.setattr("core.tables.files.MAX_UNPACKED_BYTES", 10**8)
    one = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000, pa.int32()), ["q" * 100_000])
    pq.write_table(pa.table({"id": range(20_000), "text": one}), tmp_path / "t.parquet", store_schema=is_dictionary)
    assert (tmp_path / "t.parquet").stat().st_size < 200_000
    before = getrusage(RUSAGE_SELF).ru_maxrss
    with pytest.raises(BenchError, match=r"t\.parquet cannot be read as Parquet \(it unpacks to more than 100,000,000 bytes\)"):
        read_table(tmp_path / "t.parquet")
    assert getrusage(RUSAGE_SELF).ru_maxrss - before < 500_000, "kilobytes, of the two million that the column comes to"


def test_a_parquet_file_that_breaks_its_reader_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq.write_table(pa.table({"id": [1]}), tmp_path / "t.parquet")
    fatal = BoundedChildren("tests.core.tables.dying_child", 1000)
    monkeypatch.setattr("core.tables.parquet_file._CHILDREN", fatal)
    with pytest.raises(BenchError, match=r"t\.parquet cannot be read as Parquet \(it is damaged or asks for too much memory"):
        read_table(tmp_path / "t.parquet")


def test_words_in_the_plural_are_put_in_the_singular() -> None:
    assert [singular(word) for word in ("persons", "companies", "people", "bus", "chess", "news_items", "series", "人物")] == [
        "person",
        "company",
        "person",
        "bus",
        "chess",
        "news item",
        "sery",
        "人物",
    ]
