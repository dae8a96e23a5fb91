"""Store how people reviewed control items (copies of items with a known error): which ones the queue showed to a person, the
qualification rounds, and every decision.

A person's decision on a control item is in effect unless the same person undid it later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from store.engine.columns import Fetch, Timestamp, decode_json, fetch_from, insert_row, insert_rows, pair_key
from store.engine.database import Cursor, Database
from store.queue import leases
from store.queue.effective_reviews import IS_BULK
from store.reviews import unsent_edits
from store.reviews.unsent_edits import UnsentEdit

QUEUE = 0
"""Value of `ControlAnswer.round` for a control item that came from the review queue and not from a qualification round."""
_COLUMNS = "id, plant, person, round, decision, words, seconds, is_right, made_at"


class ShownControl(NamedTuple):
    """A control item that the queue showed to a person."""

    control: str
    after: str
    """Id of the item that the person reviewed just before the control item; "" if there was none."""
    dated: Timestamp
    """Time that the screen gives as the time when the control item was drafted."""
    times: int
    at: Timestamp
    """Time when the control item was first shown to the person."""


class QualificationRound(NamedTuple):
    """One round of qualification: control items that a person reviews before real items."""

    person: str
    number: int
    """Number of the qualification round, counted from 1 for each person."""
    controls: tuple[str, ...]
    passing: int
    """Minimum number of right decisions with which the person passes the round."""
    at: Timestamp


@dataclass(frozen=True, slots=True)
class ControlAnswer:
    """One person's decision on a control item, identified by a key that the click sends, so that it is stored only once."""

    id: str
    control: str
    person: str
    round: int
    """Number of the qualification round, or QUEUE for a control item from the review queue."""
    decision: Literal["accept", "discard", "undo"]
    words: Mapping[str, Any]
    """What the screen showed: question, answer, evidence, reason, comment and claims."""
    seconds: float | None
    is_right: bool | None
    """Whether the person's decision is right, or None for an undo."""
    at: Timestamp


class ControlCount(NamedTuple):
    """Number of one person's decisions on control items with one kind of injected error, and how many of them were right.
    Undone decisions do not count."""

    person: str
    injected_error: str
    is_qualification: bool
    n: int
    right: int
    seconds: float | None
    """Sum of the measured seconds, or None if no time was measured."""


def show_control(database: Database, person: str, control: str, *, after: str, dated: str, at: str, until: str) -> None:
    """Record that the queue shows the control item to the person, and reserve it for the person with a lease of limited time.
    Showing the control item again only renews the lease."""

    def write(cursor: Cursor) -> None:
        cursor.execute(
            """
            INSERT INTO plant_given (key, plant, person, after, dated, times, made_at)
            VALUES (?, ?, ?, ?, ?, 1, ?)
            ON CONFLICT (key) DO UPDATE SET after = excluded.after, times = times + 1
            """,
            [pair_key(person, control), control, person, after, dated, at],
        )
        leases.take(cursor, control, person, at, until)

    database.write(write)


def hold(database: Database, person: str, control: str, *, at: str, until: str) -> None:
    """Renew the person's lease (temporary reservation) of the control item."""
    database.write(lambda cursor: leases.take(cursor, control, person, at, until))


def release_hold(database: Database, person: str, item: str) -> None:
    """End the person's lease (temporary reservation) of an item or control item, because the person moves on to another item.
    The end is not recorded."""
    database.write(lambda cursor: leases.drop_lease(cursor, person, item))


def list_shown(database: Database, person: str) -> list[ShownControl]:
    """Return the control items that the queue showed to the person, oldest first."""
    sql = "SELECT plant, after, dated, times, made_at FROM plant_given WHERE person = ? ORDER BY made_at, plant"
    rows = database.read_cached(("given", person), ["plant_given"], lambda: database.rows(sql, [person]))
    return [ShownControl(*row) for row in rows]


def add_round(database: Database, new: QualificationRound) -> None:
    """Store a qualification round. If the person already has a round with the same number, nothing is stored."""
    row = (pair_key(new.person, str(new.number)), *new)
    database.write(lambda cursor: insert_rows(cursor, "practice_round", "key, person, round, plants, passing, made_at", [row]))


def load_rounds(database: Database, person: str | None = None) -> list[QualificationRound]:
    """Return the qualification rounds of one person, or of all people, oldest first for each person."""
    if not database.has_any("practice_round"):
        return []
    where, params = ("", []) if person is None else ("WHERE person = ?", [person])
    sql = f"SELECT person, round, plants, passing, made_at FROM practice_round {where} ORDER BY person, round"
    rows = (decode_json(row, 2) for row in database.rows(sql, params))
    return [QualificationRound(name, number, tuple(controls), *rest) for name, number, controls, *rest in rows]


def add_answer(database: Database, new: ControlAnswer, pressed: UnsentEdit | None = None) -> bool:
    """Store the person's answer to a control item, end the person's lease on it, and delete the unsent text of the browser tab
    in which the person clicked.

    Return True, or False if an answer with the same id is already stored."""

    def write(cursor: Cursor) -> bool:
        fetch = fetch_from(cursor)
        if _fetch_answer(fetch, new.id) is not None:
            return False
        values = (new.id, new.control, new.person, new.round, new.decision, new.words, new.seconds, new.is_right, new.at)
        insert_row(cursor, "plant_answer", _COLUMNS, values, is_numbered=True)
        if pressed is not None:
            unsent_edits.forget_sent(cursor, pressed)
        leases.drop_lease(cursor, new.person, new.control)
        return True

    return database.write(write)


