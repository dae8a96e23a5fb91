"""Store and load question sets: lists of questions with which LLM judges check answers against a gold answer. Every version
stays stored; the newest set for an item and gold answer is in use. Sets written by the offline agent (without an LLM) are never
used by an LLM judge."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from core.ids import content_hash
from store.engine.columns import Timestamp, current_time, decode_json, insert_row
from store.engine.database import Cursor, Database

PAGE_SIZE = 50
"""Number of question sets on one page of the list."""
SetSelection = Literal["all", "written", "left out"]
"""Which question sets a list has: "all"; "written" = those with a last version by a person; "left out" = those with no question
that the gold answer answers."""
_COLUMNS = "item, gold, number, language, answer, pairs, answered, made_by, prompts, offline, made_at"
_NEWEST = "QUALIFY row_number() OVER (PARTITION BY item, gold ORDER BY number DESC) = 1"


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions about one gold answer, with which judges check whether a system's answer agrees with it."""

    item: str
    answer: str
    """The gold answer that the questions are about."""
    language: str
    pairs: tuple[tuple[str, str], ...]
    """Pairs of (question, the answer that the gold answer gives to it)."""
    answered: int
    """Number of the questions that the gold answer answers."""
    by: str
    """Name of the judge or person who wrote the questions."""
    prompts: tuple[str, ...] = ()
    """Identities (name@hash) of the judge's prompts; empty for a set by a person."""
    is_offline: bool = False
    number: int = 1
    at: Timestamp = ""

    @property
    def gold(self) -> str:
        """Return the key of the gold answer that the questions are about."""
        return gold_key(self.answer, self.language)

    @property
    def is_written(self) -> bool:
        """Check whether a person wrote the question set."""
        return not self.prompts


class QuestionSetRow(NamedTuple):
    """One row of the list of question sets, with the item's question."""

    set: QuestionSet
    question: str
    """Current question of the item that the set belongs to."""


def gold_key(answer: str, language: str) -> str:
    """Return the key that identifies this gold answer in question sets."""
    return content_hash([answer, language]).removeprefix("b2:")[:16]


def insert_sets(cursor: Cursor, sets: Sequence[QuestionSet]) -> None:
    """Store question sets that a judge wrote, within the caller's transaction. A new set is not stored if that judge can
    already use a stored set for the same gold answer."""
    for new in {(new.item, new.gold): new for new in sets}.values():
        stored = _fetch_numbers(cursor, new)
        if not any(new.is_offline or not is_offline for _, is_offline in stored):
            _insert(cursor, new, max((number for number, _ in stored), default=0) + 1)


def write(database: Database, written: QuestionSet, seen: int) -> bool:
    """Store a question set that a person wrote after seeing the sets up to the number `seen`. If another set was added since,
    store nothing and return False."""

    def add(cursor: Cursor) -> bool:
        last = max((number for number, _ in _fetch_numbers(cursor, written)), default=0)
        if last != seen:
            return False
        _insert(cursor, written, last + 1)
        return True

    return database.write(add)


def load_counting_sets(database: Database, items: Collection[str], for_offline: bool) -> dict[tuple[str, str], QuestionSet]:
    """Return a dict from (item, key of the gold answer) to the question set in use. `for_offline` selects the sets that offline
    judges use."""
    if not database.has_any("question_set"):
        return {}
    where = "item IN (SELECT unnest(?::VARCHAR[])) AND (? OR NOT offline)"
    rows = database.rows(f"SELECT {_COLUMNS} FROM question_set WHERE {where} {_NEWEST}", [list(items), for_offline])
    return {(row[0], row[1]): _set_from_row(row) for row in rows}


def load_versions(database: Database, item: str, gold: str) -> list[QuestionSet]:
    """Return every version of the question set for the item and gold answer, oldest first."""
    sql = f"SELECT {_COLUMNS} FROM question_set WHERE item = ? AND gold = ? ORDER BY number"
    return [_set_from_row(row) for row in database.rows(sql, [item, gold])]


def load_page(database: Database, text: str, only: SetSelection, number: int) -> tuple[list[QuestionSetRow], int]:
    """Return (one page of the question sets in use, oldest item first; their total number). Only sets are listed for which
    `text` occurs in the item's question, the gold answer or the set."""
    if not database.has_any("question_set"):
        return [], 0
    source = f""" FROM (SELECT {_COLUMNS} FROM question_set {_NEWEST}) q JOIN state s ON s.item = q.item JOIN revision r ON
    r.key = s.item || '@' || s.revision WHERE (? = '' OR contains(lower(r.question || ' ' || q.answer || ' ' || q.pairs),
    lower(?))) AND (? = 'all' OR (? = 'written' AND q.prompts = '[]') OR (? = 'left out' AND q.answered = 0)) """
    params = [text, text, only, only, only]
    [(total,)] = database.rows(f"SELECT count(*) {source}", params)
    columns = ", ".join(f"q.{name}" for name in _COLUMNS.split(", "))
    sql = f"SELECT {columns}, r.question {source} ORDER BY s.number, q.gold LIMIT ? OFFSET ?"
    rows = database.rows(sql, [*params, PAGE_SIZE, PAGE_SIZE * (max(1, number) - 1)])
    return [QuestionSetRow(_set_from_row(row), row[-1]) for row in rows], total


def _fetch_numbers(cursor: Cursor, new: QuestionSet) -> list[tuple[int, bool]]:
    """Return (version number, whether the offline agent wrote the set) for every question set of the same item and gold answer
    as `new`."""
    sql = "SELECT number, offline FROM question_set WHERE item = ? AND gold = ?"
    return cursor.execute(sql, [new.item, new.gold]).fetchall()


def _insert(cursor: Cursor, new: QuestionSet, number: int) -> None:
    row = (new.item, new.gold, number, new.language, new.answer, new.pairs, new.answered, new.by, new.prompts, new.is_offline)
    key = f"{new.item}/{new.gold}/{number}"
    insert_row(cursor, "question_set", f"{_COLUMNS}, key", (*row, current_time(), key))


def _set_from_row(row: Sequence[Any]) -> QuestionSet:
    item, _, number, language, answer, pairs, answered, by, prompts, is_offline, at = decode_json(row[:11], 5, 8)
    pairs = tuple((question, reply) for question, reply in pairs)
    return QuestionSet(item, answer, language, pairs, answered, by, tuple(prompts), is_offline, number, at)
