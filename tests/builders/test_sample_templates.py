"""The sample templates: every kind and level is there, their answers equal an SQL recomputation of their own over the sample
files, and none of their questions fits two entities."""

import json
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from builders.drafting.samples import FOLDER
from builders.templates.template_questions import make
from builders.templates.templates import KINDS, LEVELS, template_from_record
from core.nouns import Item
from core.tables.world import Tables
from workbench import Workbench

RECORDS: dict[str, dict[str, Any]] = {
    record["id"]: record
    for file in sorted((FOLDER / "tables").glob("*/templates.json"))
    for record in json.loads(file.read_text(encoding="utf-8"))
}
NAMED = {
    "persons": "SELECT person_id FROM persons WHERE name = $who",
    "publications": "SELECT pub_id FROM publications WHERE title = $title",
    "companies": "SELECT ticker FROM companies WHERE name = $company",
}
AT = "SELECT person_id FROM persons WHERE name = $who AND organization = $place"
OTHERWISE_NAMED = {
    "person_position": AT,
    "person_interests": AT,
    "never_worked_there": NAMED["persons"],
    "more_cited": "SELECT person_id FROM persons WHERE name = $one",
    "fewer_employees": "SELECT ticker FROM companies WHERE name = $one",
    "author_at": """SELECT p.person_id FROM persons p JOIN publications w ON list_contains(w.author_ids, p.person_id)
                    WHERE w.title = $title AND p.organization = $place""",
    "change_of_the_day": """SELECT price_id FROM prices JOIN companies USING (ticker) WHERE name = $company AND date = $day""",
}
"""Which entity the words mean: keys, by template where it is not by the table's name column."""
ANSWERS = {
    "person_email": "SELECT email FROM persons WHERE person_id = $key",
    "person_workplace": "SELECT organization FROM persons WHERE person_id = $key",
    "person_position": "SELECT position FROM persons WHERE person_id = $key",
    "paper_venue": "SELECT venue FROM publications WHERE pub_id = $key",
    "paper_year_zh": "SELECT year FROM publications WHERE pub_id = $key",
    "person_interests": "SELECT interest FROM interests WHERE person_id = $key",
    "paper_of_year": "SELECT title FROM publications WHERE list_contains(author_ids, $key) AND year = $year",
    "more_cited": "SELECT arg_max(name, num_citation) FROM persons WHERE name IN ($one, $other)",
    "never_worked_there": "SELECT 'invalid question' FROM persons WHERE person_id = $key AND organization <> $place",
    "papers_counted": "SELECT count(*) FROM publications WHERE list_contains(author_ids, $key)",
    "most_cited_paper": "SELECT max(num_citation) FROM publications WHERE list_contains(author_ids, $key)",
    "coauthors_named": """SELECT p.name FROM coauthors c JOIN persons p ON p.person_id = c.coauthor_id
                          WHERE c.person_id = $key""",
    "author_at": "SELECT position FROM persons WHERE person_id = $key",
    "interests_of_authors": """SELECT interest FROM publications w, interests i
                               WHERE w.pub_id = $key AND list_contains(w.author_ids, i.person_id)""",
    "company_seat": "SELECT headquarters FROM companies WHERE ticker = $key",
    "company_founded": "SELECT founded FROM companies WHERE ticker = $key",
    "company_products": "SELECT unnest(products) FROM companies WHERE ticker = $key",
    "closing_price": "SELECT close FROM prices WHERE ticker = $key AND date = $day",
    "never_seated_there": "SELECT 'invalid question' FROM companies WHERE ticker = $key AND headquarters <> $town",
    "fewer_employees": "SELECT arg_min(name, employees) FROM companies WHERE name IN ($one, $other)",
    "highest_close": "SELECT max(close) FROM prices WHERE ticker = $key",
    "head_of_parent": """SELECT arg_max(h.ceo, h.since) FROM companies c JOIN chief_executives h ON h.ticker = c.parent
                         WHERE c.ticker = $key""",
    "change_of_the_day": "SELECT close - open FROM prices WHERE price_id = $key",
}


