"""A table that cannot be asked as its spec says is refused with numbers and examples; what one should know of it is said."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.errors import BenchError
from core.tables.checks import CheckedTable, check_relations, convert_rows, raw_table
from core.tables.distractors import add_distractors
from core.tables.files import RawTable
from core.tables.nouns import TableFunction, TableRelation, TableSpec
from core.tables.world import EntityTable
from tests.core.tables.films import FILM_ROWS, FILMS, PEOPLE, PEOPLE_ROWS, PRICE_ROWS, PRICES

OTHERS = [EntityTable(PEOPLE, PEOPLE_ROWS)]
RAW = raw_table(EntityTable(FILMS, FILM_ROWS))


def check(spec: TableSpec, raw: RawTable, others: Sequence[EntityTable] = ()) -> CheckedTable:
    return check_relations(convert_rows(spec, raw), others)


def refused(spec: TableSpec = FILMS, **columns: Any) -> str:
    with pytest.raises(BenchError) as error:
        check(spec, RawTable("films", {**RAW.columns, **columns}), OTHERS)
    return str(error.value)


def test_a_sound_table_is_taken_and_what_one_should_know_is_said() -> None:
    checked = check(FILMS, RAW, OTHERS)
    assert checked.table.rows == [(*row[:3], tuple(row[3]), *row[4:]) for row in FILM_ROWS]
    assert checked.said == (
        "1 name is shared by 2 rows (Harbour: 2): a question that gives only such a name has several answers.",
        "Relation director: 1 of 4 values lead to no row of people (p9).",
    )
    alone = check(FILMS, RAW)
    assert (
        "Relation cast leads to table people, which is not in this workspace yet: the relation has no effect until it is added."
        in alone.said
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"key": "", "time": ""}, "Table films has no key to tell one film from another: name one of id."),
        (
            {"key": "nummer"},
            "Table films has no key nummer: its columns are id, title, director, cast, released, votes, rating.",
        ),
        ({"key": "cast"}, "cast holds lists and cannot be a key: name another column."),
        ({"key": "votes", "time": ""}, "1 cell of the key votes is empty (row 3): fill them, or name another key."),
        (
            {"key": "title", "time": ""},
            "In 2 rows the key title stands more than once (1 value: Harbour): leave the copies out, or name another key.",
        ),
        ({"time": "title"}, "title holds text and cannot be the time column: that needs date or integer."),
        ({"popularity": "title"}, "title holds text and cannot be the popularity column: that needs integer or number."),
        (
            {"relations": (TableRelation(name="by whom", column="director", to="people", to_column="id", many=False),)},
            "A relation cannot be called 'by whom': give it a name of letters, digits and _.",
        ),
        (
            {
                "relations": (
                    *FILMS.relations,
                    TableRelation(name="star", column="director", to="people", to_column="id", many=False, back="films"),
                )
            },
            "Relation star: table people has a relation called 'films' already, so give the reverse relation another name.",
        ),
        (
            {"functions": (TableFunction(kind="get", name="get film"),)},
            "Function get film: a function is named with letters, digits and _.",
        ),
        (
            {"functions": (TableFunction(kind="get", name="film", columns={"x": "studio.name"}),)},
            "Function film: 'studio.name' does not exist in table films: the table has no such relation.",
        ),
        (
            {"functions": (TableFunction(kind="get", name="get_person"),)},
            "Two functions are called get_person: name the entity of films differently, or its functions.",
        ),
        (
            {"columns": {**FILMS.columns, "votes": "boolean"}, "popularity": ""},
            "3 cells of votes cannot be boolean (900 in row 1, 60 in row 2, 40 in row 4): choose another type, "
            "or correct the file.",
        ),
    ],
)
def test_a_table_that_cannot_be_asked_so_is_refused(change: Mapping[str, Any], sentence: str) -> None:
    assert refused(replace(FILMS, **change)) == sentence


def test_duplicate_keys_are_refused_with_their_number_and_first_examples() -> None:
    assert refused(replace(FILMS, time=""), id=[1, 1, 2, 2]) == (
        "In 4 rows the key id stands more than once (2 values: 1, 2): leave the copies out, or name another key."
    )


def test_a_key_may_stand_once_for_each_time() -> None:
    raw = raw_table(EntityTable(PRICES, PRICE_ROWS))
    assert check(PRICES, raw).said == ()  # the name that repeats is the same share's
    with pytest.raises(BenchError, match=r"ticker and from stand more than once \(1 value: ORV at 2030-01-01"):
        check(PRICES, RawTable("prices", {**raw.columns, "from": ["2030-01-01"] * 3}))


def test_a_corrected_type_is_taken_where_the_cells_can_be_of_it() -> None:
    spec = replace(FILMS, columns={**FILMS.columns, "id": "text", "cast": "text", "director": "list"}, relations=())
    table = check(spec, RAW).table
    assert [table.cell(0, column) for column in ("id", "cast", "director")] == ["1", '["p2", "p3"]', ["p1"]]


def test_distractors_are_others_at_random_and_the_nearest_names_by_seed() -> None:
    rows = [
        (f"p{n}", name, 1900 + n)
        for n, name in enumerate(
            ["Ira Vane", "Ira Vance", "Ina Vane", "Odo Lisk", "Una Marsh", "Kit Orlo", "Pia Stern", "Ira Vane"]
        )
    ]
    table = EntityTable(PEOPLE, rows, "b2:x")
    found = add_distractors(table, ["p0"], others=2, nearest=2, seed=7)
    names = [row[1] for row in found.table.rows]
    assert [name for name in names if name.startswith("I")] == ["Ira Vane", "Ira Vance", "Ina Vane", "Ira Vane"]
    assert (found.subjects, found.distractors, found.noise) == (1, 5, 5.0)
    again = add_distractors(table, ["p0"], others=2, nearest=2, seed=7)
    assert (again.table.rows, again.table.hash) == (found.table.rows, found.table.hash)
    assert add_distractors(table, ["p0"], others=2, nearest=2, seed=8).table.hash != found.table.hash
    assert add_distractors(table, [], others=2, nearest=0, seed=7).noise is None
    assert len(add_distractors(table, ["p0"], others=99, nearest=0, seed=7).table) == 8
