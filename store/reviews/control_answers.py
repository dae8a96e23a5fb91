"""What people made of plants: which came to whom out of the queue, the rounds of practice, and every decision on one. A
decision stands when no undo of the same person's came after it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from store.engine.columns import Fetch, fetch_from, from_json, pair_key, replace_surrogates, to_json
from store.engine.database import Cursor, Database
from store.queue import leases
from store.queue.effective_reviews import IS_BULK
from store.reviews import unsent_edits
from store.reviews.unsent_edits import Scratch

QUEUE = 0
"""In the place of a round: it came out of the queue."""
_ALL_COLUMNS = "id, plant, person, round, decision, words, seconds, is_right, made_at"


class Given(NamedTuple):
    """A plant that came to a person out of the queue."""

    plant: str
    after: str
    """The item that was on the desk before it; "" = none."""
    dated: str
    """When it seems to have been drafted; UTC, ISO format."""
    times: int
    at: str
    """When it came first; UTC, ISO format."""


class Round(NamedTuple):
    """One round of practice."""

    person: str
    number: int
    """From 1 on."""
    plants: tuple[str, ...]
    passing: int
    """So many right ones pass."""
    at: str
    """UTC, ISO format."""


@dataclass(frozen=True, slots=True)
class PlantAnswer:
    """One decision on a plant. Identity: the button's idempotency key."""

    id: str
    plant: str
    person: str
    round: int
    """Of practice; QUEUE = it came out of the queue."""
    decision: Literal["accept", "discard", "undo"]
    words: Mapping[str, Any]
    """question, answer, evidence, reason, comment, claims, as they were on the screen."""
    seconds: float | None
    is_right: bool | None
    """None for an undo."""
    at: str
    """UTC, ISO format."""


class ControlCount(NamedTuple):
    """Decisions that stand, of one person on one kind of flaw."""

    person: str
    flaw: str
    is_practice: bool
    n: int
    right: int
    seconds: float | None
    """Together, of those measured."""


def give(database: Database, person: str, plant: str, *, after: str, dated: str, at: str, until: str) -> None:
    """Note that it comes to that person, once more if it came before, and hold it for them."""

    def write(cursor: Cursor) -> None:
        cursor.execute(
            """
            INSERT INTO plant_given (key, plant, person, after, dated, times, made_at)
            VALUES (?, ?, ?, ?, ?, 1, ?)
            ON CONFLICT (key) DO UPDATE SET after = excluded.after, times = times + 1
            """,
            [pair_key(person, plant), plant, replace_surrogates(person), after, dated, at],
        )
        leases.take(cursor, plant, person, at, until)

    database.write(write)


def hold(database: Database, person: str, plant: str, *, at: str, until: str) -> None:
    """Renew that person's hold of it."""
    database.write(lambda cursor: leases.take(cursor, plant, person, at, until))


def let_go(database: Database, person: str, item: str) -> None:
    """That person's hold of an item or plant ends, unrecorded: they went on to another."""
    database.write(lambda cursor: leases.drop(cursor, person, item))


def list_given(database: Database, person: str) -> list[Given]:
    """All that came to that person out of the queue, the oldest first."""
    sql = "SELECT plant, after, dated, times, made_at FROM plant_given WHERE person = ? ORDER BY made_at, plant"
    rows = database.read_cached(("given", person), ["plant_given"], lambda: database.rows(sql, [replace_surrogates(person)]))
    return [Given(*row) for row in rows]


def begin(database: Database, new: Round) -> None:
    """Store a round; one of that person and number that is there stays."""
    row = [
        pair_key(new.person, str(new.number)),
        replace_surrogates(new.person),
        new.number,
        to_json(list(new.plants)),
        new.passing,
        new.at,
    ]
    sql = """
        INSERT INTO practice_round (key, person, round, plants, passing, made_at)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (key) DO NOTHING
        """
    database.write(lambda cursor: cursor.execute(sql, row))


def rounds(database: Database, person: str | None = None) -> list[Round]:
    """That person's rounds, or everybody's, each person's oldest first."""
    where, params = ("", []) if person is None else ("WHERE person = ?", [replace_surrogates(person)])
    sql = f"SELECT person, round, plants, passing, made_at FROM practice_round {where} ORDER BY person, round"
    rows = database.rows(sql, params)
    return [Round(name, number, tuple(from_json(chosen)), passing, at) for name, number, chosen, passing, at in rows]


