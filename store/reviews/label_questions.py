"""Label questions in and out, and the answers to them that stand. An answer is part of the review that it came with; a change
of a question that would break a stored answer is refused."""

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
from store.engine.columns import (
    Fetch,
    current_time,
    fetch_from,
    from_json,
    insert_rows,
    replace_surrogates,
    split_in_batches,
    to_json,
)
from store.engine.database import Cursor, Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS

_ALL_RECORDS = "SELECT record FROM label_question ORDER BY number"


def list_questions(database: Database) -> list[LabelQuestion]:
    """All of them, retired ones too, in the order in which they were made."""
    return list(database.read_cached("label_questions", ["label_question"], lambda: fetch_questions(database.rows)))


def fetch_questions(fetch: Fetch) -> list[LabelQuestion]:
    """As every, also within a transaction."""
    return [question_from_record(from_json(row[0])) for row in fetch(_ALL_RECORDS, [])]


def save(database: Database, name: str, change: Callable[[LabelQuestion | None], LabelQuestion], by: str) -> LabelQuestion:
    """Store what `change` makes of the question of that name (None = there is none yet). Raises BenchError on a question that
    nobody could answer, and on a change that would break an answer."""

    def write(cursor: Cursor) -> LabelQuestion | BenchError:
        fetch = fetch_from(cursor)
        known = {question.name: question for question in fetch_questions(fetch)}
        before = known.get(name)
        try:
            after = change(before)
            check_question(after)
            if before is None and len(known) >= MAX_QUESTIONS:
                raise BenchError(f"There are {len(known)} label questions, and more than {MAX_QUESTIONS} cannot be kept.")
            answered = _answers_to(fetch, name)
            if before is not None:
                check_change(before, after, answered)
            elif answered:  # by reviews that came in without the question
                check_answers([after], {name: answered[0]})
        except BenchError as error:
            return error
        if after != before:
            put(cursor, [after], by)
        return after

    outcome = database.write(write)
    if isinstance(outcome, BenchError):
        raise outcome
    return outcome


def put(cursor: Cursor, questions: Iterable[LabelQuestion], by: str) -> None:
    """Store questions as they are, in the place of those of the same names, within a transaction of the caller's."""
    for question in questions:
        row = [to_json(question_record(question)), replace_surrogates(by), current_time(), question.name]
        known = cursor.execute("SELECT 1 FROM label_question WHERE name = ?", [question.name]).fetchall()
        if known:
            cursor.execute("UPDATE label_question SET record = ?, made_by = ?, made_at = ? WHERE name = ?", row)
        else:
            cursor.execute(
                """
                INSERT INTO label_question (number, record, made_by, made_at, name)
                SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ?
                FROM label_question
                """,
                row,
            )


def import_questions(database: Database, found: Sequence[LabelQuestion], by: str) -> None:
    """Questions of another workspace: those of unknown names come in; what is asked here stays as it is."""
    if found:
        database.write(lambda cursor: put(cursor, _select_unknown(cursor, found), by))


def counts(database: Database) -> dict[str, int]:
    """Question -> how many reviews ever held an answer to it."""
    rows = database.rows(
        f"""
        SELECT name, count(*)
        FROM (SELECT unnest(json_keys(details, '$.{LABEL_ANSWERS}')) AS name FROM review WHERE {_HAS_ANSWERS})
        GROUP BY name
        """
    )
    return dict(rows)


def load_effective_answers(database: Database) -> dict[str, dict[str, Any]]:
    """Item -> the answers of the decision that it is accepted by; items without any are left out."""
    if not database.has_any("label_question"):
        return {}
    rows = database.rows(
        f"""
        WITH {EFFECTIVE_REVIEWS}, deciding AS (
            SELECT d.item, d.decision, d.details
            FROM stands d JOIN state s ON s.item = d.item AND s.revision = d.revision AND s.status = 'accepted'
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
    """Keep what the items of the release of that hash are answered with."""
    columns = {"hash": "VARCHAR", "item": "VARCHAR", "answers": "VARCHAR"}
    rows = ((hash_, item, to_json(dict(one))) for item, one in answers.items())
    insert_rows(cursor, "release_label", columns, rows, "DO NOTHING")


def load_frozen_answers(database: Database, hash_: str, items: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Item -> what it is answered with in the release of that hash."""
    if not database.has_any("release_label"):
        return {}
    sql = "SELECT item, answers FROM release_label WHERE hash = ? AND item IN (SELECT unnest(?::VARCHAR[]))"
    return {item: from_json(one) for piece in split_in_batches(items) for item, one in database.rows(sql, [hash_, piece])}


_HAS_ANSWERS = f"json_extract(details, '$.{LABEL_ANSWERS}') IS NOT NULL"


def _answers_to(fetch: Fetch, name: str) -> list[Any]:
    """Every answer to it that any review ever held."""
    path = f"$.{LABEL_ANSWERS}.{name}"
    rows = fetch("SELECT json_extract(details, ?) AS answer FROM review WHERE answer IS NOT NULL", [path])
    return [from_json(answer) for (answer,) in rows]


def _select_unknown(cursor: Cursor, found: Sequence[LabelQuestion]) -> list[LabelQuestion]:
    known = {question.name for question in fetch_questions(fetch_from(cursor))}
    return [question for question in found if question.name not in known]
