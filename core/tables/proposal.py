"""Proposes a spec for a table, based on its cells, which a person can then edit: types, key, name column, time column,
popularity column and relations."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from core.tables.files import RawTable
from core.tables.nouns import ColumnType, TableRelation, TableSpec
from core.tables.types import convert, guess, looks_like_lists
from core.tables.world import EntityTable

_NAMES = ("name", "title", "label", "full_name", "fullname")
_TIMES = ("as_of", "valid_from", "since", "from", "time", "timestamp", "date", "released", "release_date", "published", "year")
_VOTES = ("popularity", "votes", "vote_count", "num_votes", "ratings", "rating_count", "sitelinks", "degree")
_CITATIONS = ("num_citation", "citations", "n_citation")
_AUDIENCE = ("views", "pageviews", "followers", "listeners")
_POPULARITY = _VOTES + _CITATIONS + _AUDIENCE
_MIN_KEY_SHARE = 0.9
"""Share (0 to 1) of a column's values that must be keys of another table for a relation between the tables to be proposed."""


class Proposal(NamedTuple):
    """A proposed spec with remarks for the person who edits it."""

    spec: TableSpec
    notes: tuple[str, ...]


def propose(raw: RawTable, others: Sequence[EntityTable] = ()) -> Proposal:
    """Propose a spec for the rows of a file, with relations to existing tables."""
    types = {column: guess(cells) for column, cells in raw.columns.items()}
    notes = list(raw.notes)
    for column, cells in raw.columns.items():
        if types[column] == "text" and looks_like_lists(cells):
            types[column] = "list"
            notes.append(f"{column} is read as lists separated by | or ;.")
        elif types[column] == "list":
            notes.append(f"{column} holds lists, so a question about it asks for a set of answers.")
    time = _choose_time(raw, types)
    key = _choose_key(raw, types) or (_choose_key_with_time(raw, types, time) if time else "")
    label = _choose_label(raw, types, key)
    relations = _find_relations(raw, types, key, others)
    if not key:
        notes.append(
            "No column holds a different value in each row, so the table is read as a link between other tables: "
            "name a key to ask questions about the table itself."
        )
    if time:
        notes.append(f"{time} is read as the time from which a row is valid: earlier questions do not see the row.")
    apart = {key, label, *(relation.column for relation in relations)}
    spec = TableSpec(
        name=raw.name,
        columns=types,
        entity=singular(raw.name) if key and (label or len(raw.columns) > 1) else "",
        key=key,
        label=label,
        attributes=tuple(column for column in raw.columns if column not in apart),
        relations=relations,
        time=time,
        popularity=next((c for c in raw.columns if c.lower() in _POPULARITY and types[c] in ("integer", "number")), ""),
    )
    return Proposal(spec, tuple(notes))


def singular(name: str) -> str:
    """Return the singular of an English plural; any other word is returned unchanged."""
    word = name.replace("_", " ")
    if word.lower() == "people":
        return "person"
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _choose_key(raw: RawTable, types: Mapping[str, ColumnType]) -> str:
    """Return a column of unique values whose name suggests a key, else the first text column of unique values, or "" if the
    table has neither."""

    def is_unique(cells: Sequence[Any]) -> bool:
        return len(set(map(str, cells))) == len(cells) and all(cell is not None for cell in cells)

    unique = [c for c, cells in raw.columns.items() if types[c] in ("text", "integer") and is_unique(cells)]
    entity = singular(raw.name).replace(" ", "_").lower()
    tests: tuple[Callable[[str], bool], ...] = (
        lambda column: column.lower() in ("id", f"{entity}_id", "key", "code", "ticker"),
        lambda column: column.lower().endswith(("_id", "id", "_key", "_code")),
        lambda column: types[column] == "text" or column.lower() in _NAMES,
    )
    return next((column for test in tests for column in unique if test(column)), "")


def _choose_key_with_time(raw: RawTable, types: Mapping[str, ColumnType], time: str) -> str:
    """Return a column that identifies each row together with the time column; "" = none."""
    for column in sorted(raw.columns, key=lambda column: not column.lower().endswith(("id", "key", "code", "ticker"))):
        if column != time and types[column] in ("text", "integer") and all(c is not None for c in raw.columns[column]):
            pairs = set(zip(map(str, raw.columns[column]), map(str, raw.columns[time]), strict=True))
            if len(pairs) == len(raw):
                return column
    return ""


def _choose_label(raw: RawTable, types: Mapping[str, ColumnType], key: str) -> str:
    texts = [column for column in raw.columns if types[column] == "text" and column != key]
    named = [column for column in texts if column.lower() in _NAMES or column.lower().endswith(("_name", "_title"))]
    if named:
        return min(named, key=lambda column: column.lower() not in _NAMES)
    return key if key and types[key] == "text" and key.lower() in _NAMES else ""


def _choose_time(raw: RawTable, types: Mapping[str, ColumnType]) -> str:
    times = [
        column
        for column in raw.columns
        if column.lower() in _TIMES and (types[column] == "date" or (types[column] == "integer" and column.lower() == "year"))
    ]
    return min(times, key=lambda column: _TIMES.index(column.lower()), default="")


def _find_relations(
    raw: RawTable, types: Mapping[str, ColumnType], key: str, others: Sequence[EntityTable]
) -> tuple[TableRelation, ...]:
    """Return relations to other tables for the columns whose values are keys of these tables."""
    relations: list[TableRelation] = []
    for column, cells in raw.columns.items():
        if column == key or types[column] not in ("text", "integer", "list"):
            continue
        converted = convert(cells, types[column]).cells
        values = {value for cell in converted for value in (cell if isinstance(cell, tuple) else (cell,)) if value is not None}
        other = next(
            (t for t in others if t.spec.entity and t.spec.name != raw.name and _is_foreign_key(column, values, t)), None
        )
        if other is not None:
            many = types[column] == "list"
            name = _name_relation(column, other.spec, many, {relation.name for relation in relations})
            back = raw.name if raw.name not in other.spec.columns else f"{raw.name}_of"
            if any(relation.to == other.spec.name and relation.back == back for relation in relations):
                back = f"{back}_by_{name}"
            relation = TableRelation(
                name=name, column=column, to=other.spec.name, to_column=other.spec.key, many=many, back=back
            )
            relations.append(relation)
    return tuple(relations)


def _is_foreign_key(column: str, values: set[Any], other: EntityTable) -> bool:
    """Return whether a column's values are keys of the other table. For integers, which many tables use as keys, the name of
    the column must match too."""
    keys = [value for value in values if other.find_row(value) is not None]
    if not values or len(keys) < _MIN_KEY_SHARE * len(values):
        return False
    word = column.lower()
    is_named = other.spec.entity.replace(" ", "_").lower() in word or other.spec.key.lower() in word
    return is_named or (len(keys) > 1 and all(isinstance(value, str) for value in values))


def _name_relation(column: str, other: TableSpec, many: bool, taken: set[str]) -> str:
    word = column
    for ending in ("_ids", "_id", "_key", "_code"):
        word = word.removesuffix(ending)
    word = f"{word}s" if many and not word.endswith("s") and word != column else word
    return next(name for name in (word, other.entity.replace(" ", "_"), f"{word}_row", f"{column}_leads") if name not in taken)