def answer(database: Database, new: PlantAnswer, pressed: Scratch | None = None) -> bool:
    """Store it; the person's hold of the plant goes with it, and what the tab of the pressed words kept of it. False when that
    id was there before."""

    def write(cursor: Cursor) -> bool:
        fetch = fetch_from(cursor)
        if _of_id(fetch, new.id) is not None:
            return False
        cursor.execute(
            f"""
            INSERT INTO plant_answer ({_ALL_COLUMNS}, number)
            SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(max(number), 0) + 1
            FROM plant_answer
            """,
            [
                replace_surrogates(new.id),
                new.plant,
                replace_surrogates(new.person),
                new.round,
                new.decision,
                to_json(dict(new.words)),
                new.seconds,
                new.is_right,
                new.at,
            ],
        )
        if pressed is not None:
            unsent_edits.end(cursor, pressed)
        leases.drop(cursor, new.person, new.plant)
        return True

    return database.write(write)


def of_id(database: Database, id_: str) -> PlantAnswer | None:
    """The decision of that key; None when there is none."""
    return _of_id(database.rows, id_)


def is_practising(database: Database, person: str, plant: str) -> bool:
    """Whether that person practises on it."""
    return any(plant in one.plants for one in rounds(database, person))


def is_waiting(database: Database, person: str, plant: str) -> bool:
    """Whether it came to that person, in the queue or in practice, and they have not decided on it."""
    came = any(plant == one.plant for one in list_given(database, person))
    last = max((one.number for one in rounds(database, person) if plant in one.plants), default=QUEUE)
    return (came or last > QUEUE) and not any(
        (one.plant, one.round) == (plant, last) for one in load_effective_answers(database, person)
    )


def load_effective_answers(database: Database, person: str) -> list[PlantAnswer]:
    """That person's decisions that stand, each plant's last one of a round, in the order they were made."""
    sql = f"SELECT {_ALL_COLUMNS} FROM plant_answer WHERE person = ? ORDER BY number"
    rows = database.read_cached(
        ("plant answers", person), ["plant_answer"], lambda: database.rows(sql, [replace_surrogates(person)])
    )
    found: dict[tuple[str, int], PlantAnswer] = {}
    for one in map(_answer, rows):
        found.pop((one.plant, one.round), None)
        if one.decision != "undo":
            found[one.plant, one.round] = one
    return list(found.values())


def load_answers(database: Database, person: str, plant: str) -> list[PlantAnswer]:
    """All that this person decided on that plant, undos included, in the order it was made."""
    sql = f"SELECT {_ALL_COLUMNS} FROM plant_answer WHERE plant = ? AND person = ? ORDER BY number"
    return [_answer(row) for row in database.rows(sql, [plant, replace_surrogates(person)])]


def count_decisions(database: Database, person: str, since: str) -> int:
    """How often this person decided on an item since then, undone decisions counted: it never grows less."""
    sql = """
        SELECT count(*)
        FROM review
        WHERE person = ? AND decision <> 'undo' AND role <> 'settled' AND made_at >= ?
        """
    [(n,)] = database.rows(sql, [person, since])
    return int(n)


def last_decided(database: Database, person: str) -> str:
    """When this person last decided on an item; "" = never."""
    [(at,)] = database.rows("SELECT coalesce(max(made_at), '') FROM review WHERE person = ? AND decision <> 'undo'", [person])
    return str(at)


def counts(database: Database) -> list[ControlCount]:
    """The decisions that stand by person, flaw and place; of a plant that a person decided on again the first one counts."""
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
        FROM first f
        JOIN plant p ON p.id = f.plant
        GROUP BY ALL
        ORDER BY ALL
        """
    )
    return [ControlCount(*row) for row in rows]


def fingerprint(database: Database) -> tuple[Any, ...]:
    """Another one as soon as somebody decided on a plant, or began a round."""
    [answers] = database.rows("SELECT count(*) FROM plant_answer")
    [begun] = database.rows("SELECT count(*) FROM practice_round")
    return (*answers, *begun)


def way(database: Database, person: str, limit: int) -> Sequence[str]:
    """The items, and plants of the queue, that this person decided on one by one, the newest first, each once."""
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
        [person, replace_surrogates(person), limit],
    )
    return list(dict.fromkeys(row[0] for row in rows))


def _of_id(fetch: Fetch, id_: str) -> PlantAnswer | None:
    rows = fetch(f"SELECT {_ALL_COLUMNS} FROM plant_answer WHERE id = ?", [replace_surrogates(id_)])
    return _answer(rows[0]) if rows else None


def _answer(row: tuple[Any, ...]) -> PlantAnswer:
    id_, plant, person, round_, decision, words, seconds, is_right, at = row
    return PlantAnswer(id_, plant, person, round_, decision, from_json(words), seconds, is_right, at)
