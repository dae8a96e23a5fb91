"""Template questions: answers equal an SQL recomputation of their own, no question fits two entities, draws are balanced and
the same by seed, and what cannot be asked is refused with its reason."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import duckdb
import pytest

from builders.templates.question_maker import QuestionMaker
from builders.templates.seasons import refresh, season
from builders.templates.template_duplicates import ALREADY, NEARLY, TemplateQuestionIndex
from builders.templates.template_questions import make
from builders.templates.templates import Template, check_template, fill_template, template_from_record, template_record
from core.errors import BenchError
from core.nouns import Item
from core.tables.nouns import spec_from_record
from core.tables.world import EntityTable, Tables
from tests.builders.academy import academy, table

WORLD = academy()
RECORDS: dict[str, dict[str, Any]] = {
    "field": {"text": "What is the field of {who}?", "slots": {"who": "name"}, "answer": "field"},
    "venue_in": {
        "kind": "simple_w_condition",
        "text": "What did {who} publish in {year}?",
        "answer": "papers.title",
        "slots": {"who": "name", "year": {"path": "year", "of": "condition"}},
        "level": "KU",
    },
    "older": {
        "kind": "comparison",
        "text": "Who has more prizes, {a} or {b}?",
        "answer": "prizes",
        "measure": "max",
        "slots": {"a": "name", "b": {"path": "name", "of": "other"}},
        "level": "KA",
    },
    "cited": {
        "kind": "aggregation",
        "text": "How often were the papers of {who} cited on average?",
        "answer": "papers.cited",
        "measure": "mean",
        "slots": {"who": "name"},
        "level": "KA",
    },
    "count": {
        "kind": "aggregation",
        "text": "How many papers has {who}?",
        "answer": "papers",
        "measure": "count",
        "slots": {"who": "name"},
        "level": "KA",
    },
    "titles": {
        "kind": "set",
        "text": "Which papers has {who} written?",
        "answer": "papers.title",
        "slots": {"who": "name"},
        "level": "KU",
    },
    "hop": {
        "kind": "multi-hop",
        "text": "In what city does the author of {title} work?",
        "table": "papers",
        "answer": "written_by.works_at.city",
        "slots": {"title": "title"},
        "level": "KA",
    },
    "bridge": {
        "kind": "multi-hop",
        "text": "How many prizes has the {field} scholar born on {born} at {place}?",
        "answer": "prizes",
        "slots": {"born": "born", "place": "works_at.name", "field": "field"},
        "level": "KA",
    },
    "age": {
        "kind": "post-processing",
        "text": "How old was {who} on joining?",
        "answer": "joined",
        "minus": "born",
        "unit": "years",
        "slots": {"who": "name"},
        "level": "KA",
    },
    "wrong": {
        "kind": "false_premise",
        "text": "When did {who} leave {place}?",
        "slots": {"who": "name", "place": {"path": "works_at.name", "of": "false"}},
        "level": "KU",
    },
}
RECORDS = {name: {"id": name, "table": "scholars", **record} for name, record in RECORDS.items()}
SQL: dict[str, str] = {
    "field": "SELECT field FROM scholars WHERE id = $subject",
    "venue_in": "SELECT title FROM papers WHERE author = $subject AND year = $year",
    "older": "SELECT arg_max(name, prizes) FROM scholars WHERE id IN ($subject, $other)",
    "cited": "SELECT avg(cited) FROM papers WHERE author = $subject",
    "count": "SELECT count(*) FROM papers WHERE author = $subject",
    "titles": "SELECT string_agg(title, ', ' ORDER BY id) FROM papers WHERE author = $subject",
    "hop": """SELECT i.city FROM papers p JOIN scholars s ON s.id = p.author JOIN institutes i ON i.id = s.institute
              WHERE p.id = $subject""",
    "bridge": "SELECT prizes FROM scholars WHERE id = $subject",
    "age": "SELECT date_sub('year', born::DATE, joined::DATE) FROM scholars WHERE id = $subject",
    "wrong": "SELECT 'invalid question'",
}


def template(name: str, **changes: Any) -> Template:
    return template_from_record({**RECORDS[name], **changes})


def about(item: Item) -> dict[str, Any]:
    return dict(next(step for step in item.steps if step["kind"] == "template"))


@pytest.fixture(scope="module")
def drawn() -> dict[str, tuple[Item, ...]]:
    return {name: make(WORLD, template(name), n=105).items for name in RECORDS}


@pytest.fixture(scope="module")
def sql() -> duckdb.DuckDBPyConnection:
    """The same rows, asked by nothing of ours."""
    connection = duckdb.connect()
    kinds = {"integer": "BIGINT", "number": "DOUBLE"}
    for name, one in WORLD.items():
        types = {column: kinds.get(kind, "VARCHAR") for column, kind in one.spec.columns.items()}
        connection.execute(f"CREATE TABLE {name} ({', '.join(f'{column} {of}' for column, of in types.items())})")
        cells = ", ".join(f"unnest(?::{of}[])" for of in types.values())
        connection.execute(f"INSERT INTO {name} SELECT {cells}", [list(column) for column in zip(*one.rows, strict=True)])
    return connection


def test_a_thousand_answers_equal_an_sql_recomputation(
    drawn: dict[str, tuple[Item, ...]], sql: duckdb.DuckDBPyConnection
) -> None:
    asked = 0
    for name, items in drawn.items():
        for item in items:
            step = about(item)
            known = {"subject": step["subjects"][0], "other": step["subjects"][-1], "year": step["values"].get("year")}
            rows = sql.execute(SQL[name], {key: value for key, value in known.items() if f"${key}" in SQL[name]}).fetchall()
            [(expected,)] = rows  # one row: nothing else answers it
            if isinstance(expected, float):
                assert float(item.answers[0]) == pytest.approx(expected, rel=1e-9), item.question
            else:
                assert item.answers == (str(expected),), item.question
            asked += 1
    assert asked >= 1_000


def test_no_question_is_answered_by_two_entities(drawn: dict[str, tuple[Item, ...]], sql: duckdb.DuckDBPyConnection) -> None:
    for name, items in drawn.items():
        for item in items:
            values = about(item)["values"]
            if name == "hop":
                where = sql.execute("SELECT id FROM papers WHERE lower(title) = lower(?)", [values["title"]])
            elif name == "bridge":
                where = sql.execute(
                    """SELECT s.id FROM scholars s JOIN institutes i ON i.id = s.institute
                       WHERE born = ? AND i.name = ? AND field = ?""",
                    [values["born"], values["place"], values["field"]],
                )
            else:
                where = sql.execute("SELECT id FROM scholars WHERE lower(name) = lower(?)", [values.get("who") or values["a"]])
            assert where.fetchall() == [(about(item)["subjects"][0],)], item.question
    assert len({item.question for items in drawn.values() for item in items}) == sum(map(len, drawn.values()))
    assert len({item.id for items in drawn.values() for item in items}) == sum(map(len, drawn.values()))


def test_head_torso_and_tail_are_equally_many_and_the_same_seed_draws_the_same() -> None:
    made = make(WORLD, template("field"), n=30)
    assert Counter(item.labels["popularity"] for item in made.items) == {"head": 10, "torso": 10, "tail": 10}
    assert made.items == make(WORLD, template("field"), n=30).items
    assert {i.question for i in made.items} != {i.question for i in make(WORLD, template("field"), n=30, seed=43).items}
    every = make(WORLD, template("field"))
    fewest = min(every.candidates.values())
    assert fewest < 250 == every.candidates["tail"]
    assert Counter(item.labels["popularity"] for item in every.items) == dict.fromkeys(("head", "torso", "tail"), fewest)


def test_the_item_says_what_it_was_made_of() -> None:
    item = make(WORLD, template("hop"), n=3).items[0]
    assert {k: item.labels[k] for k in ("question_type", "template", "difficulty", "calls")} == {
        "question_type": "multi-hop",
        "template": "hop",
        "difficulty": "hard",
        "calls": 3,
    }
    assert item.labels["template_version"] == template("hop").version and item.level == "KA"
    hashes = {name: WORLD[name].hash for name in ("papers", "scholars", "institutes")}
    assert item.steps[0] == {"kind": "tables", "tables": hashes}
    chain = [(step["function"], step.get("relation")) for step in item.steps if step["kind"] == "call"]
    assert chain == [("search_paper", None), ("get_paper_written_by", "written_by"), ("get_scholar_works_at", "works_at")]
    assert json.dumps(item.steps)
    assert make(WORLD, template("field"), n=3).items[0].labels["difficulty"] == "easy"


def small(*rows: tuple[Any, ...], papers: list[tuple[Any, ...]] | None = None) -> Tables:
    return Tables(
        [
            table("institutes", [("I1", "Tarn", 1900, "Wend", 1), ("I2", "Halm", 1950, "Orvel", 1)]),
            table("scholars", list(rows)),
            table("papers", papers or []),
        ]
    )


ADA = ("S1", "Ada Quill", "1970-05-02", "law", "I1", 5, 3, "2000-05-01")
ODO = ("S2", "Odo Lisk", "1971-05-02", "optics", "I1", 5, 3, "2000-05-01")


def unbalanced(tables: Tables, one: Template) -> tuple[int, dict[str, int]]:
    made = make(tables, one)
    return sum(made.candidates.values()), dict(made.refused)


@pytest.mark.parametrize(
    ("tables", "name", "why"),
    [
        (small(ADA, ("S2", "ADA QUILL.", *ODO[2:])), "field", {"two entities fit": 2}),
        (small((*ADA[:3], None, *ADA[4:])), "field", {"nothing is known": 1}),
        (small(("S1", None, *ADA[2:])), "field", {"no value fills a slot": 1}),
        (small(ADA, ODO), "older", {"a tie": 2}),
        (
            small(ADA, papers=[(1, "A", 2001, None, "S1", 1.0), (2, "B", 2001, None, "S1", 1.0)]),
            "venue_in",
            {"several answers": 1},
        ),
        (small(ADA), "cited", {"no values to compute with": 1}),
        (small((*ADA[:4], None, *ADA[5:]), ODO), "wrong", {"no value fills a slot": 2}),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_reason(tables: Tables, name: str, why: dict[str, int]) -> None:
    assert unbalanced(tables, template(name)) == (0, why)


SHOPS: dict[str, Any] = {
    "name": "shops",
    "entity": "shop",
    "key": "id",
    "label": "name",
    "columns": {"id": "text", "name": "text", "sells": "list", "opened": "integer"},
}


def shops(*rows: tuple[Any, ...], **spec: Any) -> Tables:
    return Tables([EntityTable(spec_from_record({**SHOPS, **spec}), list(rows), "h")])


FISH, BOOKS = ("A", "Fish & Co", ("cod", "eel"), 1900), ("B", "Books", ("maps",), 1900)


def about_shops(**changes: Any) -> Template:
    return template_from_record(
        {
            "id": "one",
            "table": "shops",
            "text": "What does {name} sell?",
            "slots": {"name": "name"},
            "answer": "sells",
            **changes,
        }
    )


def test_a_list_cell_holds_several_values_and_one_of_them_may_tell_who_is_meant() -> None:
    tables = shops(FISH, BOOKS)
    assert [item.answers for item in make(tables, about_shops()).items] == [("maps",)]
    assert dict(make(tables, about_shops()).refused) == {"several answers": 1}
    both = make(tables, about_shops(kind="set")).items
    assert sorted(item.answers[0] for item in both) == ["cod, eel", "maps"]
    who = about_shops(text="Which year did the shop open that sells {ware}?", slots={"ware": "sells"}, answer="opened")
    assert {about(item)["values"]["ware"] for item in make(tables, who).items} <= {"cod", "eel", "maps"}
    shared = shops(FISH, ("B", "Books", ("cod", "eel"), 1901))
    assert make(shared, who).items == () and dict(make(shared, who).refused) == {"two entities fit": 2}


def test_a_table_without_a_key_and_one_that_is_not_there_are_refused_with_a_sentence() -> None:
    with pytest.raises(BenchError, match="about table shops, which has no key column: choose its key column first"):
        make(shops(FISH, key=""), about_shops())
    with pytest.raises(BenchError, match="table fairs, which is not in this workspace; its tables are: shops"):
        make(shops(FISH), about_shops(table="fairs"))
    with pytest.raises(BenchError, match="which has no name column"):
        make(
            shops(FISH, label=""),
            about_shops(
                kind="comparison",
                measure="max",
                text="{name} or {b}?",
                answer="opened",
                slots={"name": "name", "b": {"path": "name", "of": "other"}},
            ),
        )


def test_names_that_differ_by_case_or_points_alone_name_nobody() -> None:
    made = make(shops(FISH, ("B", "FISH CO.", ("maps",), 1900)), about_shops(answer="opened"))
    assert made.items == () and dict(made.refused) == {"two entities fit": 2}
    assert {one.key for one in made.examples} == {"A", "B"}


def test_several_answers_become_a_set_where_the_template_says_so() -> None:
    papers = [(1, "A", 2001, None, "S1", 1.0), (2, "B", 2001, None, "S1", 1.0)]
    rows = [(f"S{n}", f"Who {n}", *ADA[2:5], n, *ADA[6:]) for n in range(1, 7)]
    tables = small(*rows, papers=[(n * 9 + p[0], f"{p[1]}{n}", 2001, None, f"S{n}", 1.0) for n in range(1, 7) for p in papers])
    made = make(tables, template("venue_in", several="set"))
    assert made.items and all(item.labels["question_type"] == "set" for item in made.items)
    n = made.items[0].steps[1]["subjects"][0][1:]
    assert made.items[0].answers == (f"A{n}, B{n}",) and made.items[0].labels["answer_set"] == [f"A{n}", f"B{n}"]


def test_places_are_filled_in_one_pass() -> None:
    assert fill_template("{a} of {b} {{x}}", {"a": "{b}", "b": "X"}) == "{b} of X {x}"
    with pytest.raises(BenchError, match=r"Nothing fills \{b\}"):
        fill_template("{a} {b}", {"a": "1"})
    with pytest.raises(BenchError, match="is not a placeholder"):
        fill_template("{a} {", {"a": "1"})


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"text": "What of {who} and {whom}?"}, r"\{whom\} in its text and no slot of that name"),
        ({"text": "What?"}, r"a slot for \{who\}, which its text does not contain"),
        ({"slots": {"who": "nickname"}}, "'nickname' of template field matches no column"),
        ({"answer": "works_at.staff.works_at.staff.name"}, "follows 4 relations"),
        ({"answer": "works_at"}, "ends at the relation works_at"),
        ({"answer": ""}, "does not say where its answer is"),
        ({"table": "films"}, "is about table films, which is not in this workspace"),
        ({"kind": "comparison", "measure": "max"}, "has no slot with `of: other`"),
        ({"kind": "aggregation", "measure": "mean"}, "needs the mean of field, whose type is text"),
        ({"kind": "multi-hop"}, "follows no relation"),
        ({"kind": "riddle"}, "has kind 'riddle'"),
        ({"level": "L9"}, "has level 'L9'"),
        ({"colour": "red"}, "A template has no field colour"),
        ({"id": "a b"}, "is not a template name"),
    ],
)
def test_a_template_that_does_not_fit_is_refused_with_a_sentence(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(BenchError, match=why):
        check_template(template("field", **changes), WORLD)


def test_a_template_is_the_same_after_json_and_its_version_changes_with_its_words() -> None:
    one = template("older")
    assert template_from_record(json.loads(json.dumps(template_record(one)))) == one
    assert template("older", text="{a} or {b}: who has more prizes?").version != one.version


def test_a_season_is_its_draw_and_a_refresh_tells_what_changed() -> None:
    one, six = template("field"), [(f"S{n}", f"Who {n}", *ADA[2:5], n, *ADA[6:]) for n in range(1, 7)]
    items = make(small(*six), one).items
    first = season(items, 42)
    assert first.n == len(items) > 0 and first.templates == {"field": one.version}
    assert first.id == season(items, 42).id != season(items, 43).id

    def changed(*rows: tuple[Any, ...]) -> set[tuple[str, ...]]:
        found = list(refresh(small(*rows), items))
        return {(*(one.refreshed.answers if one.refreshed else ()), one.why) for one in found if one.is_changed}

    optics = [(*row[:3], "optics", *row[4:]) for row in six]
    assert changed(*six) == set()
    assert changed(*optics) == {("optics", "")}
    assert changed() == {("its entity is no longer in the table",)}
    assert changed(*((row[0], f"{row[1]}a", *row[2:]) for row in six)) == {("its entity has another name now",)}
    assert changed(*six, *((f"T{row[0]}", *row[1:]) for row in six)) == {("two entities fit",)}
    again = [one.refreshed for one in refresh(small(*optics), items)]
    assert again[0] is not None and again[0].id != items[0].id and season([again[0]], 42).data_hash != first.data_hash
    assert [one.refreshed for one in refresh(small(*six), items)] == list(items)


def test_what_was_asked_is_not_asked_again_nor_with_its_entities_turned_round() -> None:
    tables = small(ADA, ("S2", "Odo Lisk", *ADA[2:6], 9, "2000-05-01"))
    items = [item for seed in range(20) for item in _unbalanced_items(tables, template("older"), seed)]
    turned = {item.question for item in items}
    assert turned == {"Who has more prizes, Ada Quill or Odo Lisk?", "Who has more prizes, Odo Lisk or Ada Quill?"}
    by_words = {item.question: item for item in items}
    one, other = by_words.values()
    assert TemplateQuestionIndex([one]).why_not(one) == ""  # it is the same item
    assert TemplateQuestionIndex([one]).why_not(other) == NEARLY
    assert TemplateQuestionIndex([replace(one, status="refused")]).why_not(other) == ""
    written = Item("w1", "explicit_factoid", one.question.upper(), ("Somebody",))
    assert TemplateQuestionIndex([written]).why_not(one) == ALREADY
    [later] = [again.refreshed for again in refresh(small(ADA, ("S2", "Odo Lisk", *ADA[2:6], 8, "2000-05-01")), [one])]
    assert later is not None and later.id != one.id and TemplateQuestionIndex([one]).why_not(later) == ""  # another season
    assert TemplateQuestionIndex([one]).why_not(replace(later, steps=_renamed(later))) == ALREADY


def _unbalanced_items(tables: Tables, one: Template, seed: int) -> list[Item]:
    """Of both rows, whatever their buckets."""
    asker = QuestionMaker(tables, one, seed, None)
    return [made for place in (0, 1) if isinstance(made := asker.question(place, ""), Item)]


def _renamed(item: Item) -> tuple[Any, ...]:
    """The steps of an item, as if another template had made it."""
    return tuple(
        {**step, "template": {**step["template"], "id": "twin"}} if step["kind"] == "template" else step for step in item.steps
    )
