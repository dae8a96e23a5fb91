"""Checks a table against its spec, which describes its columns and relations. The check finds faults, for which the table is
refused, and remarks for the table's authors. Each fault or remark has a count and the first examples."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.errors import BenchError
from core.tables.default_functions import list_functions
from core.tables.files import RawTable
from core.tables.nouns import KINDS, ColumnType, TableFunction, TableSpec, is_name
from core.tables.popularity import find_cuts
from core.tables.types import convert
from core.tables.world import EntityTable, TableRow, Tables

MAX_EXAMPLES = 3


class CheckedTable(NamedTuple):
    """A table that matches its spec, with remarks."""

    table: EntityTable
    said: tuple[str, ...]


def convert_rows(spec: TableSpec, raw: RawTable) -> EntityTable:
    """Convert the rows to the types in the spec, without checking relations and functions. Raises BenchError if there are
    faults; the message lists all of them."""
    _check_names(spec, raw)
    columns, faults = [], []
    for column, kind in spec.columns.items():
        cells, unfit = convert(raw.columns[column], kind)
        columns.append(cells)
        if unfit:
            examples = _list_examples([f"{cell!r} in row {place + 1}" for place, cell in unfit])
            faults.append(
                f"{_count(len(unfit), 'cell', 'cells')} of {column} cannot be {kind} ({examples}): choose another type, or "
                "correct the file."
            )
    table = EntityTable(spec, list(zip(*columns, strict=True)))
    faults += [*_find_key_faults(table), *_find_column_faults(table)]
    if faults:
        raise BenchError(" ".join(faults))
    return table


def check_relations(table: EntityTable, others: Sequence[EntityTable]) -> CheckedTable:
    """Check the relations and functions of a converted table against the other tables, except one with the same name. Raises
    BenchError if a relation or function is faulty; the message lists all faults."""
    spec = table.spec
    tables = Tables([*(other for other in others if other.spec.name != spec.name), table])
    if faults := _find_relation_faults(tables, spec) or _find_function_faults(tables, spec):
        raise BenchError(" ".join(faults))
    return CheckedTable(table, (*_describe_names(table), *_describe_lost_values(tables, spec)))


def raw_table(table: EntityTable) -> RawTable:
    """Return the rows of a table in the form of a newly read file, so that they can be converted with a new spec."""
    return RawTable(table.spec.name, {column: _column(table, column) for column in table.spec.columns})


def _check_names(spec: TableSpec, raw: RawTable) -> None:
    """Check that the rows have all columns of the spec. Raises BenchError if a column is missing."""
    uses: Mapping[str, Sequence[str]] = {
        "key": [spec.key],
        "name column": [spec.label],
        "time column": [spec.time],
        "popularity column": [spec.popularity],
        "attributes": spec.attributes,
        "relations": [relation.column for relation in spec.relations],
    }
    missing = [f"column {column}" for column in spec.columns if column not in raw.columns]
    missing += [
        f"{use} {column}" for use, columns in uses.items() for column in columns if column and column not in spec.columns
    ]
    if missing or not spec.columns:
        raise BenchError(
            f"Table {spec.name} has no {', '.join(missing) or 'columns'}: its columns are {', '.join(raw.columns)}."
        )


def _find_key_faults(table: EntityTable) -> Iterator[str]:
    spec = table.spec
    if spec.entity and not spec.key:
        unique = ", ".join(column for column in spec.columns if _is_unique(table, column))
        choice = f"name one of {unique}" if unique else "no column could be one, so leave the entity out to link other tables"
        yield f"Table {spec.name} has no key to tell one {spec.entity} from another: {choice}."
    if not spec.key:
        if spec.time:
            yield (
                f"Table {spec.name} has a time column but no key, so it is unknown which entity a time belongs "
                f"to: name a key, or leave out the time column."
            )
        return
    if spec.columns[spec.key] == "list":
        yield f"{spec.key} holds lists and cannot be a key: name another column."
        return
    keys = _column(table, spec.key)
    if empty := [place for place, key in enumerate(keys) if key is None]:
        cells = f"{_count(len(empty), 'cell', 'cells')} of the key {spec.key} {'is' if len(empty) == 1 else 'are'} empty"
        examples = _list_examples([f"row {place + 1}" for place in empty])
        yield f"{cells} ({examples}): fill them, or name another key."
    times = _column(table, spec.time) if spec.time else [None] * len(keys)
    counts = Counter((key, time) for key, time in zip(keys, times, strict=True) if key is not None)
    if repeated := [key for key, n in counts.items() if n > 1]:
        columns = f"{spec.key} and {spec.time} stand" if spec.time else f"the key {spec.key} stands"
        examples = _list_examples([f"{key}{f' at {time}' if spec.time else ''}" for key, time in repeated])
        yield (
            f"In {sum(counts[key] for key in repeated):,} rows {columns} more than once ({len(repeated):,} "
            f"{'value' if len(repeated) == 1 else 'values'}: {examples}): leave the copies out, or name another key."
        )


def _find_column_faults(table: EntityTable) -> Iterator[str]:
    spec = table.spec
    uses: Sequence[tuple[str, str, tuple[ColumnType, ...]]] = (
        ("time", spec.time, ("date", "integer")),
        ("popularity", spec.popularity, ("integer", "number")),
        ("name", spec.label, ("text", "integer")),
    )
    for use, column, types in uses:
        if column and spec.columns[column] not in types:
            yield f"{column} holds {spec.columns[column]} and cannot be the {use} column: that needs {' or '.join(types)}."
        elif column and use == "popularity":
            try:
                find_cuts(_column(table, column))
            except BenchError as error:
                yield str(error)


def _find_relation_faults(tables: Tables, spec: TableSpec) -> list[str]:
    names = Counter(relation.name for relation in spec.relations)
    relations = [relation for table in tables.values() for relation in table.spec.relations]
    own = [replace(r, to=table.spec.name, back=r.name) for table in tables.values() for r in table.spec.relations]
    backs = Counter((relation.to, relation.back) for relation in (*relations, *own) if relation.back)
    return [
        *(
            f"Relation {relation.name}: table {relation.to} has a relation called {relation.back!r} already, so give the "
            "reverse relation another name."
            for relation in spec.relations
            if relation.back and backs[relation.to, relation.back] > 1
        ),
        *(
            f"A relation cannot be called {name!r}: give it a name of letters, digits and _."
            for name in names
            if not is_name(name)
        ),
        *(f"Two relations are called {name}: give one of them another name." for name, n in names.items() if n > 1),
    ]


def _find_function_faults(tables: Tables, spec: TableSpec) -> list[str]:
    faults = []
    counts = Counter(function.name for name in tables for function in list_functions(tables, name))
    own = list_functions(tables, spec.name)
    if twice := ", ".join(function.name for function in own if counts[function.name] > 1):
        faults.append(f"Two functions are called {twice}: name the entity of {spec.name} differently, or its functions.")
    for function in own:
        faults += [f"Function {function.name}: {why}" for why in _explain_function(tables, spec, function)]
    return faults


def _explain_function(tables: Tables, spec: TableSpec, function: TableFunction) -> Iterator[str]:
    """Yield each fault of one of the spec's functions, as the end of a sentence."""
    if not is_name(function.name):
        yield "a function is named with letters, digits and _."
    if function.kind not in KINDS:
        yield f"there is no kind {function.kind!r}; there are {', '.join(KINDS)}."
        return
    if function.kind == "search" and not spec.label:
        yield f"table {spec.name} has no name column to search."
    if function.kind in ("get", "value", "follow") and not spec.key:
        yield f"table {spec.name} has no key to ask by."
    end = spec.name
    if function.kind == "follow":
        relation = tables.relation(spec.name, function.relation)
        if relation is None:  # a relation to a table that does not exist yet is not a fault
            if not any(relation.name == function.relation for relation in spec.relations):
                yield f"table {spec.name} has no relation {function.relation!r}."
            return
        end = relation.to
    if function.kind == "value" and len(function.columns) != 1:
        yield "a function of the kind value gives one value: name one path."
    if function.order and function.order not in tables[end].spec.columns:
        yield f"there is no column {function.order!r} to order by."
    paths = [(end, path) for path in function.columns.values()] + [(spec.name, path) for path in function.filters.values()]
    for table, path in paths:
        if len(tables[table]):
            try:
                tables.value(TableRow(table, 0), path)
            except BenchError as error:
                yield str(error)


