"""One spec of a function gives prompt, schema and call; what a model wrote is read, never run, and what is wrong with it is
told in one sentence."""

import json
from pathlib import Path

import pytest

from core.errors import BenchError, EngineFailed
from core.functions.functions import (
    MAX_TEXT_CHARACTERS,
    Function,
    FunctionResult,
    Parameter,
    Registry,
    by_name,
    finish_function,
    read_arguments,
)
from core.nouns import Span

COUNT = Function(
    name="countFilms",
    description="Counts films.",
    zh="统计电影。",
    parameters=(
        Parameter("genre", "string", "Which genre.", choices=("drama", "comedy"), zh="类型。"),
        Parameter("after", "integer", "Only later than this year.", required=False),
        Parameter("least", "number", "Lowest rating.", required=False),
        Parameter("silent", "boolean", "Only silent ones.", required=False),
    ),
    returns="a number.",
    call=lambda genre, **others: {"genre": genre, **others},
)
FIND = Function(
    name="findFilm",
    description="Finds a film.",
    parameters=(Parameter("title", "string", "Its title."), Parameter("year", "integer", "Its year.", required=False)),
    returns="the film.",
    match="fuzzy",
    call=lambda title, year=None: FunctionResult([title, year], f"Found {title}.", (Span("d", 0, 3),)),
)
NAN = float("nan")
REGISTRY = Registry([COUNT, FIND, finish_function()], now="2031-05-04")


def test_one_spec_gives_the_prompt_in_both_languages() -> None:
    assert REGISTRY.as_prompt() == (
        "countFilms(genre, after?, least?, silent?)\n  Counts films. Only the exact value matches.\n"
        "  - genre (string, required): Which genre. (one of: drama, comedy)\n"
        "  - after (integer, optional): Only later than this year.\n"
        "  - least (number, optional): Lowest rating.\n  - silent (boolean, optional): Only silent ones.\n"
        "  Returns: a number.\n\n"
        "findFilm(title, year?)\n  Finds a film. Similar spellings match.\n"
        "  - title (string, required): Its title.\n  - year (integer, optional): Its year.\n  Returns: the film.\n\n"
        "Finish(answer)\n  Ends the work with the answer.\n  - answer (string, required): The answer.\n  Returns: nothing more."
    )
    chinese = Registry([COUNT], language="zh").as_prompt()
    assert "统计电影。必须完全一致。" in chinese
    assert "- genre (字符串, 必填): 类型。" in chinese


def test_the_same_spec_gives_the_schema_of_a_tool_call() -> None:
    tool = REGISTRY.json_schema[1]
    assert tool == {
        "type": "function",
        "function": {
            "name": "findFilm",
            "description": "Finds a film. Similar spellings match. Returns: the film.",
            "parameters": {
                "type": "object",
                "properties": {
                    "title": {"type": "string", "description": "Its title."},
                    "year": {"type": "integer", "description": "Its year."},
                },
                "required": ["title"],
                "additionalProperties": False,
            },
        },
    }
    assert REGISTRY.json_schema[0]["function"]["parameters"]["properties"]["genre"]["enum"] == ["drama", "comedy"]


def test_a_call_gives_its_value_words_and_passages() -> None:
    seen = REGISTRY.call("findFilm", {"title": "The Lamp", "year": 1931})
    assert (seen.ok, seen.value, seen.text, seen.spans) == (True, ["The Lamp", 1931], "Found The Lamp.", (Span("d", 0, 3),))
    assert seen.arguments == {"title": "The Lamp", "year": 1931}
    assert REGISTRY.call("Finish", {"answer": "1931"}).ends
    plain = REGISTRY.call("countFilms", {"genre": "drama"})
    assert (plain.text, plain.ends) == ('{"genre": "drama"}', False)


def test_values_that_can_only_mean_one_thing_are_taken_in_the_type_that_is_wanted() -> None:
    seen = REGISTRY.call("countFilms", {"genre": "drama", "after": "1930", "least": "7.5", "silent": "True"})
    assert seen.value == {"genre": "drama", "after": 1930, "least": 7.5, "silent": True}
    assert REGISTRY.call("countFilms", {"genre": "drama", "after": 1930.0, "silent": None}).value["after"] == 1930
    assert REGISTRY.call("findFilm", {"title": 1984}).value == ["1984", None]


@pytest.mark.parametrize(
    ("name", "arguments", "sentence", "trouble"),
    [
        ("openFile", {}, "There is no function openFile; there are: countFilms, findFilm, Finish.", "unknown_function"),
        ("findFilm", {}, 'findFilm was not given title: call it as findFilm(title="...").', "bad_arguments"),
        ("findFilm", {"title": None}, 'findFilm was not given title: call it as findFilm(title="...").', "bad_arguments"),
        ("findFilm", {"title": "x", "name": "y"}, "findFilm has no argument name; it takes title, year.", "bad_arguments"),
        ("findFilm", {"title": "x", "year": "soon"}, "year of findFilm has to be an integer, not 'soon'.", "bad_arguments"),
        ("findFilm", {"title": "x", "year": 1.5}, "year of findFilm has to be an integer, not 1.5.", "bad_arguments"),
        ("findFilm", {"title": "x", "year": True}, "year of findFilm has to be an integer, not True.", "bad_arguments"),
        ("findFilm", {"title": ["x"]}, "title of findFilm has to be a string, not ['x'].", "bad_arguments"),
        ("countFilms", {"genre": "horror"}, "genre of countFilms is one of drama, comedy, not 'horror'.", "bad_arguments"),
        ("countFilms", {"genre": "drama", "least": NAN}, "least of countFilms has to be a number, not nan.", "bad_arguments"),
    ],
)
def test_what_is_wrong_with_a_call_is_one_sentence_and_no_exception(
    name: str, arguments: dict[str, object], sentence: str, trouble: str
) -> None:
    seen = REGISTRY.call(name, arguments)
    assert (seen.ok, seen.error, seen.text, seen.trouble, seen.value) == (False, sentence, sentence, trouble, None)


