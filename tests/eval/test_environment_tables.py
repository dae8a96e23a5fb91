"""Functions follow from the specs of tables: search, get, follow and aggregate, as of the question's time."""

from dataclasses import replace

import pytest

from core.errors import BenchError
from core.functions.functions import Registry
from core.tables.nouns import TableFunction
from core.tables.world import EntityTable, Tables
from eval.environment import EnvironmentSources, open_environments
from tests.core.tables.films import FILM_ROWS, FILMS, PEOPLE, PEOPLE_ROWS, films

WORLD = films()


def registry(now: str | None = None, language: str = "en", tables: Tables = WORLD) -> Registry:
    return open_environments(["tables"], EnvironmentSources(tables=tables), now, language)


def test_each_table_of_entities_has_its_functions_and_the_work_can_be_ended() -> None:
    assert list(registry()) == [
        "search_person",
        "get_person",
        "get_person_films",
        "aggregate_person",
        "search_film",
        "get_film",
        "get_film_director",
        "get_film_cast",
        "aggregate_film",
        "search_share",
        "get_share",
        "aggregate_share",
        "Finish",
    ]


def test_a_search_by_name_finds_namesakes_and_misspelt_names() -> None:
    seen = registry().call("search_person", {"name": "ira vane"})
    assert seen.value == [{"id": "p1", "name": "Ira Vane", "born": 1950}, {"id": "p3", "name": "Ira Vane", "born": 1988}]
    assert seen.text.startswith('2 results: [{"id": "p1"')
    one = registry().call_text("search_film", "The Long Lmap")
    assert one.value[0]["title"] == "The Long Lamp"
    assert registry().call("search_person", {"name": "Quentin"}).text == "No result."


def test_a_get_is_exact_and_says_when_there_is_none() -> None:
    seen = registry().call("get_film", {"film_id": "2"})
    assert seen.value == {
        "id": 2,
        "title": "A Lamp in Orvel",
        "director": "p1",
        "cast": ["p2"],
        "released": "2004-11-20",
        "votes": 60,
        "rating": 6.0,
    }
    none = registry().call("get_film", {"film_id": 9})
    assert (none.ok, none.value, none.text) == (True, None, "No film has this film_id.")
    assert registry().call("get_film", {"film_id": "A Lamp"}).trouble == "bad_arguments"


def test_a_relation_is_followed_the_best_known_first() -> None:
    seen = registry().call("get_person_films", {"person_id": "p2"})
    assert [film["title"] for film in seen.value] == ["The Long Lamp", "A Lamp in Orvel"]
    assert registry().call("get_film_director", {"film_id": 4}).text == "No result."


@pytest.mark.parametrize(
    ("arguments", "value", "n"),
    [
        ({"measure": "count"}, 4, 4),
        ({"measure": "count", "column": "rating"}, 3, 3),
        ({"measure": "mean", "column": "rating"}, 18.5 / 3, 3),
        ({"measure": "sum", "column": "votes", "where": "director", "value": "p1"}, 960, 2),
        ({"measure": "min", "column": "released"}, "1990-05-01", 3),
        ({"measure": "max", "column": "rating", "where": "released", "condition": ">=", "value": "2000-01-01"}, 6.0, 1),
        ({"measure": "count", "where": "cast", "value": "p2"}, 2, 2),
        ({"measure": "count", "where": "title", "condition": "contains", "value": "LAMP"}, 2, 2),
        ({"measure": "mean", "column": "rating", "where": "title", "value": "Nothing"}, None, 0),
        ({"measure": "count", "where": "votes", "condition": "<", "value": "100"}, 2, 2),
    ],
)
def test_a_figure_comes_with_the_rows_behind_it(arguments: dict[str, str], value: object, n: int) -> None:
    seen = registry().call("aggregate_film", arguments)
    assert (seen.value["value"], seen.value["n"]) == (value, n)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"measure": "median"}, "measure of aggregate_film is one of count, sum, min, max, mean, not 'median'."),
        ({"measure": "sum"}, "sum needs a column: name the column to aggregate."),
        ({"measure": "mean", "column": "title"}, "mean needs a column of numbers, but title holds text: name another column."),
        (
            {"measure": "count", "where": "votes"},
            "A condition on votes needs a value: give a value, or leave the condition out.",
        ),
        (
            {"measure": "count", "where": "votes", "value": "many"},
            "votes holds integer, but 'many' is of another type: give a matching value.",
        ),
        (
            {"measure": "count", "value": "p1"},
            "aggregate_film got a value but no column to compare it with: give the column as `where`.",
        ),
        (
            {"measure": "count", "where": "length", "value": "1"},
            "where of aggregate_film is one of id, title, director, cast, released, votes, rating, not 'length'.",
        ),
    ],
)
def test_a_figure_that_cannot_be_reckoned_says_why(arguments: dict[str, str], sentence: str) -> None:
    assert registry().call("aggregate_film", arguments).error == sentence


