"""The spec of a table: its entity, key and name column, its relations to other tables, and the functions of queries; with its
JSON form."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from core.as_json import as_json
from core.errors import BenchError
from core.ids import content_hash

ColumnType = Literal["text", "integer", "number", "boolean", "date", "list"]
"""date = an ISO date, or date and time, as text; list = texts or numbers in one cell."""
TYPES: tuple[ColumnType, ...] = get_args(ColumnType)
Kind = Literal["search", "get", "value", "follow", "aggregate"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, kw_only=True, slots=True)
class TableRelation:
    """A relation from the rows of a table to the rows of another whose `to_column` holds the value of `column` here. A list
    cell holds each of its values."""

    name: str
    column: str
    to: str
    """Name of the other table, or of the same one."""
    to_column: str
    many: bool
    """Whether it can lead to several rows."""
    back: str = ""
    """Name of the reverse relation in the other table; "" = there is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableFunction:
    """One function that queries a table."""

    kind: Kind
    """search = rows by name, most similar first; get = the row of a key; value = one value of the row of a key; follow = the
    rows at the end of a relation; aggregate = count, sum, min, max or mean over the rows that meet a condition."""
    name: str
    argument: str = ""
    """Name of the argument for the name or key; "" for aggregate."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Name of a result -> its path from the row, see Tables.value. One path for value; none for aggregate."""
    filters: Mapping[str, str] = field(default_factory=dict)
    """search: further argument -> the path whose value must match it."""
    relation: str = ""
    """follow: name of the relation."""
    order: str = ""
    """search, follow: column that orders the rows, highest first; "" = by similarity, or in the table's order."""
    limit: int = 10
    """search, follow: most rows in a result."""
    about: str = ""
    """One sentence on what it does; "" = the words of its kind."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableSpec:
    """The description of a table. A table without an entity links others and is reached by relations only."""

    name: str
    columns: Mapping[str, ColumnType]
    """Name -> type, in order."""
    entity: str = ""
    """What one row is, in the singular: person, film; "" = a link between other tables."""
    key: str = ""
    """Column that identifies rows, together with the time column if there is one: the latest row of a key is valid."""
    label: str = ""
    """Column with the row's name; names may repeat."""
    attributes: tuple[str, ...] = ()
    """Columns that questions may ask for."""
    relations: tuple[TableRelation, ...] = ()
    time: str = ""
    """Column with the time from which on a row is valid."""
    popularity: str = ""
    """Column with a number for how well known the row is."""
    functions: tuple[TableFunction, ...] = ()
    """Functions of queries; () = those that follow from the other fields."""


class Snapshot(NamedTuple):
    """A table as frozen by a release."""

    name: str
    hash: str
    rows: int


def spec_record(spec: TableSpec) -> dict[str, Any]:
    """The spec as JSON."""
    return dict(as_json(spec))


def spec_from_record(record: Mapping[str, Any]) -> TableSpec:
    """The spec of a record made by spec_record or by a person. Raises BenchError that names the fault."""
    from core.shapes import SpecShape, check_shape

    called = str(record.get("name") or "")[:60]
    try:
        check_shape(record, SpecShape)
    except ValueError as error:
        raise BenchError(f"The spec of table {called} {error}: compare it with a proposed one.") from error
    if not is_name(called):
        raise BenchError(f"A table is named with letters, digits and _, not {called!r}: give it such a name.")
    columns = dict(record.get("columns") or {})
    if wrong := [f"{column}: {kind}" for column, kind in columns.items() if kind not in TYPES]:
        raise BenchError(f"Table {called} has columns of no known type ({', '.join(wrong)}): there are {', '.join(TYPES)}.")
    known = set(TableSpec.__dataclass_fields__)
    if extra := [str(key) for key in record if key not in known]:
        raise BenchError(f"The spec of table {called} has no {', '.join(extra)}: there are {', '.join(sorted(known))}.")
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
        raise BenchError(f"The spec of table {called} cannot be read ({error}): compare it with a proposed one.") from error


def data_hash(columns: Mapping[str, ColumnType], rows: Any) -> str:
    """Identity of a table's rows: the hash of its columns, types and cells, in order."""
    return content_hash([list(columns.items()), [list(row) for row in rows]])


def snapshot_hash(spec: TableSpec, data: str) -> str:
    """Identity of a table for queries: its spec and the hash of its rows."""
    return content_hash([spec_record(spec), data])


def is_name(text: str) -> bool:
    return bool(_NAME.fullmatch(text))


def tables_step(hashes: Mapping[str, str]) -> dict[str, Any]:
    """The step of an item from tables: the snapshot of each by name. Such snapshots are kept, and a release of the item freezes
    them."""
    return {"kind": "tables", "tables": dict(hashes)}


def named_tables(steps: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The snapshots in an item's steps: table -> hash; {} for an item without tables."""
    return {name: hash for step in steps if step.get("kind") == "tables" for name, hash in (step.get("tables") or {}).items()}


def collect_linked_tables(names: Iterable[str], specs: Iterable[TableSpec]) -> set[str]:
    """Those tables and all tables that relations connect to them, directly or not, in either direction."""
    pairs = [(spec.name, relation.to) for spec in specs for relation in spec.relations]
    linked, before = set(names), set[str]()
    while linked != before:
        before = set(linked)
        linked |= {end for pair in pairs if linked & set(pair) for end in pair}
    return linked
