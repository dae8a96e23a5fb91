"""Template questions of a release are asked again of newer tables: the query and the values stay, the rows are new."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from builders.templates.newer_tables import NewerTable, check_templates, convert_newer
from builders.templates.template_questions import make
from builders.templates.templates import template_from_record
from core.errors import BenchError
from core.nouns import Item
from core.quality.half_life import CheckedAnswer
from core.tables.files import RawTable
from core.tables.nouns import TableRelation, TableSpec, data_hash, snapshot_hash
from core.tables.world import EntityTable, Tables

PEOPLE = TableSpec(
    name="people",
    columns={"id": "text", "name": "text", "town": "text", "born": "integer"},
    entity="person",
    key="id",
    label="name",
    attributes=("town", "born"),
)
PAPERS = TableSpec(
    name="papers",
    columns={"id": "text", "author": "text", "venue": "text"},
    entity="paper",
    key="id",
    label="id",
    attributes=("venue",),
    relations=(TableRelation(name="writer", column="author", to="people", to_column="id", many=False, back="papers"),),
)
ROWS = [("1", "Ada", "Orvel", 1990), ("2", "Bo", "Tarn", 1980)]
PAPER_ROWS = [("a", "1", "Sea"), ("b", "1", "Land"), ("c", "2", "Sea")]
TEMPLATES: list[dict[str, Any]] = [
    {"id": "town", "text": "Where does {who} live?", "answer": "town"},
    {"id": "count", "text": "How many papers has {who}?", "kind": "aggregation", "measure": "count", "answer": "papers"},
    {"id": "venues", "text": "Where did {who} publish?", "kind": "set", "answer": "papers.venue"},
    {
        "id": "older",
        "text": "Who was born first, {who} or {other}?",
        "kind": "comparison",
        "measure": "min",
        "answer": "born",
        "slots": {"who": "name", "other": {"path": "name", "of": "other"}},
    },
    {
        "id": "untrue",
        "text": "Why did {who} move to {town}?",
        "kind": "false_premise",
        "slots": {"who": "name", "town": {"path": "town", "of": "false"}},
    },
]


def table(spec: TableSpec, rows: Sequence[tuple[Any, ...]]) -> EntityTable:
    return EntityTable(spec, rows, snapshot_hash(spec, data_hash(spec.columns, rows)))


FROZEN = [table(PEOPLE, ROWS), table(PAPERS, PAPER_ROWS)]


def released() -> dict[str, Item]:
    """The questions about Ada, by template."""
    made = {}
    for record in TEMPLATES:
        template = template_from_record({"table": "people", "slots": {"who": "name"}, **record})
        found = make(Tables(FROZEN), template, 2, 13).items
        made[template.id] = next(one for one in found if next(s for s in one.steps if "subjects" in s)["subjects"][0] == "1")
    return made


def ask(newer: Sequence[NewerTable], *names: str, items: dict[str, Item] | None = None) -> dict[str, CheckedAnswer]:
    by_name = items or released()
    chosen = {name: by_name[name] for name in names or by_name}
    frozen = {one.hash: one for one in FROZEN}
    given = {one.table.spec.name: one for one in newer}
    found = {one.item: one for one in check_templates(frozen, list(frozen), given, list(chosen.values()), "2027-01-01")}
    return {name: found[item.id] for name, item in chosen.items()}


def people(*rows: tuple[Any, ...]) -> NewerTable:
    return NewerTable(table(PEOPLE, rows), ())


def test_identical_tables_change_nothing_and_the_order_of_rows_does_not_matter() -> None:
    copies = [NewerTable(one, ()) for one in FROZEN]
    assert {one.outcome for one in ask(copies).values()} == {"unchanged"}
    turned = [NewerTable(table(one.spec, list(reversed(one.rows))), ()) for one in FROZEN]
    assert {one.outcome for one in ask(turned).values()} == {"unchanged"}


def test_a_changed_cell_changes_the_answers_that_read_it_alone() -> None:
    found = ask([people(("1", "Ada", "Kelm", 1970), ROWS[1])])
    assert (found["town"].outcome, found["town"].before, found["town"].after) == ("changed", "Orvel", "Kelm")
    assert (found["older"].before, found["older"].after) == ("Bo", "Ada")
    assert found["count"].outcome == found["venues"].outcome == "unchanged", "papers stay as they were released"
    again = ask([people(("1", "Ada", "orvel", 1990), ROWS[1])], "town")
    assert again["town"].outcome == "unchanged", "case alone is no other answer"


def test_a_false_premise_that_came_true_and_a_tie_make_the_released_answer_wrong() -> None:
    found = ask([people(("1", "Ada", "Tarn", 1980), ROWS[1])])
    assert (found["untrue"].outcome, found["untrue"].why, found["untrue"].after) == ("changed", "its premise is true now", "")
    assert (found["older"].outcome, found["older"].why) == ("changed", "a tie")


def test_removed_rows_are_gone_and_not_changed() -> None:
    left = ask([people(ROWS[1])])
    assert {name: one.outcome for name, one in left.items()} == dict.fromkeys(left, "gone")
    without = ask([NewerTable(table(PAPERS, PAPER_ROWS[2:]), ())], "count", "venues")
    assert (without["count"].outcome, without["count"].after) == ("changed", "0"), "none is a number of papers"
    assert (without["venues"].outcome, without["venues"].why) == ("gone", "nothing is known")
    blank = ask([people(("1", "Ada", None, 1990), ROWS[1])], "town")
    assert blank["town"].outcome == "gone"


def test_what_cannot_be_asked_has_its_reason() -> None:
    assert ask([NewerTable(table(PAPERS, PAPER_ROWS), ())], "town")["town"].why == "no newer table was given"
    renamed = ask([people(("1", "Ada Quill", "Orvel", 1990), ROWS[1])], "town")
    assert (renamed["town"].outcome, renamed["town"].why) == ("not_asked", "its entity has another name now")
    doubled = ask([people(*ROWS, ("3", "Ada", "Kelm", 1960))], "town")
    assert (doubled["town"].outcome, doubled["town"].why) == ("not_asked", "two entities fit")


def test_a_table_without_rows_tells_nothing_about_its_answers() -> None:
    """A file that was cut after its header counted all answers as gone."""
    empty = convert_newer(PEOPLE, RawTable("people", {"id": [], "name": []}))
    found = ask([empty]).values()
    assert {(one.outcome, one.why) for one in found} == {("not_asked", "no rows in the newer table people")}
    one_empty = ask([NewerTable(table(PAPERS, []), ()), NewerTable(FROZEN[0], ())], "count", "town")
    assert (one_empty["count"].why, one_empty["town"].outcome) == ("no rows in the newer table papers", "unchanged")


def test_a_missing_column_spares_the_questions_that_do_not_read_it() -> None:
    columns = {"id": ["1", "2"], "name": ["Ada", "Bo"], "born": ["1990", "unknown"], "extra": ["x", "y"]}
    newer = convert_newer(PEOPLE, RawTable("people", columns))
    assert list(newer.left_out) == ["town", "born"], "born is no number any more"
    found = ask([newer])
    assert (found["town"].outcome, found["town"].why) == ("not_asked", "missing in the newer tables: people.town")
    assert found["older"].why == "missing in the newer tables: people.born"
    assert found["count"].outcome == "unchanged"
    keyless = convert_newer(PEOPLE, RawTable("people", {"name": ["Ada", "Bo"], "town": ["Orvel", "Tarn"]}))
    assert {one.outcome for one in ask([keyless]).values()} == {"not_asked"}
    with pytest.raises(BenchError, match="the key id stands more than once"):
        convert_newer(PEOPLE, RawTable("people", {"id": ["1", "1"], "name": ["Ada", "Bo"]}))


def test_an_answer_that_people_edited_is_compared_with_their_words() -> None:
    items = released()
    copies = [NewerTable(one, ()) for one in FROZEN]
    worded = {"count": replace(items["count"], answers=("2 papers",))}
    assert ask(copies, "count", items=worded)["count"].outcome == "unchanged"
    corrected = {"town": replace(items["town"], answers=("Kelm",))}
    assert ask(copies, "town", items=corrected)["town"].why == "people replaced its computed answer"
    moved = [people(("1", "Ada", "Kelm", 1990), ROWS[1])]
    assert ask(moved, "town", items=corrected)["town"].outcome == "unchanged", "the newer table agrees with the correction"