def find_answer(database: Database, id_: str) -> ControlAnswer | None:
    """Return the answer to a control item that was stored under the given key, or None if there is none."""
    return _fetch_answer(database.rows, id_)


def is_in_qualification(database: Database, person: str, control: str) -> bool:
    """Check whether the control item belongs to one of the person's qualification rounds."""
    return any(control in stored.controls for stored in load_rounds(database, person))


def is_waiting(database: Database, person: str, control: str) -> bool:
    """Check whether a control item was shown to the person, in the queue or in qualification, and the person has not decided on
    it yet."""
    is_shown = control in {control_item.control for control_item in list_shown(database, person)}
    last = max((stored.number for stored in load_rounds(database, person) if control in stored.controls), default=QUEUE)
    decided = {(answer.control, answer.round) for answer in load_effective_answers(database, person)}
    return (is_shown or last > QUEUE) and (control, last) not in decided


def load_effective_answers(database: Database, person: str) -> list[ControlAnswer]:
    """Return the person's last decision on each control item in each round, in the order in which they were made. Undone
    decisions are left out."""
    sql = f"SELECT {_COLUMNS} FROM plant_answer WHERE person = ? ORDER BY number"
    rows = database.read_cached(("plant answers", person), ["plant_answer"], lambda: database.rows(sql, [person]))
    answers: dict[tuple[str, int], ControlAnswer] = {}
    for answer in map(_answer_from_row, rows):
        answers.pop((answer.control, answer.round), None)
        if answer.decision != "undo":
            answers[answer.control, answer.round] = answer
    return list(answers.values())


def load_answers(database: Database, person: str, control: str) -> list[ControlAnswer]:
    """Return all decisions of the person on the control item, including undos, in the order in which they were made."""
    sql = f"SELECT {_COLUMNS} FROM plant_answer WHERE plant = ? AND person = ? ORDER BY number"
    return [_answer_from_row(row) for row in database.rows(sql, [control, person])]


def count_decisions(database: Database, person: str, since: str) -> int:
    """Return how many decisions on items the person has made since the time `since`. Decisions that were undone also count, so
    that the number never decreases."""
    sql = "SELECT count(*) FROM review WHERE person = ? AND decision <> 'undo' AND role <> 'settled' AND made_at >= ?"
    [(n,)] = database.rows(sql, [person, since])
    return int(n)


def load_last_decision_time(database: Database, person: str) -> str:
    """Return the time when this person last decided on an item, or "" if never."""
    [(at,)] = database.rows("SELECT coalesce(max(made_at), '') FROM review WHERE person = ? AND decision <> 'undo'", [person])
    return str(at)


def count_outcomes(database: Database) -> list[ControlCount]:
    """Return the number of decisions on control items by person, kind of error and source (queue or qualification). Undone
    decisions do not count. If a person decided several times on one control item, only the first decision counts."""
    rows = database.rows(
        """
        WITH undone AS (
            SELECT person, plant, round, max(number) AS number
            FROM plant_answer
            WHERE decision = 'undo'
            GROUP BY ALL
        ), first AS (
            SELECT
                a.person, a.plant, a.round, arg_min(a.is_right, a.number) AS is_right, arg_min(a.seconds, a.number) AS seconds
            FROM plant_answer a
            LEFT JOIN undone u ON u.person = a.person AND u.plant = a.plant AND u.round = a.round
            WHERE a.decision <> 'undo' AND a.number > coalesce(u.number, 0)
            GROUP BY ALL
        )
        SELECT f.person, p.flaw, f.round > 0, count(*), count(*) FILTER (f.is_right), sum(f.seconds)
        FROM first f JOIN plant p ON p.id = f.plant
        GROUP BY ALL
        ORDER BY ALL
        """
    )
    return [ControlCount(*row) for row in rows]


def fingerprint(database: Database) -> tuple[Any, ...]:
    """Return a value that changes whenever a person decides on a control item or begins a qualification round."""
    return database.rows("SELECT (SELECT count(*) FROM plant_answer), (SELECT count(*) FROM practice_round)")[0]


def list_recent_decisions(database: Database, person: str, limit: int) -> Sequence[str]:
    """Return the distinct ids of the items, and of the control items from the queue, that the person decided on one by one (not
    in bulk), newest decision first."""
    rows = database.rows(
        f"""
        SELECT item
        FROM (
            SELECT item, made_at, number
            FROM review
            WHERE person = ? AND decision <> 'undo' AND role <> 'settled' AND NOT {IS_BULK}
                AND item IN (SELECT item FROM state)
            UNION ALL
            SELECT plant, made_at, number
            FROM plant_answer
            WHERE person = ? AND decision <> 'undo' AND round = 0
        )
        ORDER BY made_at DESC, number DESC
        LIMIT ?
        """,
        [person, person, limit],
    )
    return list(dict.fromkeys(row[0] for row in rows))


def _fetch_answer(fetch: Fetch, id_: str) -> ControlAnswer | None:
    rows = fetch(f"SELECT {_COLUMNS} FROM plant_answer WHERE id = ?", [id_])
    return _answer_from_row(rows[0]) if rows else None


def _answer_from_row(row: tuple[Any, ...]) -> ControlAnswer:
    return ControlAnswer(*decode_json(row, 5))
