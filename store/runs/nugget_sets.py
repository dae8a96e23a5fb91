"""Store and load nugget sets: lists of short facts that a good answer to an item's question must contain, or may contain."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from core.ids import content_hash
from core.nouns import Importance, Level, Span
from store.engine.columns import Timestamp, from_json, level_from_text, level_to_text
from store.engine.database import Cursor, Database
from store.runs.gold_sets import GoldSet, GoldSetTable

PAGE_SIZE = 50
"""Number of items on one page of the list."""
NuggetState = Literal["all", "none", "drafted", "written"]
"""Which items a list contains: "all"; "none" = items without a nugget set; "drafted" = items whose nugget set no person has
saved; "written" = items whose nugget set a person has saved."""

STATES: tuple[NuggetState, ...] = get_args(NuggetState)


class Nugget(NamedTuple):
    """A short fact that a good answer to an item's question must or may contain."""

    text: str
    importance: Importance
    evidence: tuple[Span, ...] = ()
    """Spans of documents that state the fact; empty if they are unknown."""


@dataclass(frozen=True, slots=True)
class NuggetSet(GoldSet):
    """The nuggets (short facts) of one item for its gold answer."""

    item: str
    answer: str
    language: str
    nuggets: tuple[Nugget, ...]
    by: str
    prompts: tuple[str, ...] = ()
    is_offline: bool = False
    number: int = 1
    at: Timestamp = ""

    @property
    def vital(self) -> int:
        """Number of vital nuggets, which a good answer must contain."""
        return sum(nugget.importance == "vital" for nugget in self.nuggets)

    @property
    def hash(self) -> str:
        """Hash of the nugget set without its number and time, which are different in every workspace."""
        return content_hash(encode_set(self))


class NuggetRow(NamedTuple):
    """An item in the list of nugget sets, with the nugget set for its gold answer that is in use."""

    item: str
    question: str
    answer: str
    task: str
    level: Level
    language: str
    set: NuggetSet | None
    """The newest nugget set of the item, or None if the item has none."""


class NuggetFilter(NamedTuple):
    """Selects accepted items with a gold answer; a field that is empty or None selects all of these items."""

    text: str = ""
    """Text that the question, the gold answer or the nuggets must contain, ignoring case."""
    tasks: tuple[str, ...] = ()
    level: Level = None
    domain: str | None = None
    state: NuggetState = "all"


def encode_set(one: NuggetSet) -> dict[str, Any]:
    """Return the nugget set as JSON values for a file, without its number and time."""
    nuggets = [
        {"text": nugget.text, "importance": nugget.importance, "evidence": [list(_triple(span)) for span in nugget.evidence]}
        for nugget in one.nuggets
    ]
    return {
        "item": one.item,
        "answer": one.answer,
        "language": one.language,
        "nuggets": nuggets,
        "by": one.by,
        "prompts": list(one.prompts),
    }


def decode_set(record: Mapping[str, Any]) -> NuggetSet:
    """Return the nugget set from JSON values that `encode_set` returned. Raises KeyError, TypeError or ValueError if the values
    do not have that form."""
    return NuggetSet(
        str(record["item"]),
        str(record["answer"]),
        str(record["language"]),
        decode_nuggets(record["nuggets"]),
        str(record["by"]),
        tuple(map(str, record["prompts"])),
    )


def decode_nuggets(rows: Iterable[Mapping[str, Any]]) -> tuple[Nugget, ...]:
    """Return nuggets from JSON values; each nugget is {"text", "importance", "evidence": [[document, start, end]]}. Raises
    KeyError, TypeError or ValueError if the values do not have that form."""
    return tuple(
        Nugget(
            str(row["text"]),
            "vital" if row["importance"] == "vital" else "okay",
            tuple(Span(str(document), int(start), int(end)) for document, start, end in row.get("evidence", ())),
        )
        for row in rows
    )


def _triple(span: Span) -> tuple[str, int, int]:
    return span.document, span.start, span.end


def _build_set(shared: Mapping[str, Any], content: Mapping[str, Any]) -> NuggetSet:
    return NuggetSet(nuggets=decode_nuggets(from_json(content["nuggets"])), **shared)


TABLE: GoldSetTable[NuggetSet] = GoldSetTable("nugget_set", {"nuggets": lambda one: encode_set(one)["nuggets"]}, _build_set)


def load_page(database: Database, only: NuggetFilter, number: int, size: int = PAGE_SIZE) -> tuple[list[NuggetRow], int]:
    """Return (one page of the accepted items that the filter selects, number of all these items). The items are sorted oldest
    first, each with its nugget set."""
    source, params = _select(only)
    [(total,)] = database.rows(f"SELECT count(*) {source}", params)
    columns = ", ".join(f"q.{name}" for name in TABLE.columns)
    sql = f"""SELECT s.item, r.question, from_json(r.answers, '["VARCHAR"]')[1], s.task, s.level, s.language, {columns}
    {source} ORDER BY s.number LIMIT ? OFFSET ?"""
    return [_read_row(row) for row in database.rows(sql, [*params, size, size * (max(1, number) - 1)])], total


