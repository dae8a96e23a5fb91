"""Store and load label questions, which reviewers answer about an item, and load the answers that are in effect. An answer is
part of a review. A change of a label question is refused if it would make a stored answer invalid."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.label_questions import (
    LABEL_ANSWERS,
    MAX_QUESTIONS,
    LabelQuestion,
    check_answers,
    check_change,
    check_question,
    question_from_record,
    question_record,
)
from store.engine.columns import Fetch, current_time, fetch_from, fetch_in_batches, from_json, insert_rows
from store.engine.database import Cursor, Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS

_HAS_ANSWERS = f"json_extract(details, '$.{LABEL_ANSWERS}') IS NOT NULL"
"""SQL condition for reviews that contain answers to label questions."""


def list_questions(database: Database) -> list[LabelQuestion]:
    """Return all label questions, including retired ones, in the order in which they were created."""
    return list(database.read_cached("label_questions", ["label_question"], lambda: fetch_questions(database.rows)))


def fetch_questions(fetch: Fetch) -> list[LabelQuestion]:
    """Return all label questions like `list_questions`, using the query function of a transaction."""
    rows = fetch("SELECT record FROM label_question ORDER BY number", [])
    return [question_from_record(from_json(record)) for (record,) in rows]


def save(database: Database, name: str, change: Callable[[LabelQuestion | None], LabelQuestion], by: str) -> LabelQuestion:
    """Call `change` with the stored label question of this name (None if there is none), and store the label question that it
    returns. Raises BenchError if the new question is invalid, or if a stored answer would become invalid."""

    def write(cursor: Cursor) -> LabelQuestion | BenchError:
        fetch = fetch_from(cursor)
        stored = {question.name: question for question in fetch_questions(fetch)}
        before = stored.get(name)
        try:
            after = change(before)
            check_question(after)
            if before is None and len(stored) >= MAX_QUESTIONS:
                raise BenchError(
                    f"There are {len(stored)} label questions, and at most {MAX_QUESTIONS} are allowed: first retire one."
                )
            answered = _fetch_answers(fetch, name)
            if before is not None:
                check_change(before, after, answered)
            elif answered:  # imported reviews can have answers to unknown questions
                check_answers([after], {name: answered[0]})
        except BenchError as error:
            return error
        if after != before:
            put(cursor, [after], by)
        return after

    return database.write_or_raise(write)


def put(cursor: Cursor, questions: Iterable[LabelQuestion], by: str) -> None:
    """Store label questions within the caller's transaction. A label question replaces a stored one with the same name."""
    by_name = {question.name: question for question in questions}
    rows = [(question_record(question), by, current_time(), name) for name, question in by_name.items()]
    replaced = ", ".join(f"{name} = excluded.{name}" for name in ("record", "made_by", "made_at"))
    conflict = f"(name) DO UPDATE SET {replaced}"
    insert_rows(cursor, "label_question", "record, made_by, made_at, name", rows, conflict, is_numbered=True)


def import_questions(database: Database, questions: Sequence[LabelQuestion]) -> None:
    """Store those label questions of another workspace whose names are not used here; this workspace's own questions do not
    change."""
    if questions:
        database.write(lambda cursor: put(cursor, _select_unknown(cursor, questions), by=""))


def counts(database: Database) -> dict[str, int]:
    """Return a dict from label question to the number of reviews that ever contained an answer to it."""
    rows = database.rows(
        f"""
        SELECT name, count(*)
        FROM (SELECT unnest(json_keys(details, '$.{LABEL_ANSWERS}')) AS name FROM review WHERE {_HAS_ANSWERS})
        GROUP BY name
        """
    )
    return dict(rows)


def load_effective_answers(database: Database) -> dict[str, dict[str, Any]]:
    """Return a dict from item to the answers to label questions in the decision that accepted the item. Items without answers
    are left out."""
    if not database.has_any("label_question"):
        return {}
    rows = database.rows(
        f"""
        WITH {EFFECTIVE_REVIEWS}, deciding AS (
            SELECT d.item, d.decision, d.details
            FROM effective d JOIN state s ON s.item = d.item AND s.revision = d.revision AND s.status = 'accepted'
            WHERE d.role <> 'opinion'
            QUALIFY row_number() OVER (PARTITION BY d.item ORDER BY d.number DESC) = 1
        )
        SELECT item, json_extract(details, '$.{LABEL_ANSWERS}')
        FROM deciding
        WHERE decision = 'accept' AND {_HAS_ANSWERS}
        """
    )
    return {item: from_json(answers) for item, answers in rows}


def freeze_answers(cursor: Cursor, hash_: str, answers: Mapping[str, Mapping[str, Any]]) -> None:
    """Store the items' answers to label questions as part of the release with the hash `hash_`. `answers` is a dict from item
    to its answers."""
    insert_rows(cursor, "release_label", "hash, item, answers", ((hash_, item, values) for item, values in answers.items()))


def load_frozen_answers(database: Database, hash_: str, items: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return a dict from item to its answers to label questions in the release with the hash `hash_`."""
    if not database.has_any("release_label"):
        return {}
    sql = "SELECT item, answers FROM release_label WHERE hash = ? AND item IN (SELECT unnest(?::VARCHAR[]))"
    return {item: from_json(answers) for item, answers in fetch_in_batches(database.rows, sql, items, hash_)}


def _fetch_answers(fetch: Fetch, name: str) -> list[Any]:
    """Return all answers to the label question, from all reviews."""
    path = f"$.{LABEL_ANSWERS}.{name}"
    rows = fetch("SELECT json_extract(details, ?) AS answer FROM review WHERE answer IS NOT NULL", [path])
    return [from_json(answer) for (answer,) in rows]


def _select_unknown(cursor: Cursor, questions: Sequence[LabelQuestion]) -> list[LabelQuestion]:
    stored = {question.name for question in fetch_questions(fetch_from(cursor))}
    return [question for question in questions if question.name not in stored]
