"""What is told of a table besides its rows: its entity, key and name, how it hangs together with other tables, and the
functions that it is asked by. JSON in and out."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple, get_args

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
    """A way from the rows of one table to rows of a table: those whose `to_column` holds what `column` holds here. A list cell
    holds each of its values."""

    name: str
    column: str
    to: str
    """Name of the other table; it may be the same one."""
    to_column: str
    many: bool
    """Whether there can be several."""
    back: str = ""
    """What the way back is called among the relations of the other table; "" = there is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableFunction:
    """One function that a table is asked by."""

    kind: Kind
    """search = rows by name, the likest first; get = the row of a key; value = one thing about the row of a key; follow = the
    rows that a relation leads to; aggregate = count, sum, min, max or mean over the rows that meet a condition."""
    name: str
    argument: str = ""
    """What the name or key is called; none for aggregate."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """What it gives of a row: a name -> a path from the row that is found, see Tables.value. One path for value; none for
    aggregate."""
    filters: Mapping[str, str] = field(default_factory=dict)
    """search: further arguments -> the path that has to hold what is given."""
    relation: str = ""
    """follow: which one."""
    order: str = ""
    """search, follow: the column by which rows stand, highest first; "" = by likeness, or as they came."""
    limit: int = 10
    """search, follow: rows that it gives, at most."""
    about: str = ""
    """What it does, in a sentence; "" = in the words of its kind."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableSpec:
    """What is told of a table. A table without an entity links others: it is met through relations only."""

    name: str
    columns: Mapping[str, ColumnType]
    """Name -> type, in order."""
    entity: str = ""
    """What a row is, one of them: person, film; "" = nothing by itself, a link."""
    key: str = ""
    """The column that tells rows apart; with a time column, together with that: the latest row of a key stands."""
    label: str = ""
    """The column that holds its name; names may repeat."""
    attributes: tuple[str, ...] = ()
    """Columns that questions may ask for."""
    relations: tuple[TableRelation, ...] = ()
    time: str = ""
    """The column that says from when on a row stands."""
    popularity: str = ""
    """The column with a number of how well known it is."""
    functions: tuple[TableFunction, ...] = ()
    """How it is asked; () = by the functions that follow from the rest."""


class Snapshot(NamedTuple):
    """A table as a release froze it."""

    name: str
    hash: str
    rows: int


def spec_record(spec: TableSpec) -> dict[str, Any]:
    """As JSON."""
    return {
        **asdict(spec),
        "attributes": list(spec.attributes),
        "relations": [asdict(r) for r in spec.relations],
        "functions": [asdict(f) for f in spec.functions],
    }


def spec_from_record(record: Mapping[str, Any]) -> TableSpec:
    """The spec of a record made by spec_record, or written by hand. Raises BenchError naming what is wrong with it."""
    from core.shapes import SpecShape, check_shape

    called = str(record.get("name") or "")[:60]
    try:
        check_shape(record, SpecShape)
    except ValueError as error:
        raise BenchError(f"The spec of table {called} {error}: compare it with a proposed one.") from error
    if not is_name(called):
        raise BenchError(f"A table is named with letters, digits and _, not {called!r}: give it such a name.")
    columns = dict(record.get("columns") or {})
    wrong = [f"{column}: {kind}" for column, kind in columns.items() if kind not in TYPES]
    if wrong:
        raise BenchError(f"Table {called} has columns of no known type ({', '.join(wrong)}): there are {', '.join(TYPES)}.")
    known = set(TableSpec.__dataclass_fields__)
    extra = [str(key) for key in record if key not in known]
    if extra:
        raise BenchError(f"The spec of table {called} has no {', '.join(extra)}: there are {', '.join(sorted(known))}.")
    try:
        return TableSpec(
            name=record["name"],
            columns=columns,
            **{one: record.get(one) or "" for one in ("entity", "key", "label", "time", "popularity")},
            attributes=tuple(record.get("attributes") or ()),
            relations=tuple(TableRelation(**one) for one in record.get("relations") or ()),
            functions=tuple(TableFunction(**one) for one in record.get("functions") or ()),
        )
    except TypeError as error:
        raise BenchError(f"The spec of table {called} cannot be read ({error}): compare it with a proposed one.") from error


def data_hash(columns: Mapping[str, ColumnType], rows: Any) -> str:
    """Identity of a table's rows: the hash of its columns, types and cells, in order."""
    return content_hash([list(columns.items()), [list(row) for row in rows]])


def snapshot_hash(spec: TableSpec, data: str) -> str:
    """Identity of a table as it is asked: its spec and the hash of its rows."""
    return content_hash([spec_record(spec), data])


def is_name(text: str) -> bool:
    return bool(_NAME.fullmatch(text))


def tables_step(hashes: Mapping[str, str]) -> dict[str, Any]:
    """The step of an item that was made from tables: which snapshot of each, by name. A snapshot that an item names so is kept,
    and a release that holds the item freezes it."""
    return {"kind": "tables", "tables": dict(hashes)}


def named_tables(steps: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The snapshots that an item's steps name, by name; {} for an item that was made from none."""
    return {name: hash for step in steps if step.get("kind") == "tables" for name, hash in (step.get("tables") or {}).items()}


def collect_linked_tables(names: Iterable[str], specs: Iterable[TableSpec]) -> set[str]:
    """Those tables and all that relations join to them, over as many steps as it takes, either way."""
    pairs = [(spec.name, relation.to) for spec in specs for relation in spec.relations]
    found, before = set(names), set[str]()
    while found != before:
        before = set(found)
        found |= {end for pair in pairs if found & set(pair) for end in pair}
    return found
