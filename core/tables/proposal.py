"""What a table could be, told from its cells: types, key, name, time, popularity, and where its columns lead. A person corrects
it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.tables.files import RawTable
from core.tables.nouns import ColumnType, TableRelation, TableSpec
from core.tables.types import convert, guess, looks_like_lists
from core.tables.world import EntityTable

_NAMES = ("name", "title", "label", "full_name", "fullname")
_TIMES = ("as_of", "valid_from", "since", "from", "time", "timestamp", "date", "released", "release_date", "published", "year")
_POPULARITY = (
    "popularity",
    "votes",
    "vote_count",
    "num_votes",
    "ratings",
    "rating_count",
    "num_citation",
    "citations",
    "n_citation",
    "views",
    "pageviews",
    "followers",
    "listeners",
    "sitelinks",
    "degree",
)
_MIN_KEY_SHARE = 0.9
"""Share of a column's values that have to be keys of a table for the column to lead there."""


class Proposal(NamedTuple):
    """A spec to begin with, and what one should know of it."""

    spec: TableSpec
    notes: tuple[str, ...]


def propose(raw: RawTable, others: Sequence[EntityTable] = ()) -> Proposal:
    """The spec that a file's cells speak for, with the tables that are there already."""
    types = {column: guess(cells) for column, cells in raw.columns.items()}
    notes = list(raw.notes)
    for column, cells in raw.columns.items():
        if types[column] == "text" and looks_like_lists(cells):
            types[column] = "list"
            notes.append(f"{column} is taken for lists, parted by | or ;.")
        elif types[column] == "list":
            notes.append(f"{column} holds lists: a question that it answers asks for a set.")
    unique = [column for column in raw.columns if types[column] != "list" and _is_unique(raw.columns[column])]
    time = _time(raw, types)
    key = _key(raw, types, unique) or _key_with_time(raw, types, time)
    label = _label(raw, types, key)
    is_entity = bool(key and (label or len(raw.columns) > 1))
    relations = _relations(raw, types, key, others)
    if not key:
        notes.append(
            "No column holds another value in each row, so it is taken for a link between other tables: name a key to "
            "ask it by itself."
        )
    leading = {relation.column for relation in relations}
    spec = TableSpec(
        name=raw.name,
        columns=types,
        entity=singular(raw.name) if is_entity else "",
        key=key,
        label=label,
        attributes=tuple(column for column in raw.columns if column not in (key, label) and column not in leading),
        relations=relations,
        time=time,
        popularity=next((c for c in raw.columns if c.lower() in _POPULARITY and types[c] in ("integer", "number")), ""),
    )
    if spec.time:
        notes.append(f"{spec.time} is taken for the time from which on a row stands: a question asked earlier does not see it.")
    return Proposal(spec, tuple(notes))


def singular(name: str) -> str:
    """What one of them is called; English plurals, anything else as it is."""
    word = name.replace("_", " ")
    if word.lower() == "people":
        return "person"
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _is_unique(cells: Sequence[Any]) -> bool:
    return len(set(map(str, cells))) == len(cells) and all(cell is not None for cell in cells)


def _key(raw: RawTable, types: Mapping[str, ColumnType], unique: Sequence[str]) -> str:
    """A column named as a key, else the first whose values all differ; of names and dates only where nothing else is there."""
    fit = [column for column in unique if types[column] in ("text", "integer")]
    one = singular(raw.name).replace(" ", "_").lower()
    for is_named in (
        lambda column: column in ("id", f"{one}_id", "key", "code", "ticker"),
        lambda column: column.endswith(("_id", "id", "_key", "_code")),
        lambda column: types[column] == "text" or column in _NAMES,
    ):
        found = next((column for column in fit if is_named(column.lower())), "")
        if found:
            return found
    return ""


def _key_with_time(raw: RawTable, types: Mapping[str, ColumnType], time: str) -> str:
    """A column that tells rows apart together with the time."""
    if not time:
        return ""
    named = sorted(raw.columns, key=lambda column: not column.lower().endswith(("id", "key", "code", "ticker")))
    for column in named:
        if column != time and types[column] in ("text", "integer") and all(c is not None for c in raw.columns[column]):
            pairs = set(zip(map(str, raw.columns[column]), map(str, raw.columns[time]), strict=True))
            if len(pairs) == len(raw):
                return column
    return ""


def _label(raw: RawTable, types: Mapping[str, ColumnType], key: str) -> str:
    texts = [column for column in raw.columns if types[column] == "text" and column != key]
    named = [column for column in texts if column.lower() in _NAMES or column.lower().endswith(("_name", "_title"))]
    named.sort(key=lambda column: column.lower() not in _NAMES)
    if named:
        return named[0]
    return key if key and types[key] == "text" and key.lower() in _NAMES else ""


def _time(raw: RawTable, types: Mapping[str, ColumnType]) -> str:
    fit = [
        c
        for c in raw.columns
        if c.lower() in _TIMES and (types[c] == "date" or (types[c] == "integer" and c.lower() == "year"))
    ]
    return min(fit, key=lambda column: _TIMES.index(column.lower()), default="")


def _relations(
    raw: RawTable, types: Mapping[str, ColumnType], key: str, others: Sequence[EntityTable]
) -> tuple[TableRelation, ...]:
    """Columns whose values are keys of a table."""
    found: list[TableRelation] = []
    for column, cells in raw.columns.items():
        if column == key or types[column] not in ("text", "integer", "list"):
            continue
        converted = convert(cells, types[column]).cells
        values = {value for cell in converted for value in (cell if isinstance(cell, tuple) else (cell,)) if value is not None}
        for other in others:
            if other.spec.entity and other.spec.name != raw.name and _is_foreign_key(column, values, other):
                many = types[column] == "list"
                name = _relation_name(column, other.spec, many, {relation.name for relation in found})
                back = raw.name if raw.name not in other.spec.columns else f"{raw.name}_of"
                taken = {relation.back for relation in found if relation.to == other.spec.name}
                found.append(
                    TableRelation(
                        name=name,
                        column=column,
                        to=other.spec.name,
                        to_column=other.spec.key,
                        many=many,
                        back=back if back not in taken else f"{back}_by_{name}",
                    )
                )
                break
    return tuple(found)


def _is_foreign_key(column: str, values: set[Any], other: EntityTable) -> bool:
    """Whether the values are keys there; whole numbers are keys of anything, so that the name has to say it too."""
    held = [value for value in values if other.find_row(value) is not None]
    if not values or len(held) < _MIN_KEY_SHARE * len(values):
        return False
    word = column.lower()
    says = other.spec.entity.replace(" ", "_").lower() in word or other.spec.key.lower() in word
    return says or (len(held) > 1 and all(isinstance(value, str) for value in values))


def _relation_name(column: str, other: TableSpec, many: bool, taken: set[str]) -> str:
    word = column
    for ending in ("_ids", "_id", "_key", "_code"):
        word = word.removesuffix(ending)
    word = f"{word}s" if many and not word.endswith("s") and word != column else word
    return next(name for name in (word, other.entity.replace(" ", "_"), f"{word}_row", f"{column}_leads") if name not in taken)
