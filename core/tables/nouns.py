"""The spec of a table and its JSON form: entity, key and name column, relations to other tables, and functions for queries."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from core.as_json import as_json
from core.errors import BenchError
from core.ids import content_hash

ColumnType = Literal["text", "integer", "number", "boolean", "date", "list"]
"""date = an ISO date, or date and time, as text; list = several texts or numbers in one cell."""
TYPES: tuple[ColumnType, ...] = get_args(ColumnType)
Kind = Literal["search", "get", "value", "follow", "aggregate"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, kw_only=True, slots=True)
class TableRelation:
    """A relation from a row of this table to the rows of another table whose `to_column` equals the value of `column`. A list
    cell relates to the rows of each of its values."""

    name: str
    column: str
    to: str
    """Name of the other table, which may be the same table."""
    to_column: str
    many: bool
    """Whether the relation can lead to several rows."""
    back: str = ""
    """Name of the reverse relation in the other table; "" = no reverse relation."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableFunction:
    """A function that queries a table."""

    kind: Kind
    """search = rows by name, most similar first; get = the row with a key; value = one value of the row with a key; follow =
    rows at the end of a relation; aggregate = count, sum, min, max or mean over rows that meet a condition."""
    name: str
    argument: str = ""
    """Name of the argument with the name or key; "" for aggregate."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Path from the row by name of a result, see Tables.value. One path for value; none for aggregate."""
    filters: Mapping[str, str] = field(default_factory=dict)
    """search: path whose value must match, by name of an additional argument."""
    relation: str = ""
    """follow: name of the relation."""
    order: str = ""
    """search, follow: column that sorts the rows, highest value first; "" = by similarity, or in the table's order."""
    limit: int = 10
    """search, follow: maximum number of rows in a result."""
    about: str = ""
    """Description in one sentence; "" = the default description of the kind."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableSpec:
    """The description of a table. A table without an entity links other tables and is reached only through relations."""

    name: str
    columns: Mapping[str, ColumnType]
    """Type by column name, in order."""
    entity: str = ""
    """Kind of thing in one row, in the singular: person, film; "" = a link between other tables."""
    key: str = ""
    """Column that identifies rows, together with the time column if there is one: the latest row of a key is valid."""
    label: str = ""
    """Column with the row's name; names may repeat."""
    attributes: tuple[str, ...] = ()
    """Columns that questions may ask about."""
    relations: tuple[TableRelation, ...] = ()
    time: str = ""
    """Column with the time from which a row is valid."""
    popularity: str = ""
    """Column with a number for the row's popularity."""
    functions: tuple[TableFunction, ...] = ()
    """Functions for queries; () = the default functions."""


class Snapshot(NamedTuple):
    """A table as a release has frozen it."""

    name: str
    hash: str
    rows: int


def spec_record(spec: TableSpec) -> dict[str, Any]:
    """Return the spec as JSON values."""
    return dict(as_json(spec))


def spec_from_record(record: Mapping[str, Any]) -> TableSpec:
    """Build a spec from a record that `spec_record` or a person wrote. Raises BenchError that names the fault."""
    from core.shapes import SpecShape, check_shape

    called = str(record.get("name") or "")[:60]
    try:
        check_shape(record, SpecShape)
    except ValueError as error:
        raise BenchError(f"The spec of table {called} {error}: compare it with a proposed spec.") from error
    if not is_name(called):
        raise BenchError(f"{called!r} is not a table name: use letters, digits and _.")
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
        raise BenchError(f"The spec of table {called} cannot be read ({error}): compare it with a proposed spec.") from error


def data_hash(columns: Mapping[str, ColumnType], rows: Any) -> str:
    """Return the hash that identifies the rows of a table, computed from its columns, types and cells in order."""
    return content_hash([list(columns.items()), [list(row) for row in rows]])


def snapshot_hash(spec: TableSpec, data: str) -> str:
    """Return the hash that identifies a table for queries, computed from its spec and its rows."""
    return content_hash([spec_record(spec), data])


def is_name(text: str) -> bool:
    return bool(_NAME.fullmatch(text))


def tables_step(hashes: Mapping[str, str]) -> dict[str, Any]:
    """Return the step that records the tables of an item, as table name -> hash of the snapshot. These snapshots are kept, and
    a release that contains the item freezes them."""
    return {"kind": "tables", "tables": dict(hashes)}


def named_tables(steps: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return table name -> hash of the snapshot, from the steps of an item; {} for an item without tables."""
    return {name: hash for step in steps if step.get("kind") == "tables" for name, hash in (step.get("tables") or {}).items()}


def collect_linked_tables(names: Iterable[str], specs: Iterable[TableSpec]) -> set[str]:
    """Return the named tables and all tables that relations connect to them, directly or indirectly and in either direction."""
    pairs = [(spec.name, relation.to) for spec in specs for relation in spec.relations]
    linked, before = set(names), set[str]()
    while linked != before:
        before = set(linked)
        linked |= {end for pair in pairs if linked & set(pair) for end in pair}
    return linked
