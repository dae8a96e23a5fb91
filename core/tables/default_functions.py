"""The functions that query a table if the table's spec names no functions: search by name, get by key, follow each relation,
aggregate."""

from collections.abc import Iterable

from core.tables.nouns import TableFunction, TableRelation, TableSpec
from core.tables.world import EntityTable, Tables

MAX_FILTERS = 2
MAX_SHOWN_ATTRIBUTES = 3
"""Maximum number of attributes that a search shows for each row it finds."""


def list_functions(tables: Tables, table: str) -> tuple[TableFunction, ...]:
    """Return the functions that the table's spec names, or else the default functions; a table that only links other tables has
    no default functions."""
    spec = tables[table].spec
    if spec.functions or not spec.entity:
        return spec.functions
    word, argument = spec.entity.replace(" ", "_"), key_argument(spec)
    functions = []
    if spec.label:
        others = [attribute for attribute in spec.attributes if attribute not in (spec.key, spec.label)]
        columns = _map_to_themselves((spec.key, spec.label, *others[:MAX_SHOWN_ATTRIBUTES]))
        filters = _map_to_themselves(_choose_filters(tables[table]))
        functions.append(TableFunction(kind="search", name=f"search_{word}", argument="name", columns=columns, filters=filters))
    functions.append(TableFunction(kind="get", name=f"get_{word}", argument=argument, columns=_map_to_themselves(spec.columns)))
    for relation in tables.relations(table):
        other = tables[relation.to].spec
        functions.append(
            TableFunction(
                kind="follow",
                name=f"get_{word}_{relation.name}",
                argument=argument,
                relation=relation.name,
                columns=_choose_related_columns(tables, relation),
                order=(other.popularity or other.time) if relation.many else "",
            )
        )
    return (*functions, TableFunction(kind="aggregate", name=f"aggregate_{word}"))


def key_argument(spec: TableSpec) -> str:
    """Return the name of the argument for the key: the name of the key column or, if the column is called id, key or code, that
    name with the entity's name before it."""
    return f"{spec.entity.replace(' ', '_')}_{spec.key}" if spec.key.lower() in ("id", "key", "code") else spec.key


def _choose_filters(table: EntityTable) -> list[str]:
    """Return the text columns with repeated values, by which a search can distinguish rows with the same name."""
    spec = table.spec
    texts = [c for c in spec.attributes if spec.columns[c] in ("text", "list") and c not in (spec.key, spec.label)]
    return [column for column in texts if table.repeats(column)][:MAX_FILTERS]


def _choose_related_columns(tables: Tables, relation: TableRelation) -> dict[str, str]:
    """Return the columns that are shown of related rows: for a table of entities, the key, name and attributes; for a table
    that links entities, all columns and the names of the linked entities."""
    spec = tables[relation.to].spec
    if spec.entity:
        label = [spec.label] if spec.label else []
        return _map_to_themselves((spec.key, *label, *spec.attributes[:MAX_SHOWN_ATTRIBUTES]))
    columns = _map_to_themselves(column for column in spec.columns if column != relation.to_column)
    for link in tables.relations(relation.to):
        label_column = tables[link.to].spec.label
        if not link.many and link.column != relation.to_column and label_column:
            columns[f"{link.name}_{label_column}"] = f"{link.name}.{label_column}"
    return columns


def _map_to_themselves(columns: Iterable[str]) -> dict[str, str]:
    return {column: column for column in columns}
