"""Whether a table can be asked as its spec says: what refuses it, and what one should know of it, each with its number and
first examples."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.tables.default_functions import list_functions
from core.tables.files import RawTable
from core.tables.nouns import KINDS, ColumnType, TableFunction, TableRelation, TableSpec, is_name
from core.tables.popularity import find_cuts
from core.tables.types import convert
from core.tables.world import EntityTable, TableRow, Tables

EXAMPLES = 3


class CheckedTable(NamedTuple):
    """A table that can be asked, and what one should know of it."""

    table: EntityTable
    said: tuple[str, ...]


def check(spec: TableSpec, raw: RawTable, others: Sequence[EntityTable] = ()) -> CheckedTable:
    """The rows in the spec's types, to be asked beside other tables. Raises BenchError with everything that refuses them."""
    return check_relations(convert_rows(spec, raw), others)


def convert_rows(spec: TableSpec, raw: RawTable) -> EntityTable:
    """The rows in the spec's types, its relations and functions not looked at. Raises BenchError with all that refuses them."""
    _all_named(spec, raw)
    rows, unfit = _rows(spec, raw)
    table = EntityTable(spec, rows)
    refusals = [*unfit, *_of_key(table), *_of_columns(table)]
    if refusals:
        raise BenchError(" ".join(refusals))
    return table


def check_relations(table: EntityTable, others: Sequence[EntityTable]) -> CheckedTable:
    """A typed table beside other tables; one of its own name is not among them. Raises BenchError when its relations or
    functions cannot be."""
    spec = table.spec
    tables = Tables([*(other for other in others if other.spec.name != spec.name), table])
    refusals = _of_relations(tables, spec) or _of_functions(tables, spec)
    if refusals:
        raise BenchError(" ".join(refusals))
    return CheckedTable(table, (*_names(table), *_find_missing_targets(tables, spec)))


def raw_table(table: EntityTable, name: str = "") -> RawTable:
    """A table's rows as a file would give them, to be described anew."""
    columns = table.spec.columns
    return RawTable(name or table.spec.name, {c: [table.cell(place, c) for place in range(len(table))] for c in columns})


def _all_named(spec: TableSpec, raw: RawTable) -> None:
    missing = [column for column in spec.columns if column not in raw.columns]
    named: Mapping[str, Sequence[str]] = {
        "key": [spec.key],
        "name column": [spec.label],
        "time column": [spec.time],
        "popularity column": [spec.popularity],
        "attributes": spec.attributes,
        "relations": [relation.column for relation in spec.relations],
    }
    wrong = [
        f"{what} {column}" for what, columns in named.items() for column in columns if column and column not in spec.columns
    ]
    if missing or wrong or not spec.columns:
        said = [f"column {column}" for column in missing] + wrong
        raise BenchError(f"Table {spec.name} has no {', '.join(said) or 'columns'}: it has {', '.join(raw.columns)}.")


def _rows(spec: TableSpec, raw: RawTable) -> tuple[list[tuple[Any, ...]], list[str]]:
    columns, unfit = [], []
    for column, kind in spec.columns.items():
        converted = convert(raw.columns[column], kind)
        columns.append(converted.cells)
        if converted.unfit:
            examples = _examples([f"{cell!r} in row {place + 1}" for place, cell in converted.unfit])
            unfit.append(
                f"{_cells(len(converted.unfit))} of {column} cannot be {kind} ({examples}): choose another type, or "
                "mend the file."
            )
    return list(zip(*columns, strict=True)), unfit


