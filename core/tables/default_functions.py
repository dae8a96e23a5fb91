"""The functions that follow from a table's spec, where a person named none: search by name, get by key, follow each relation,
aggregate."""

from collections.abc import Mapping

from core.tables.nouns import TableFunction, TableRelation, TableSpec
from core.tables.world import EntityTable, Tables

MAX_FILTERS = 2
MAX_SHOWN_ATTRIBUTES = 3
"""Attributes that a search shows of each row."""


def list_functions(tables: Tables, table: str) -> tuple[TableFunction, ...]:
    """Those of its spec, else the ones that follow from it; none of a table that only links others."""
    found = tables[table]
    spec = found.spec
    if spec.functions or not spec.entity:
        return spec.functions
    word, argument = spec.entity.replace(" ", "_"), key_argument(spec)
    made = []
    if spec.label:
        brief = (spec.key, spec.label, *[a for a in spec.attributes if a not in (spec.key, spec.label)][:MAX_SHOWN_ATTRIBUTES])
        made.append(
            TableFunction(
                kind="search",
                name=f"search_{word}",
                argument="name",
                columns=_map_to_themselves(brief),
                filters=_map_to_themselves(_filters(found)),
            )
        )
    made.append(
        TableFunction(kind="get", name=f"get_{word}", argument=argument, columns=_map_to_themselves(tuple(spec.columns)))
    )
    for relation in tables.relations(table):
        other = tables[relation.to]
        order = (other.spec.popularity or other.spec.time) if relation.many else ""
        made.append(
            TableFunction(
                kind="follow",
                name=f"get_{word}_{relation.name}",
                argument=argument,
                relation=relation.name,
                columns=_seen_from(tables, relation),
                order=order,
            )
        )
    made.append(TableFunction(kind="aggregate", name=f"aggregate_{word}"))
    return tuple(made)


def key_argument(spec: TableSpec) -> str:
    """What a key is called in a call: its column, or with the entity before it where that says nothing."""
    return f"{spec.entity.replace(' ', '_')}_{spec.key}" if spec.key.lower() in ("id", "key", "code") else spec.key


def _filters(table: EntityTable) -> tuple[str, ...]:
    """Text columns whose values repeat: what tells namesakes apart."""
    spec = table.spec
    fit = [
        column
        for column in spec.attributes
        if spec.columns[column] in ("text", "list") and column not in (spec.key, spec.label) and table.repeats(column)
    ]
    return tuple(fit[:MAX_FILTERS])


def _seen_from(tables: Tables, relation: TableRelation) -> Mapping[str, str]:
    """What is shown of the rows that a relation leads to: key, name and attributes of an entity; of a link its columns, and the
    names of what it leads on to."""
    spec = tables[relation.to].spec
    if spec.entity:
        return _map_to_themselves(
            tuple(dict.fromkeys((spec.key, *([spec.label] if spec.label else []), *spec.attributes[:MAX_SHOWN_ATTRIBUTES])))
        )
    names = {
        f"{on.name}_{tables[on.to].spec.label}": f"{on.name}.{tables[on.to].spec.label}"
        for on in tables.relations(relation.to)
        if not on.many and on.column != relation.to_column and tables[on.to].spec.label
    }
    return {**_map_to_themselves(tuple(column for column in spec.columns if column != relation.to_column)), **names}


def _map_to_themselves(columns: tuple[str, ...]) -> dict[str, str]:
    return {column: column for column in columns}