def _describe_names(table: EntityTable) -> Iterator[str]:
    if not table.spec.label or not table.spec.entity:
        return
    keys: dict[Any, set[Any]] = {}
    names = _column(table, table.spec.label)
    for name, key in zip(names, _column(table, table.spec.key), strict=True):
        if name is not None:
            keys.setdefault(name, set()).add(key)
    if shared := {str(name): len(own) for name, own in keys.items() if len(own) > 1}:
        examples = _list_examples([f"{name}: {shared[name]}" for name in sorted(shared, key=lambda name: -shared[name])])
        count = f"{_count(len(shared), 'name is', 'names are')} shared by {sum(shared.values()):,} rows ({examples})"
        yield f"{count}: a question that gives only such a name has several answers."
    if nameless := names.count(None):
        yield f"{_count(nameless, 'row has', 'rows have')} no name and cannot be searched."


def _describe_lost_values(tables: Tables, spec: TableSpec) -> Iterator[str]:
    """Yield a remark for each relation that leads to a missing table, column or row."""
    for relation in spec.relations:
        if relation.to not in tables:
            yield (
                f"Relation {relation.name} leads to table {relation.to}, which is not in this workspace yet: the relation "
                "has no effect until it is added."
            )
            continue
        if relation.to_column not in tables[relation.to].spec.columns:
            yield f"Relation {relation.name} leads to column {relation.to_column}, which table {relation.to} does not have."
            continue
        counts: Counter[Any] = Counter()
        for cell in _column(tables[spec.name], relation.column):
            counts.update(cell if isinstance(cell, list) else () if cell is None else (cell,))
        if lost := [value for value in counts if not tables[relation.to].find_rows(relation.to_column, value)]:
            n = sum(counts[value] for value in lost)
            yield (
                f"Relation {relation.name}: {n:,} of {sum(counts.values()):,} values lead to no row of {relation.to} "
                f"({_list_examples(list(map(str, lost)))})."
            )


def _column(table: EntityTable, column: str) -> list[Any]:
    return [table.cell(place, column) for place in range(len(table))]


def _is_unique(table: EntityTable, column: str) -> bool:
    cells = _column(table, column)
    return table.spec.columns[column] != "list" and None not in cells and len(set(cells)) == len(cells)


def _list_examples(words: Sequence[str]) -> str:
    shown = [word if len(word) <= 60 else f"{word[:60]}..." for word in words[:MAX_EXAMPLES]]
    return ", ".join(shown) + (", ..." if len(words) > MAX_EXAMPLES else "")


def _count(n: int, singular: str, plural: str) -> str:
    return f"1 {singular}" if n == 1 else f"{n:,} {plural}"
