"""Store and load question sets: lists of questions with which LLM judges compare an answer with a gold answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from store.engine.columns import Timestamp, from_json
from store.engine.database import Database
from store.runs.gold_sets import GoldSet, GoldSetTable

PAGE_SIZE = 50
"""Number of question sets on one page of the list."""
SetSelection = Literal["all", "written", "left out"]
"""Which question sets a list contains: "all"; "written" = sets whose last version a person wrote; "left out" = sets without any
question that the gold answer answers."""


@dataclass(frozen=True, slots=True)
class QuestionSet(GoldSet):
    """Questions about one gold answer, with which judges check whether a system's answer agrees with the gold answer."""

    item: str
    answer: str
    language: str
    pairs: tuple[tuple[str, str], ...]
    """Pairs of a question and the answer to it according to the gold answer."""
    answered: int
    """Number of the questions that the gold answer answers."""
    by: str
    prompts: tuple[str, ...] = ()
    is_offline: bool = False
    number: int = 1
    at: Timestamp = ""


class QuestionSetRow(NamedTuple):
    """One row of the list of question sets, with the item's question."""

    set: QuestionSet
    question: str
    """Current question of the item that the set belongs to."""


def _build_set(shared: Mapping[str, Any], content: Mapping[str, Any]) -> QuestionSet:
    pairs = tuple((question, reply) for question, reply in from_json(content["pairs"]))
    return QuestionSet(pairs=pairs, answered=content["answered"], **shared)


TABLE: GoldSetTable[QuestionSet] = GoldSetTable(
    "question_set", {"pairs": lambda one: one.pairs, "answered": lambda one: one.answered}, _build_set
)


def load_page(database: Database, text: str, only: SetSelection, number: int) -> tuple[list[QuestionSetRow], int]:
    """Return (one page of the question sets in use, number of all these sets), the set of the oldest item first. A set is
    listed only if `text` occurs in the item's question, the gold answer or the set."""
    if not database.has_any("question_set"):
        return [], 0
    source, params = _select(text, only)
    [(total,)] = database.rows(f"SELECT count(*) {source}", params)
    columns = ", ".join(f"q.{name}" for name in TABLE.columns)
    sql = f"SELECT {columns}, r.question {source} ORDER BY s.number, q.gold LIMIT ? OFFSET ?"
    rows = database.rows(sql, [*params, PAGE_SIZE, PAGE_SIZE * (max(1, number) - 1)])
    return [QuestionSetRow(TABLE.read(row[:-1]), row[-1]) for row in rows], total


def list_keys(database: Database, text: str, only: SetSelection) -> list[tuple[str, str]]:
    """Return (item, key of the gold answer) for every question set that `load_page` lists, in the same order."""
    source, params = _select(text, only)
    return [(item, gold) for item, gold in database.rows(f"SELECT q.item, q.gold {source} ORDER BY s.number, q.gold", params)]


def _select(text: str, only: SetSelection) -> tuple[str, list[str]]:
    """Return (SQL after SELECT, its parameters); the SQL joins the selected question sets with their items."""
    source = f""" FROM (SELECT {", ".join(TABLE.columns)}, gold FROM question_set {TABLE.newest}) q
    JOIN state s ON s.item = q.item JOIN revision r ON
    r.key = s.item || '@' || s.revision WHERE (? = '' OR contains(lower(r.question || ' ' || q.answer || ' ' || q.pairs),
    lower(?))) AND (? = 'all' OR (? = 'written' AND q.prompts = '[]') OR (? = 'left out' AND q.answered = 0)) """
    return source, [text, text, only, only, only]
