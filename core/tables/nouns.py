"""The spec that describes a table, and the JSON form of the spec: entity, key and name column, relations to other tables, and
functions for queries."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from core.as_json import as_json
from core.errors import BenchError
from core.ids import content_hash

ColumnType = Literal["text", "integer", "number", "boolean", "date", "list"]
"""Type of a column; date = an ISO date, or date and time, as text; list = several texts or numbers in one cell."""
TYPES: tuple[ColumnType, ...] = get_args(ColumnType)
Kind = Literal["search", "get", "value", "follow", "aggregate"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, kw_only=True, slots=True)
class TableRelation:
    """A relation from a row of this table to the rows of another table whose `to_column` equals the row's value in `column`. If
    the value in `column` is a list, the row relates to the rows of each value in the list."""

    name: str
    column: str
    to: str
    """Name of the table that the relation leads to; it may be the same table."""
    to_column: str
    many: bool
    """Whether the relation can lead from one row to several rows."""
    back: str = ""
    """Name of the opposite relation, which leads from the other table back to this table; "" = none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableFunction:
    """A function that queries a table."""

    kind: Kind
    """Kind of the function: search = rows by name, most similar first; get = the row with a key; value = one value of the row
    with a key; follow = rows at the end of a relation; aggregate = count, sum, min, max or mean over rows that meet a
    condition."""
    name: str
    argument: str = ""
    """Name of the function's argument for the name or key; "" for aggregate."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Dict from the name of a value in the result to the path from the row to it, see Tables.value. A function of the kind
    value has one path, a function of the kind aggregate none."""
    filters: Mapping[str, str] = field(default_factory=dict)
    """For search: dict from the name of a further argument to the path from the row to the value that must match it."""
    relation: str = ""
    """For follow: name of the relation that the function follows."""
    order: str = ""
    """For search and follow: column by which rows are sorted, highest value first; "" = by similarity, or in the table's
    order."""
    limit: int = 10
    """For search and follow: maximum number of rows in a result."""
    about: str = ""
    """Description of what the function does, in one sentence; "" = the default description of its kind."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableSpec:
    """The description of a table: its columns, key, relations to other tables, and the functions that query it. A table whose
    spec names no entity only links other tables; queries reach its rows only through relations."""

    name: str
    columns: Mapping[str, ColumnType]
    """Dict from column name to its type, in the order of the columns."""
    entity: str = ""
    """Kind of entity that one row describes, in the singular, such as person or film; "" = each row is a link between other
    tables."""
    key: str = ""
    """Column that identifies a row; with a time column, the latest row of a key counts."""
    label: str = ""
    """Column with the name of what the row describes; several rows may have the same name."""
    attributes: tuple[str, ...] = ()
    """Columns that questions may ask about."""
    relations: tuple[TableRelation, ...] = ()
    time: str = ""
    """Column with the time from which each row is valid."""
    popularity: str = ""
    """Column with a number for how popular the row's entity is."""
    functions: tuple[TableFunction, ...] = ()
    """Functions by which the table is queried; () = the default functions."""


class Snapshot(NamedTuple):
    """The frozen state of a table that a release contains; a snapshot never changes."""

    name: str
    hash: str
    rows: int


def spec_record(spec: TableSpec) -> dict[str, Any]:
    """Return the spec as JSON values."""
    return dict(as_json(spec))


def spec_from_record(record: Mapping[str, Any]) -> TableSpec:
    """Build a spec from a record that `spec_record` or a person wrote. Raises BenchError if the record has a fault."""
    from core.shapes import SpecShape, check_shape

    called = str(record.get("name") or "")[:60]
    try:
        check_shape(record, SpecShape)
    except ValueError as error:
        raise BenchError(
            f"The spec of table {called} is invalid: it {error}. Compare it with the spec that the app proposes for a table."
        ) from error
    if not is_name(called):
        raise BenchError(f"{called!r} is not a table name: use letters, digits and _.")
    columns = dict(record.get("columns") or {})
    if wrong := [f"{column}: {kind}" for column, kind in columns.items() if kind not in TYPES]:
        raise BenchError(f"Table {called} has columns of unknown types ({', '.join(wrong)}): the types are {', '.join(TYPES)}.")
    known = set(TableSpec.__dataclass_fields__)
    if extra := [str(key) for key in record if key not in known]:
        raise BenchError(
            f"The spec of table {called} has no field {', '.join(extra)}: its fields are {', '.join(sorted(known))}."
        )
    try:
        return TableSpec(
            name=record["name"],
            columns=columns,
            **{name: record.get(name) or "" for name in ("entity", "key", "label", "time", "popularity")},
            attributes=tuple(record.get("attributes") or ()),
            relations=tuple(TableRelation(**relation) for relation in record.get("relations") or ()),
            functions=tuple(TableFunction(**function) for function in record.get("functions") or ()),
        )
    except TypeError as error:
        raise BenchError(
            f"The spec of table {called} cannot be read ({error}). Compare it with the spec that the app proposes for a table."
        ) from error


def data_hash(columns: Mapping[str, ColumnType], rows: Any) -> str:
    """Return the hash that identifies the rows of a table, computed from its columns, types and cells in their order."""
    return content_hash([list(columns.items()), [list(row) for row in rows]])


def snapshot_hash(spec: TableSpec, data: str) -> str:
    """Return the hash that identifies a table for queries, computed from its spec and the hash of its rows."""
    return content_hash([spec_record(spec), data])


def is_name(text: str) -> bool:
    return bool(_NAME.fullmatch(text))


def tables_step(hashes: Mapping[str, str]) -> dict[str, Any]:
    """Return the drafting step that records an item's tables as a dict from table name to the hash of its snapshot. The
    snapshots of an item's tables are not deleted, and a release that contains the item also contains these snapshots."""
    return {"kind": "tables", "tables": dict(hashes)}


def named_tables(steps: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return a dict from table name to the hash of its snapshot, as an item's drafting steps record it; {} for an item without
    tables."""
    return {name: hash for step in steps if step.get("kind") == "tables" for name, hash in (step.get("tables") or {}).items()}


def collect_linked_tables(names: Iterable[str], specs: Iterable[TableSpec]) -> set[str]:
    """Return the named tables and all tables that are connected with them by relations, directly or through other tables, in
    either direction."""
    pairs = [(spec.name, relation.to) for spec in specs for relation in spec.relations]
    linked, before = set(names), set[str]()
    while linked != before:
        before = set(linked)
        linked |= {end for pair in pairs if linked & set(pair) for end in pair}
    return linked
