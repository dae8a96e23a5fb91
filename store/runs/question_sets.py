"""Question sets of gold answers in and out: each is kept, and of one item and gold answer the last counts. What the offline
agent (no LLM) made never counts for a judge that is an LLM."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from core.ids import content_hash
from store.engine.columns import current_time, from_json, insert_row, to_json
from store.engine.database import Cursor, Database

PAGE = 50
SetSelection = Literal["all", "written", "left out"]
"""All there are; those that a person wrote last; those with no question that the gold answer answers."""
_COLUMNS = (
    "key",
    "item",
    "gold",
    "number",
    "language",
    "answer",
    "pairs",
    "answered",
    "made_by",
    "prompts",
    "offline",
    "made_at",
)
_ALL_COLUMNS = ", ".join(_COLUMNS[1:])
_NEWEST_SETS = (
    f"SELECT {_ALL_COLUMNS} FROM question_set QUALIFY row_number() OVER (PARTITION BY item, gold ORDER BY number DESC) = 1"
)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """What is asked about one gold answer."""

    item: str
    answer: str
    """The gold answer."""
    language: str
    pairs: tuple[tuple[str, str], ...]
    """(question, the gold answer's answer to it)."""
    answered: int
    """Questions that the gold answer answers."""
    by: str
    """The judge's name, or the person's."""
    prompts: tuple[str, ...] = ()
    """name@hash of the prompts that gave it; () = a person wrote it."""
    is_offline: bool = False
    number: int = 1
    at: str = ""
    """UTC, ISO format."""

    @property
    def gold(self) -> str:
        """What the gold answer is known by."""
        return gold_key(self.answer, self.language)

    @property
    def is_written(self) -> bool:
        """Whether a person wrote it."""
        return not self.prompts


class QuestionSetRow(NamedTuple):
    """One line of a list."""

    set: QuestionSet
    question: str
    """The item's, as it is now."""


def gold_key(answer: str, language: str) -> str:
    """What a gold answer is known by."""
    return content_hash([answer, language]).removeprefix("b2:")[:16]


def insert_made(cursor: Cursor, made: Sequence[QuestionSet]) -> None:
    """Keep sets that a judge made, within a transaction of the caller's; where one is there that counts for that judge, it
    stays."""
    for one in {(one.item, one.gold): one for one in made}.values():
        last = _numbers(cursor, one)
        if not any(one.is_offline or not is_offline for _, is_offline in last):
            _insert(cursor, one, max((number for number, _ in last), default=0) + 1)


def write(database: Database, written: QuestionSet, seen: int) -> bool:
    """Keep what a person wrote over number `seen`. False, and nothing is kept, when another has come since."""

    def add(cursor: Cursor) -> bool:
        last = max((number for number, _ in _numbers(cursor, written)), default=0)
        if last != seen:
            return False
        _insert(cursor, written, last + 1)
        return True

    return database.write(add)


def load_counting_sets(database: Database, items: Collection[str], for_offline: bool) -> dict[tuple[str, str], QuestionSet]:
    """(item, gold) -> the set that counts, of those items; `for_offline` = offline judges alone ask by them."""
    if not database.has_any("question_set"):
        return {}
    rows = database.rows(
        f"""
        SELECT {_ALL_COLUMNS}
        FROM question_set
        WHERE item IN (SELECT unnest(?::VARCHAR[])) AND (? OR NOT offline)
        QUALIFY row_number() OVER (PARTITION BY item, gold ORDER BY number DESC) = 1
        """,
        [list(items), for_offline],
    )
    return {(row[0], row[1]): _set(row) for row in rows}


def load_versions(database: Database, item: str, gold: str) -> list[QuestionSet]:
    """Every set of that item and gold answer, oldest first."""
    sql = f"SELECT {_ALL_COLUMNS} FROM question_set WHERE item = ? AND gold = ? ORDER BY number"
    return [_set(row) for row in database.rows(sql, [item, gold])]


def load_page(database: Database, text: str, only: SetSelection, number: int) -> tuple[list[QuestionSetRow], int]:
    """(PAGE of the sets that count, the item that came first at the top; how many there are). `text` stands in the item's
    question, the gold answer or the set."""
    if not database.has_any("question_set"):
        return [], 0
    found = f"""
        FROM ({_NEWEST_SETS}) q JOIN state s ON s.item = q.item JOIN revision r ON r.key = s.item || '@' || s.revision
        WHERE (? = '' OR contains(lower(r.question || ' ' || q.answer || ' ' || q.pairs), lower(?)))
            AND (? = 'all' OR (? = 'written' AND q.prompts = '[]') OR (? = 'left out' AND q.answered = 0))
        """
    params = [text, text, only, only, only]
    [(total,)] = database.rows(f"SELECT count(*) {found}", params)
    columns = ", ".join(f"q.{name}" for name in _COLUMNS[1:])
    sql = f"SELECT {columns}, r.question {found} ORDER BY s.number, q.gold LIMIT ? OFFSET ?"
    rows = database.rows(sql, [*params, PAGE, PAGE * (max(1, number) - 1)])
    return [QuestionSetRow(_set(row), row[-1]) for row in rows], total


def _numbers(cursor: Cursor, one: QuestionSet) -> list[tuple[int, bool]]:
    """(number, whether the offline agent made it) of all sets of its item and gold answer."""
    sql = "SELECT number, offline FROM question_set WHERE item = ? AND gold = ?"
    return cursor.execute(sql, [one.item, one.gold]).fetchall()


def _insert(cursor: Cursor, one: QuestionSet, number: int) -> None:
    insert_row(
        cursor,
        "question_set",
        _COLUMNS,
        [
            f"{one.item}/{one.gold}/{number}",
            one.item,
            one.gold,
            number,
            one.language,
            one.answer,
            to_json(one.pairs),
            one.answered,
            one.by,
            to_json(one.prompts),
            one.is_offline,
            current_time(),
        ],
    )


def _set(row: Sequence[Any]) -> QuestionSet:
    item, _, number, language, answer, pairs, answered, by, prompts, is_offline, at = row[:11]
    return QuestionSet(
        item,
        answer,
        language,
        tuple((question, said) for question, said in from_json(pairs)),
        answered,
        by,
        tuple(from_json(prompts)),
        is_offline,
        number,
        at,
    )
