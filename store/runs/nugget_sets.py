"""Store and load nugget sets: lists of the short facts that a good answer to an item's question must or may contain."""

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
"""Which items a list has: "all"; "none" = those without a nugget set; "drafted" = those whose set no person has saved;
"written" = those whose set a person has saved."""

STATES: tuple[NuggetState, ...] = get_args(NuggetState)


class Nugget(NamedTuple):
    """A short fact about the question of an item."""

    text: str
    importance: Importance
    evidence: tuple[Span, ...] = ()
    """Spans of documents that state the fact; empty = not known."""


@dataclass(frozen=True, slots=True)
class NuggetSet(GoldSet):
    """The nuggets of one item, for its gold answer."""

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
        """Number of the vital nuggets."""
        return sum(nugget.importance == "vital" for nugget in self.nuggets)

    @property
    def hash(self) -> str:
        """Hash of everything in the set but its number and time, which are those of one workspace."""
        return content_hash(encode_set(self))


class NuggetRow(NamedTuple):
    """An item in the list of nugget sets, with the set in use for its gold answer."""

    item: str
    question: str
    answer: str
    task: str
    level: Level
    language: str
    set: NuggetSet | None
    """The newest set; None = the item has none."""


class NuggetFilter(NamedTuple):
    """Selects accepted items with a gold answer; an empty or None field matches all of them."""

    text: str = ""
    """Text that occurs in the question, the gold answer or the nuggets, regardless of case."""
    tasks: tuple[str, ...] = ()
    level: Level = None
    domain: str | None = None
    state: NuggetState = "all"


def encode_set(one: NuggetSet) -> dict[str, Any]:
    """Return the set as JSON values for a file of nugget sets, without its number and time."""
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
    """Return the set from the JSON values that `encode_set` returns. Raises KeyError, TypeError or ValueError if they are not
    of that form."""
    return NuggetSet(
        str(record["item"]),
        str(record["answer"]),
        str(record["language"]),
        decode_nuggets(record["nuggets"]),
        str(record["by"]),
        tuple(map(str, record["prompts"])),
    )


def decode_nuggets(rows: Iterable[Mapping[str, Any]]) -> tuple[Nugget, ...]:
    """Return the nuggets from JSON values, {"text", "importance", "evidence": [[document, start, end]]} each. Raises KeyError,
    TypeError or ValueError if they are not of that form."""
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
    """Return (one page of the accepted items that the filter selects, oldest first, each with its set; their total number)."""
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
    """Return a dict from "none", "drafted" and "written" to the number of accepted items in that state; the filter's own state
    has no effect."""
    source, params = _select(only._replace(state="all"))
    sql = f"SELECT {_STATE}, count(*) {source} GROUP BY ALL"
    return {"none": 0, "drafted": 0, "written": 0} | dict(database.rows(sql, params))


def find_offline(database: Database, tasks: Collection[str] = (), domains: Collection[str] = ()) -> dict[str, bool]:
    """Return a dict from each accepted item of these tasks and domains (empty = all) that has nuggets for its gold answer to
    whether only the offline agent wrote them."""
    if not database.has_any(TABLE.name):
        return {}
    sql = f"""SELECT s.item, bool_and(q.offline) FROM state s JOIN revision r ON r.key = s.item || '@' || s.revision
    JOIN nugget_set q ON {_IS_ABOUT} WHERE s.status = 'accepted'
        AND (len(?::VARCHAR[]) = 0 OR list_contains(?::VARCHAR[], s.task))
        AND (len(?::VARCHAR[]) = 0 OR list_contains(?::VARCHAR[], s.domain)) GROUP BY s.item"""
    return dict(database.rows(sql, [list(tasks), list(tasks), list(domains), list(domains)]))


def load_frozen(database: Database, rows: Collection[Mapping[str, Any]]) -> dict[tuple[str, str], NuggetSet]:
    """Return a dict from (item, key of the gold answer) to the stored set that the row of a release's manifest names by its
    hash, {"item", "gold", "hash"} each; sets that are not stored are left out."""
    wanted = {(row["item"], row["gold"]): row["hash"] for row in rows}
    if not wanted:
        return {}
    sql = f"SELECT {', '.join(TABLE.columns)} FROM nugget_set WHERE item IN (SELECT unnest(?::VARCHAR[])) ORDER BY number"
    found = map(TABLE.read, database.rows(sql, [sorted({item for item, _ in wanted})]))
    return {(one.item, one.gold): one for one in found if wanted.get((one.item, one.gold)) == one.hash}


def import_sets(cursor: Cursor, sets: Sequence[NuggetSet]) -> int:
    """Store sets from another workspace as the newest versions, and return how many were stored. A set that a version here
    equals is left out."""
    added = 0
    for new in sets:
        sql = f"SELECT {', '.join(TABLE.columns)} FROM nugget_set WHERE item = ? AND gold = ?"
        here = {TABLE.read(row).hash for row in cursor.execute(sql, [new.item, new.gold]).fetchall()}
        if new.hash not in here:
            TABLE.append(cursor, new)
            added += 1
    return added


# Two inequalities in place of answer = answer: DuckDB then decodes the answers of items with a set alone, not of all items.
_ANSWER = """from_json(r.answers, '["VARCHAR"]')[1]"""
_IS_ABOUT = f"""q.item = s.item AND q.language = s.language AND starts_with({_ANSWER}, q.answer)
        AND length({_ANSWER}) <= length(q.answer)"""
"""SQL: the set `q` is about the gold answer of the item with the state `s` and the revision `r`."""
_STATE = "CASE WHEN q.item IS NULL THEN 'none' WHEN q.prompts = '[]' THEN 'written' ELSE 'drafted' END"


def _select(only: NuggetFilter) -> tuple[str, list[Any]]:
    """Return (the SQL after SELECT that joins the selected items with their sets, its parameters)."""
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