def _of_key(table: EntityTable) -> Iterator[str]:
    spec = table.spec
    if spec.entity and not spec.key:
        unique = [column for column in spec.columns if _all_differ(table, column)]
        choice = (
            f"name one of {', '.join(unique)}"
            if unique
            else "no column could be one, so leave the entity out to link other tables"
        )
        yield f"Table {spec.name} has no key to tell one {spec.entity} from another: {choice}."
    if not spec.key:
        if spec.time:
            yield f"Table {spec.name} has a time column and no key to say of what: name a key, or no time."
        return
    if spec.columns[spec.key] == "list":
        yield f"{spec.key} holds lists and cannot be a key: name another column."
        return
    empty = [place for place in range(len(table)) if table.cell(place, spec.key) is None]
    if empty:
        where = _examples([f"row {place + 1}" for place in empty])
        cells = f"{_cells(len(empty))} of the key {spec.key} {'is' if len(empty) == 1 else 'are'} empty"
        yield f"{cells} ({where}): fill them, or name another key."
    keys = Counter(
        (table.cell(place, spec.key), table.cell(place, spec.time) if spec.time else None)
        for place in range(len(table))
        if table.cell(place, spec.key) is not None
    )
    twice = [key for key, n in keys.items() if n > 1]
    if twice:
        what = f"{spec.key} and {spec.time} stand" if spec.time else f"the key {spec.key} stands"
        shown = _examples([f"{key}{f' at {at}' if spec.time else ''}" for key, at in twice])
        yield (
            f"In {sum(keys[key] for key in twice):,} rows {what} more than once ({len(twice):,} "
            f"{'value' if len(twice) == 1 else 'values'}: {shown}): leave the copies out, or name another key."
        )


def _of_columns(table: EntityTable) -> Iterator[str]:
    spec = table.spec
    kinds: Sequence[tuple[str, str, tuple[ColumnType, ...]]] = (
        ("time", spec.time, ("date", "integer")),
        ("popularity", spec.popularity, ("integer", "number")),
        ("name", spec.label, ("text", "integer")),
    )
    for what, column, fit in kinds:
        if column and spec.columns[column] not in fit:
            yield f"{column} holds {spec.columns[column]} and cannot be the {what} column: that wants {' or '.join(fit)}."
        elif column and what == "popularity":
            try:
                find_cuts([table.cell(place, column) for place in range(len(table))])
            except BenchError as error:
                yield str(error)


def _of_relations(tables: Tables, spec: TableSpec) -> list[str]:
    names = Counter(relation.name for relation in spec.relations)
    backs = Counter(
        (relation.to, relation.back)
        for table in tables.values()
        for relation in (*table.spec.relations, *_list_own_ways_back(table.spec))
        if relation.back
    )
    taken = [relation for relation in spec.relations if relation.back and backs[relation.to, relation.back] > 1]
    return [
        *(
            f"Relation {relation.name}: table {relation.to} has a relation called {relation.back!r} already, so call the way "
            "back something else."
            for relation in taken
        ),
        *(
            f"A relation cannot be called {name!r}: give it a name of letters, digits and _."
            for name in names
            if not is_name(name)
        ),
        *(f"Two relations are called {name}: give one of them another name." for name, n in names.items() if n > 1),
    ]


def _list_own_ways_back(spec: TableSpec) -> Iterator[TableRelation]:
    """A table's own relations as ways back that nobody else may have."""
    return (replace(relation, to=spec.name, back=relation.name) for relation in spec.relations)


def _of_functions(tables: Tables, spec: TableSpec) -> list[str]:
    found = []
    taken = Counter(function.name for name in tables for function in list_functions(tables, name))
    own = list_functions(tables, spec.name)
    twice = [function.name for function in own if taken[function.name] > 1]
    if twice:
        found.append(
            f"Two functions are called {', '.join(twice)}: name the entity of {spec.name} differently, or its functions."
        )
    for function in own:
        found += [f"Function {function.name}: {why}" for why in _why_not(tables, spec, function)]
    return found


