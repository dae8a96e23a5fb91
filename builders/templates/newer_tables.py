"""Ask template questions of a release again of newer tables, by the same query and values."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from builders.templates.question_maker import RefreshedItem, find_step
from builders.templates.seasons import refresh
from builders.templates.template_answers import as_answer, join_values
from core.errors import BenchError
from core.nouns import Item
from core.quality.half_life import CheckedAnswer, DecayOutcome
from core.tables.checks import convert_rows
from core.tables.files import RawTable
from core.tables.nouns import TableSpec, data_hash, named_tables, snapshot_hash
from core.tables.types import convert
from core.tables.world import EntityTable, Tables

NO_TABLE = "no newer table was given"
GONE = ("its entity is no longer in the table", "nothing is known", "no values to compute with")
"""Reasons for which a question has no answer any more."""
WRONG = ("its premise is true now", "a tie")
"""Reasons for which the released answer is wrong now, although there is no other answer."""


class NewerTable(NamedTuple):
    """A newer copy of a released table."""

    table: EntityTable
    left_out: Sequence[str]
    """Columns that the newer copy lacks, or whose cells do not have the released type; questions on them cannot be asked."""


def convert_newer(spec: TableSpec, raw: RawTable) -> NewerTable:
    """Convert the rows of a newer copy of a table to the types of the released table. Other columns of the file are left out.
    Raises BenchError if a key is missing or repeated in the rows."""
    if not len(raw):
        return NewerTable(_build_table(spec, []), ())
    cells = {column: convert(raw.columns[column], kind) for column, kind in spec.columns.items() if column in raw.columns}
    kept = {column for column, converted in cells.items() if not converted.unfit}
    left_out = [column for column in spec.columns if column not in kept]
    if left_out:
        spec = _narrow_spec(spec, kept)
    if spec.entity and not spec.key:
        return NewerTable(
            _build_table(spec, list(zip(*(cells[column].cells for column in spec.columns), strict=True))), left_out
        )
    return NewerTable(_build_table(spec, convert_rows(spec, raw).rows), left_out)


def check_templates(
    frozen: Mapping[str, EntityTable], current: Sequence[str], newer: Mapping[str, NewerTable], members: Sequence[Item], at: str
) -> Iterator[CheckedAnswer]:
    """Yield what became of the answer to each item, which was made from a template, on the day `at` (ISO date).

    `frozen` is a dict from hash to table of the release, `current` has the hashes of the tables that a run of the release
    queries; a table without a newer copy stays as it was released. `newer` is a dict from table name to its newer copy. If a
    question was made as of a time, a table with a time column is read as of `at`. Questions on a newer table without rows are
    not asked."""
    groups: dict[tuple[Any, ...], list[Item]] = {}
    for item in members:
        own, step = named_tables(item.steps), find_step(item, "template")
        if newer.keys().isdisjoint(own):
            yield CheckedAnswer(item=item.id, outcome="not_asked", why=NO_TABLE)
            continue
        if empty := [name for name in own if name in newer and not newer[name].table.rows]:  # probably a file that was cut
            yield CheckedAnswer(item=item.id, outcome="not_asked", why=f"no rows in the newer table {', '.join(empty)}")
            continue
        groups.setdefault((step["version"], step["seed"], step["now"] is None, *sorted(own.items())), []).append(item)
    for (_, _, is_timeless, *own_tables), group in groups.items():
        there = {frozen[hash].spec.name: frozen[hash] for hash in reversed(current) if hash in frozen}
        there |= {name: frozen[hash] for name, hash in own_tables if hash in frozen}
        there |= {name: copy.table for name, copy in newer.items()}
        try:
            for change in refresh(_join_tables(there.values()), group, None if is_timeless else at):
                yield _compare(change)
        except BenchError:
            used = _list_path_parts(find_step(group[0], "template")["template"])
            lost = [f"{name}.{column}" for name, copy in newer.items() for column in copy.left_out if column in used]
            why = f"missing in the newer tables: {', '.join(lost)}" if lost else "the query failed on the newer tables"
            yield from (CheckedAnswer(item=item.id, outcome="not_asked", why=why) for item in group)


def _compare(change: RefreshedItem) -> CheckedAnswer:
    """Return what became of an answer. An answer that people reworded counts as unchanged if the tables still give the computed
    answer that the reworded one contains."""
    item, again = change.item, change.refreshed
    before = item.answers[0] if item.answers else ""
    if again is None:
        outcome: DecayOutcome = "gone" if change.why in GONE else "changed" if change.why in WRONG else "not_asked"
        return CheckedAnswer(item=item.id, outcome=outcome, why=change.why, before=before)
    after = again.answers[0]
    golds, computed = set(map(_fold, item.answers)), _read_values(item)
    is_same_value = _read_values(again) == computed
    text = _fold(join_values(find_step(item, "answer")["values"], item.language))
    if _fold(after) in golds or (is_same_value and text in golds):
        return CheckedAnswer(item=item.id, outcome="unchanged", before=before, after=after)
    if is_same_value and any(text in gold for gold in golds):
        return CheckedAnswer(item=item.id, outcome="unchanged", before=before, after=before)
    if is_same_value:
        return CheckedAnswer(item=item.id, outcome="not_asked", why="people replaced its computed answer", before=before)
    return CheckedAnswer(item=item.id, outcome="changed", before=before, after=after)


def _read_values(item: Item) -> list[str]:
    """Return the values of the item's computed answer in an order that does not depend on the rows."""
    return sorted(_fold(as_answer(value, item.language)) for value in find_step(item, "answer")["values"])


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _narrow_spec(spec: TableSpec, kept: set[str]) -> TableSpec:
    """Return the spec without the columns that are not in `kept`, and without everything that uses them."""
    roles = {role: column if (column := getattr(spec, role)) in kept else "" for role in ("key", "label", "time", "popularity")}
    return replace(
        spec,
        columns={column: kind for column, kind in spec.columns.items() if column in kept},
        attributes=tuple(column for column in spec.attributes if column in kept),
        relations=tuple(relation for relation in spec.relations if relation.column in kept),
        functions=(),
        **roles,
    )


def _build_table(spec: TableSpec, rows: Sequence[tuple[Any, ...]]) -> EntityTable:
    return EntityTable(spec, rows, snapshot_hash(spec, data_hash(spec.columns, rows)))


def _join_tables(tables: Collection[EntityTable]) -> Tables:
    """Return the tables with their relations, except relations to columns that a newer table lacks."""
    columns = {table.spec.name: table.spec.columns for table in tables}

    def cut(table: EntityTable) -> EntityTable:
        kept = tuple(r for r in table.spec.relations if r.to not in columns or r.to_column in columns[r.to])
        if kept == table.spec.relations:
            return table
        return EntityTable(replace(table.spec, relations=kept), table.rows, table.hash)

    return Tables([cut(table) for table in tables])


def _list_path_parts(template: Mapping[str, Any]) -> set[str]:
    """Return the columns and relations that the paths of a template name."""
    paths = [template["answer"], template["minus"], *(slot["path"] for slot in template["slots"].values())]
    return {part for path in paths for part in path.split(".")}