@pytest.mark.fault(56)
def test_a_search_engine_that_fails_is_no_result_of_a_function() -> None:
    def search() -> str:
        raise EngineFailed("Shelf failed.")

    with pytest.raises(EngineFailed, match="Shelf failed"):
        Registry(
            [Function(name="Search", description="Searches.", zh="搜索。", returns="pages.", zh_returns="页面。", call=search)]
        ).call("Search", {})


def test_a_function_that_cannot_do_it_says_why() -> None:
    def broken() -> object:
        raise BenchError("The table is empty.")

    seen = Registry([Function(name="look", description="", returns="", call=broken)]).call("look", {})
    assert (seen.ok, seen.error, seen.trouble) == (False, "The table is empty.", "failed")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('{"title": "The Lamp", "year": 1931}', {"title": "The Lamp", "year": 1931}),
        ("{'title': 'The Lamp'}", {"title": "The Lamp"}),
        ('title="The Lamp", year=1931', {"title": "The Lamp", "year": 1931}),
        ('"The Lamp", 1931', {"title": "The Lamp", "year": 1931}),
        ('"The Lamp", year=null', {"title": "The Lamp", "year": None}),
        ("The Lamp", {"title": "The Lamp"}),
        ("O'Brien's Lamp, again", {"title": "O'Brien's Lamp, again"}),
        ("Titanic (1997)", {"title": "Titanic (1997)"}),
        ("Mercury (planet)", {"title": "Mercury (planet)"}),
        ("1984", {"title": "1984"}),
        ("(" * 5000, {"title": "(" * 5000}),
        ("", {}),
    ],
)
def test_arguments_are_read_as_json_or_literals_or_as_the_bare_text(text: str, read: dict[str, object]) -> None:
    assert read_arguments(FIND, text) == read


@pytest.mark.parametrize(
    "template",
    [
        "title=open({path!r}, 'w').write('x')",
        "__import__('pathlib').Path({path!r}).write_text('x')",
        "open({path!r}, 'w')",
        "{{'title': open({path!r}, 'w')}}",
        "[open({path!r}, 'w') for _ in 'a']",
        "**{{'title': open({path!r}, 'w')}}",
        "lambda: open({path!r}, 'w')",
        "import os; os.mkdir({path!r})",
        "title='x' + str(open({path!r}, 'w'))",
    ],
)
def test_code_in_place_of_arguments_is_refused_and_never_run(template: str, tmp_path: Path) -> None:
    seen = REGISTRY.call_text("findFilm", template.format(path=str(tmp_path / "made")))
    assert (seen.ok, seen.trouble) == (False, "bad_arguments")
    assert seen.text.endswith('give plain values by name, as in findFilm(title="..."); code is not run.')
    assert list(tmp_path.iterdir()) == []


def test_arguments_too_many_twice_or_too_long_are_refused() -> None:
    with pytest.raises(BenchError, match="findFilm takes 2 arguments, not 3"):
        by_name(FIND, ["a", 1, 2], {})
    with pytest.raises(BenchError, match="findFilm was given title twice"):
        by_name(FIND, ["a"], {"title": "b"})
    assert "11,000 characters long" in REGISTRY.call_text("findFilm", "x" * 11_000).text
    assert REGISTRY.call_text("findFilms", "x").trouble == "unknown_function"


def test_ten_megabytes_of_result_are_cut_and_told() -> None:
    much = Registry([Function(name="all", description="", returns="", call=lambda: "x" * 10_000_000)])
    seen = much.call("all", {})
    assert seen.text.endswith(f"... (10,000,000 characters, the first {MAX_TEXT_CHARACTERS:,} are shown)")
    assert len(seen.text) < MAX_TEXT_CHARACTERS + 100
    wrong = much.call("x" * 10_000_000, {})
    assert len(wrong.text) < 200


def test_a_registry_can_be_changed_and_branched_without_touching_the_first() -> None:
    def counting(start: int) -> Registry:
        state = [start]

        def step() -> int:
            state[0] += 1
            return state[0]

        function = Function(name="step", description="", returns="", call=step)
        return Registry([function], branch=lambda: counting(state[0]))

    first = counting(0).add_functions(finish_function())
    first.call("step", {})
    second = first.start_branch()
    assert (second.call("step", {}).value, second.call("step", {}).value, first.call("step", {}).value) == (2, 3, 2)
    assert list(second) == ["step", "Finish"]
    assert list(first.remove_functions("Finish")) == ["step"]
    assert REGISTRY.start_branch() is REGISTRY
    with pytest.raises(BenchError, match="Two functions are named step"):
        first.add_functions(first["step"])


def test_the_schema_is_json() -> None:
    assert json.loads(json.dumps(REGISTRY.json_schema))[2]["function"]["name"] == "Finish"
