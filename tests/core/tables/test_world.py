"""Rows are found by key and value as of a time, relations lead on, paths give values."""

import pytest

from core.errors import BenchError
from core.tables.nouns import spec_from_record, spec_record
from core.tables.world import TableRow
from tests.core.tables.films import FILMS, films

WORLD = films()


def test_a_row_is_found_by_its_key_and_by_what_its_cells_hold() -> None:
    assert WORLD["films"].find_row(2) == 1
    assert WORLD["films"].find_row(9) is None
    assert WORLD["films"].find_rows("cast", "p2") == [0, 1]
    assert WORLD["people"].record(1) == {"id": "p2", "name": "Odo Lisk", "born": 1961}


def test_relations_lead_from_a_cell_or_each_of_a_list_and_back() -> None:
    relation = {r.name: r for r in WORLD.relations("films")}
    assert WORLD.follow(TableRow("films", 0), relation["cast"]) == [TableRow("people", 1), TableRow("people", 2)]
    assert WORLD.follow(TableRow("films", 3), relation["director"]) == []
    assert WORLD.follow(TableRow("people", 1), WORLD.relations("people")[0]) == [TableRow("films", 0), TableRow("films", 1)]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("title", "The Long Lamp"),
        ("cast", ["p2", "p3"]),
        ("director.name", "Ira Vane"),
        ("cast.born", [1961, 1988]),
        ("director{name, born}", {"name": "Ira Vane", "born": 1950}),
        (
            "cast{id,films.title}",
            [
                {"id": "p2", "films.title": ["The Long Lamp", "A Lamp in Orvel"]},
                {"id": "p3", "films.title": ["The Long Lamp"]},
            ],
        ),
    ],
)
def test_a_path_gives_what_stands_at_its_end(path: str, value: object) -> None:
    assert WORLD.value(TableRow("films", 0), path) == value


def test_a_path_to_nothing_is_none_and_a_path_to_nowhere_is_refused() -> None:
    assert WORLD.value(TableRow("films", 3), "director.name") is None
    assert WORLD.value(TableRow("films", 2), "cast.name") == []
    for path, why in (("length", "no such column"), ("studio.name", "no such relation"), ("a b", "is not a path")):
        with pytest.raises(BenchError, match=why):
            WORLD.value(TableRow("films", 0), path)


def test_rows_that_have_not_begun_do_not_stand() -> None:
    table = WORLD["films"]
    assert list(table.as_of("2004-11-19T23:00")) == [0, 3]  # a row without a time stands always
    assert list(table.as_of("2004-11-20")) == [0, 1, 3]
    assert list(table.as_of()) == [0, 1, 2, 3]
    assert table.find_row(2, "2000-01-01") is None
    assert WORLD.value(TableRow("people", 1), "films.title", "2000-01-01") == ["The Long Lamp"]


def test_of_several_rows_of_a_key_the_latest_that_has_begun_stands() -> None:
    table = WORLD["prices"]
    assert [table.find_row("ORV", now) for now in ("2029-12-31", "2030-03-01", "2031-01-01", None)] == [None, 0, 1, 1]
    assert list(table.as_of("2030-07-01")) == [0, 2]
    assert list(table.as_of("2031-07-01")) == [1, 2]


def test_a_spec_survives_json_and_a_wrong_one_is_told() -> None:
    assert spec_from_record(spec_record(FILMS)) == FILMS
    for change, why in (
        ({"name": "my films"}, "letters, digits and _"),
        ({"columns": {"id": "int"}}, r"unknown types \(id: int"),
        ({"kye": "id"}, "has no field kye"),
        ({"relations": [{"name": "x"}]}, r"no relations\[0\].column"),
        ({"key": 5}, "has 5 as its key"),
    ):
        with pytest.raises(BenchError, match=why):
            spec_from_record(spec_record(FILMS) | change)