def _why_not(tables: Tables, spec: TableSpec, function: TableFunction) -> Iterator[str]:
    """Why a function cannot be asked."""
    if not is_name(function.name):
        yield "a function is named with letters, digits and _."
    if function.kind not in KINDS:
        yield f"there is no kind {function.kind!r}; there are {', '.join(KINDS)}."
        return
    if function.kind == "search" and not spec.label:
        yield f"table {spec.name} has no name column to search."
    if function.kind in ("get", "value", "follow") and not spec.key:
        yield f"table {spec.name} has no key to ask by."
    seen_from = spec.name
    if function.kind == "follow":
        relation = tables.relation(spec.name, function.relation)
        if relation is None:
            if not any(
                r.name == function.relation for r in spec.relations
            ):  # one that leads to a table still to come may stand
                yield f"table {spec.name} has no relation {function.relation!r}."
            return
        seen_from = relation.to
    if function.kind == "value" and len(function.columns) != 1:
        yield "it gives one thing: name one path."
    if function.order and function.order not in tables[seen_from].spec.columns:
        yield f"there is no column {function.order!r} to order by."
    paths = [
        *((seen_from, path) for path in function.columns.values()),
        *((spec.name, path) for path in function.filters.values()),
    ]
    for table, path in paths:
        if len(tables[table]):
            yield from _trouble(lambda table=table, path=path: tables.value(TableRow(table, 0), path))  # type: ignore[misc]


def _trouble(look: Callable[[], object]) -> Iterator[str]:
    try:
        look()
    except BenchError as error:
        yield str(error)


def _names(table: EntityTable) -> Iterator[str]:
    if not table.spec.label or not table.spec.entity:
        return
    keys: dict[Any, set[Any]] = {}
    for place in range(len(table)):
        if (name := table.cell(place, table.spec.label)) is not None:
            keys.setdefault(name, set()).add(table.cell(place, table.spec.key))
    shared = {str(name): len(held) for name, held in keys.items() if len(held) > 1}
    if shared:
        most = sorted(shared, key=lambda name: -shared[name])
        examples = _examples([f"{name}: {shared[name]}" for name in most])
        names = f"{_count(len(shared), 'name is', 'names are')} shared by {sum(shared.values()):,} rows ({examples})"
        yield f"{names}: a question by such a name alone has several answers."
    nameless = len(table) - sum(table.cell(place, table.spec.label) is not None for place in range(len(table)))
    if nameless:
        yield f"{_count(nameless, 'row has', 'rows have')} no name and cannot be searched."


def _find_missing_targets(tables: Tables, spec: TableSpec) -> Iterator[str]:
    table = tables[spec.name]
    for relation in spec.relations:
        if relation.to not in tables:
            yield f"Relation {relation.name} leads to table {relation.to}, which is not here yet: it leads nowhere until it is."
            continue
        if relation.to_column not in tables[relation.to].spec.columns:
            yield f"Relation {relation.name} leads to column {relation.to_column}, which table {relation.to} does not have."
            continue
        values: Counter[Any] = Counter()
        for place in range(len(table)):
            cell = table.cell(place, relation.column)
            values.update(cell if isinstance(cell, list) else () if cell is None else (cell,))
        lost = [value for value in values if not tables[relation.to].find_rows(relation.to_column, value)]
        if lost:
            n = sum(values[value] for value in lost)
            yield (
                f"Relation {relation.name}: {n:,} of {sum(values.values()):,} values lead to no row of {relation.to} "
                f"({_examples([str(value) for value in lost])})."
            )


def _all_differ(table: EntityTable, column: str) -> bool:
    cells = [table.cell(place, column) for place in range(len(table))]
    return table.spec.columns[column] != "list" and None not in cells and len(set(cells)) == len(cells)


def _examples(words: Sequence[str]) -> str:
    shown = [word if len(word) <= 60 else f"{word[:60]}..." for word in words[:EXAMPLES]]
    return ", ".join(shown) + (", ..." if len(words) > EXAMPLES else "")


def _cells(n: int) -> str:
    return _count(n, "cell", "cells")


def _count(n: int, one: str, several: str) -> str:
    return f"1 {one}" if n == 1 else f"{n:,} {several}"