def list_items(database: Database, only: NuggetFilter) -> list[str]:
    """Return the ids of all accepted items that the filter selects, oldest first."""
    source, params = _select(only)
    return [row[0] for row in database.rows(f"SELECT s.item {source} ORDER BY s.number", params)]


def count_states(database: Database, only: NuggetFilter) -> dict[str, int]:
    """Return a dict from "none", "drafted" and "written" to the number of accepted items in this state. The state that the
    filter itself selects is ignored."""
    source, params = _select(only._replace(state="all"))
    sql = f"SELECT {_STATE}, count(*) {source} GROUP BY ALL"
    return {"none": 0, "drafted": 0, "written": 0} | dict(database.rows(sql, params))


def find_offline(database: Database, tasks: Collection[str] = (), domains: Collection[str] = ()) -> dict[str, bool]:
    """Return a dict from item to whether only the offline agent wrote its nuggets. The dict contains the accepted items of
    these tasks and domains (empty = all) with nuggets for their gold answer."""
    if not database.has_any(TABLE.name):
        return {}
    sql = f"""SELECT s.item, bool_and(q.offline) FROM state s JOIN revision r ON r.key = s.item || '@' || s.revision
    JOIN nugget_set q ON {_IS_ABOUT} WHERE s.status = 'accepted'
        AND (len(?::VARCHAR[]) = 0 OR list_contains(?::VARCHAR[], s.task))
        AND (len(?::VARCHAR[]) = 0 OR list_contains(?::VARCHAR[], s.domain)) GROUP BY s.item"""
    return dict(database.rows(sql, [list(tasks), list(tasks), list(domains), list(domains)]))


def load_frozen(database: Database, rows: Collection[Mapping[str, Any]]) -> dict[tuple[str, str], NuggetSet]:
    """Return a dict from (item, key of the gold answer) to a nugget set. The sets are those that a release's manifest names,
    each as {"item", "gold", "hash"}; sets that are not stored are left out."""
    wanted = {(row["item"], row["gold"]): row["hash"] for row in rows}
    if not wanted:
        return {}
    sql = f"SELECT {', '.join(TABLE.columns)} FROM nugget_set WHERE item IN (SELECT unnest(?::VARCHAR[])) ORDER BY number"
    found = map(TABLE.read, database.rows(sql, [sorted({item for item, _ in wanted})]))
    return {(one.item, one.gold): one for one in found if wanted.get((one.item, one.gold)) == one.hash}


def import_sets(cursor: Cursor, sets: Sequence[NuggetSet]) -> int:
    """Store nugget sets from another workspace as the newest versions; return how many were stored. A set that equals a version
    stored here is not stored again."""
    added = 0
    for new in sets:
        sql = f"SELECT {', '.join(TABLE.columns)} FROM nugget_set WHERE item = ? AND gold = ?"
        here = {TABLE.read(row).hash for row in cursor.execute(sql, [new.item, new.gold]).fetchall()}
        if new.hash not in here:
            TABLE.append(cursor, new)
            added += 1
    return added


# Two inequalities instead of answer = answer, so that DuckDB decodes the answers only of items that have a set.
_ANSWER = """from_json(r.answers, '["VARCHAR"]')[1]"""
_IS_ABOUT = f"""q.item = s.item AND q.language = s.language AND starts_with({_ANSWER}, q.answer)
        AND length({_ANSWER}) <= length(q.answer)"""
"""SQL condition: the nugget set `q` is about the gold answer of the item with the state `s` and the revision `r`."""
_STATE = "CASE WHEN q.item IS NULL THEN 'none' WHEN q.prompts = '[]' THEN 'written' ELSE 'drafted' END"


def _select(only: NuggetFilter) -> tuple[str, list[Any]]:
    """Return (SQL after SELECT, its parameters); the SQL joins the selected items with their nugget sets."""
    source = f"""FROM state s JOIN revision r ON r.key = s.item || '@' || s.revision
    LEFT JOIN (SELECT {", ".join(TABLE.columns)}, gold FROM nugget_set {TABLE.newest}) q ON {_IS_ABOUT}
    WHERE s.status = 'accepted' AND r.answers NOT IN ('[]', '[""]')
        AND (? = '' OR contains(lower(r.question || ' ' || r.answers || ' ' || coalesce(q.nuggets, '')), lower(?)))
        AND (len(?::VARCHAR[]) = 0 OR list_contains(?::VARCHAR[], s.task))
        AND (?::VARCHAR IS NULL OR s.level = ?) AND (?::VARCHAR IS NULL OR s.domain = ?)
        AND (? = 'all' OR ? = {_STATE})"""
    text, tasks, level = only.text.strip(), list(only.tasks), level_to_text(only.level)
    params = [text, text, tasks, tasks, level, level, only.domain, only.domain, only.state, only.state]
    return source, params


def _read_row(row: Sequence[Any]) -> NuggetRow:
    item, question, answer, task, level, language = row[:6]
    one = None if row[6] is None else TABLE.read(row[6:])
    return NuggetRow(item, question, answer, task, level_from_text(level), language, one)
