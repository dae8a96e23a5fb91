"""The queue: which drafted items there are of a kind, how many are left, and the way back. It reads the state rows alone, so
that a hundred thousand items cost what a thousand do. Who gets the next one is the matter of leases.py."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.nouns import Level
from store.columns import level_from_text, level_to_text
from store.database import Database

WAITING = "drafted"
FAR = 200
"""Decisions of a person that are looked through on the way back."""


class Kind(NamedTuple):
    """Which items a person wants to see; None = any."""

    task: str | None = None
    level: Level = None
    domain: str | None = None
    language: str | None = None


class Progress(NamedTuple):
    """How far a person is."""

    left: int
    """Drafted items of the kind that are free for this person: those that others hold are not counted."""
    held: int
    """Drafted items of the kind that others hold."""
    today: int
    """Items that this person decided on since `since`, and that decision stands."""


def progress(database: Database, kind: Kind, person: str, since: str, held: Sequence[str] = ()) -> Progress:
    """What is left of the kind beside the items that others hold, and what this person has done since that time (UTC, ISO
    format), of any kind."""
    where, params = matching(kind)
    sql = f"SELECT count(*), count(*) FILTER (s.item IN (SELECT unnest(?::VARCHAR[]))) FROM state s WHERE {where}"
    [(waiting, taken)] = database.rows(sql, [list(held), *params])
    [(today,)] = database.rows(
        """
        WITH undone AS (
            SELECT item, max(number) AS number
            FROM review
            WHERE decision = 'undo'
            GROUP BY item
        )
        SELECT count(DISTINCT r.item)
        FROM review r
        LEFT JOIN undone u ON u.item = r.item
        WHERE r.person = ? AND r.made_at >= ? AND r.decision <> 'undo' AND r.number > coalesce(u.number, 0)
        """,
        [person, since],
    )
    return Progress(waiting - taken, taken, today)


def decided_before(database: Database, person: str, item: str | None) -> str | None:
    """The item that this person decided on before that one: before the last decision on it, or the newest one when it is none
    of the last FAR decisions. None when there is no other."""
    rows = database.rows(
        """
        SELECT item
        FROM review
        WHERE person = ? AND decision <> 'undo'
        ORDER BY number DESC
        LIMIT ?
        """,
        [person, FAR],
    )
    way = list(dict.fromkeys(row[0] for row in rows))
    rest = way[way.index(item) + 1 :] if item in way else way
    known = {row[0] for row in database.rows("SELECT item FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))", [rest])}
    return next((one for one in rest if one in known), None)  # a variant is none, and is decided elsewhere


def choices(database: Database) -> Mapping[str, list[Any]]:
    """What there is to choose from: tasks, levels, domains and languages of all items, each sorted."""
    rows = database.rows("SELECT DISTINCT task, level, domain, language FROM state")
    columns = list(zip(*rows, strict=True)) if rows else [(), (), (), ()]
    tasks, levels, domains, languages = (sorted({v for v in column if v is not None}) for column in columns)
    return {"task": tasks, "level": [level_from_text(v) for v in levels], "domain": domains, "language": languages}


def matching(kind: Kind) -> tuple[str, list[Any]]:
    """The condition on a state row `s` that waits and is of the kind, and its parameters."""
    given = [("status", WAITING), ("task", kind.task), ("level", level_to_text(kind.level)), ("domain", kind.domain),
             ("language", kind.language)]  # fmt: skip
    known = [(name, value) for name, value in given if value is not None]
    return " AND ".join(f"s.{name} = ?" for name, _ in known), [value for _, value in known]