def test_every_function_answers_as_of_now() -> None:
    then = registry("2000-01-01")
    assert then.call("get_film", {"film_id": 2}).text == "No film has this film_id."
    assert [film["id"] for film in then.call("get_person_films", {"person_id": "p2"}).value] == [1]
    assert [film["id"] for film in then.call("search_film", {"name": "lamp"}).value] == [1]
    assert then.call("aggregate_film", {"measure": "count"}).value["value"] == 2
    assert registry("2030-03-01").call("get_share", {"ticker": "ORV"}).value["price"] == 10.0
    assert registry("2031-03-01").call("get_share", {"ticker": "ORV"}).value["price"] == 12.5


def test_named_functions_take_the_place_of_those_that_follow() -> None:
    functions = (
        TableFunction(
            kind="search",
            name="findFilm",
            argument="title",
            columns={"film": "title", "by": "director.name"},
            filters={"director": "director.name", "actor": "cast.name"},
            order="votes",
            limit=2,
        ),
        TableFunction(kind="value", name="filmCast", argument="film", columns={"cast": "cast{name, born}"}),
    )
    world = Tables([EntityTable(PEOPLE, PEOPLE_ROWS), EntityTable(replace(FILMS, functions=functions), FILM_ROWS)])
    both = registry(tables=world)
    assert list(both)[4:] == ["findFilm", "filmCast", "Finish"]
    assert both.call("findFilm", {"title": "harbour"}).value == [
        {"film": "Harbour", "by": None},
        {"film": "Harbour", "by": "Odo Lisk"},
    ]
    assert both.call("findFilm", {"title": "lamp", "actor": "Ira Vane"}).value == [{"film": "The Long Lamp", "by": "Ira Vane"}]
    assert both.call("filmCast", {"film": 1}).value == [{"name": "Odo Lisk", "born": 1961}, {"name": "Ira Vane", "born": 1988}]


def test_a_time_that_is_none_is_refused() -> None:
    for now in ("soon", "22/11/2026", "2026-11-22 at noon"):
        with pytest.raises(BenchError, match="is not a time: write it as 2026-11-22"):
            registry(now)
    assert registry("2026-11-22T10:30:00+00:00").call("get_film", {"film_id": 2}).value["id"] == 2


def test_an_order_tells_rows_of_equally_like_names_apart_and_no_others() -> None:
    function = TableFunction(kind="search", name="find", columns={"id": "id"}, order="born")
    people = [*PEOPLE_ROWS, ("p4", "Ira Vanes", 1999)]
    world = Tables([EntityTable(replace(PEOPLE, functions=(function,), relations=()), people)])
    assert [one["id"] for one in registry(tables=world).call("find", {"name": "Ira Vane"}).value] == ["p3", "p1", "p4"]
    assert [one["id"] for one in registry(tables=world).call("find", {"name": "Ira Van"}).value] == ["p3", "p1", "p4"]


def test_a_chinese_question_has_chinese_words() -> None:
    seen = registry(language="zh")
    assert seen.call("search_person", {"name": "Odo Lisk"}).text.startswith("1 个结果：{")
    assert "按名称查找person" in seen.as_prompt()


def test_without_a_table_of_entities_there_is_nothing_to_ask() -> None:
    with pytest.raises(BenchError, match="has no entity table"):
        registry(tables=Tables([EntityTable(replace(PEOPLE, entity=""), PEOPLE_ROWS)]))