@pytest.fixture(scope="module")
def world() -> Tables:
    with Workbench.open(":memory:") as bench:
        bench.tables.load_samples()
        return bench.tables.tables()


@pytest.fixture(scope="module")
def drawn(world: Tables) -> dict[str, tuple[Item, ...]]:
    """All that five seeds draw, each question once."""
    found = {
        name: [make(world, template_from_record(record), seed=seed).items for seed in range(42, 47)]
        for name, record in RECORDS.items()
    }
    return {name: tuple({item.id: item for items in draws for item in items}.values()) for name, draws in found.items()}


@pytest.fixture(scope="module")
def sql(world: Tables) -> Iterator[duckdb.DuckDBPyConnection]:
    """The sample rows, asked by nothing of ours."""
    kinds = {"integer": "BIGINT", "number": "DOUBLE", "list": "VARCHAR[]", "boolean": "BOOLEAN"}
    with duckdb.connect() as connection:
        for name, one in world.items():
            types = {column: kinds.get(kind, "VARCHAR") for column, kind in one.spec.columns.items()}
            columns = ", ".join(f'"{column}" {of}' for column, of in types.items())
            connection.execute(f"CREATE TABLE {name} ({columns})")
            rows = [[list(cell) if isinstance(cell, tuple) else cell for cell in row] for row in one.rows]
            cells = ", ".join(f"unnest(?::{of}[])" for of in types.values())
            connection.execute(f"INSERT INTO {name} SELECT {cells}", [list(column) for column in zip(*rows, strict=True)])
        yield connection


def asked(sql: duckdb.DuckDBPyConnection, query: str, item: Item) -> list[Any]:
    """First column of the rows that the query gives for what the item was made of."""
    step = next(step for step in item.steps if step["kind"] == "template")
    known = {"key": step["subjects"][0], **step["values"]}
    return [row[0] for row in sql.execute(query, {name: known[name] for name in known if f"${name}" in query}).fetchall()]


def test_every_kind_and_level_is_there_with_questions_of_each(drawn: dict[str, tuple[Item, ...]]) -> None:
    assert {record["kind"] for record in RECORDS.values()} == set(KINDS)
    assert {record["level"] for record in RECORDS.values()} == set(LEVELS)
    assert [name for name, items in drawn.items() if len(items) < 9] == []
    assert {item.labels["difficulty"] for items in drawn.values() for item in items} == {"easy", "hard"}


def test_a_thousand_answers_equal_an_sql_recomputation(
    drawn: dict[str, tuple[Item, ...]], sql: duckdb.DuckDBPyConnection
) -> None:
    n = 0
    for name, items in drawn.items():
        for item in items:
            expected = asked(sql, ANSWERS[name], item)
            if "answer_set" in item.labels:
                assert sorted(item.labels["answer_set"]) == sorted(set(expected)), item.question
                assert item.answers == (", ".join(item.labels["answer_set"]),)
            else:
                [value] = dict.fromkeys(expected)
                if isinstance(value, float):
                    assert float(item.answers[0]) == pytest.approx(value, rel=1e-9), item.question
                else:
                    assert item.answers == (str(value),), item.question
            n += 1
    assert n >= 1_000


def test_no_question_is_answered_by_two_entities(drawn: dict[str, tuple[Item, ...]], sql: duckdb.DuckDBPyConnection) -> None:
    for name, items in drawn.items():
        which = OTHERWISE_NAMED.get(name) or NAMED[RECORDS[name]["table"]]
        for item in items:
            step = next(step for step in item.steps if step["kind"] == "template")
            assert asked(sql, which, item) == [step["subjects"][0]], item.question
    every = [item.question for items in drawn.values() for item in items]
    assert len(set(every)) == len(every)
