"""The queue: which drafted items there are of a kind, how many are left, and the way back. Who gets the next one is the matter
of next_item.py."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.nouns import ReviewKind
from store.engine.columns import level_from_text
from store.engine.database import Database
from store.queue.effective_reviews import EFFECTIVE_REVIEWS, IS_BULK
from store.queue.kind import ItemKind, build_kind_condition

WAITING_STATUS = "drafted"
PHASED_TASKS = ("web_question",)
"""Tasks whose items are reviewed in two phases, and wait nowhere else."""
IS_QUEUED = "s.task NOT IN ({})".format(", ".join(f"'{task}'" for task in PHASED_TASKS))
"""Of a state row: the item waits in the queue of the review."""
MAX_DECISIONS_BACK = 200
"""Decisions of a person that are looked through on the way back."""


class QueueProgress(NamedTuple):
    """How far a person is."""

    left: int
    """Items of the kind that are free for this person: those that others hold are not counted, nor those that this person has
    given an opinion on."""
    held: int
    """Items of the kind that wait for somebody, and that others hold."""
    disputed: int
    """Items of the kind whose opinions are all in, and differ."""
    today: int
    """Items that this person decided on one by one since `since`, and that decision stands."""


def load_progress(database: Database, kind: ItemKind, person: str, since: str, held: Sequence[str] = ()) -> QueueProgress:
    """What is left of the kind beside the items that others hold, and what this person has done since that time (UTC, ISO
    format), of any kind."""
    where, params = build_kind_condition(kind)
    [(waiting, taken, disputed)] = database.rows(
        f"""
        SELECT
            count(*) FILTER (s.given < s.wanted AND s.item NOT IN (SELECT item FROM opinion WHERE person = ?)),
            count(*) FILTER (s.given < s.wanted AND s.item IN (SELECT unnest(?::VARCHAR[]))),
            count(*) FILTER (s.given >= s.wanted)
        FROM state s
        WHERE s.status = '{WAITING_STATUS}' AND {IS_QUEUED} AND {where}
        """,
        [person, list(held), *params],
    )
    [(today,)] = database.rows(
        f"""
        WITH {EFFECTIVE_REVIEWS}
        SELECT count(DISTINCT item)
        FROM stands
        WHERE person = ? AND made_at >= ? AND role <> 'settled' AND NOT {IS_BULK}
        """,
        [person, since],
    )
    return QueueProgress(waiting - taken, taken, disputed, today)


def count_free_in_document(database: Database, document: str, person: str, besides: str, held: Sequence[str] = ()) -> int:
    """How many items of that document are free for this person, beside one and those that others hold."""
    [(n,)] = database.rows(
        f"""
        SELECT count(*)
        FROM state s
        WHERE s.document = ? AND s.status = '{WAITING_STATUS}' AND s.given < s.wanted AND s.item <> ?
            AND s.item NOT IN (SELECT item FROM opinion WHERE person = ?) AND s.item NOT IN (SELECT unnest(?::VARCHAR[]))
            AND {IS_QUEUED}
        """,
        [document, besides, person, list(held)],
    )
    return int(n)


def find_previous_decision(database: Database, person: str, item: str | None, role: ReviewKind | None = None) -> str | None:
    """The item that this person decided on, in that role or any, before that one: before the last decision on it, or the newest
    one when it is none of the last FAR decisions. None when there is no other."""
    rows = database.rows(
        f"""
        SELECT item
        FROM review
        WHERE person = ? AND decision <> 'undo' AND role <> 'settled' AND role = coalesce(?, role) AND NOT {IS_BULK}
        ORDER BY number DESC
        LIMIT ?
        """,
        [person, role, MAX_DECISIONS_BACK],
    )
    way = list(dict.fromkeys(row[0] for row in rows))
    rest = way[way.index(item) + 1 :] if item in way else way
    known = {row[0] for row in database.rows("SELECT item FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))", [rest])}
    return next((one for one in rest if one in known), None)  # a variant is none, and is decided elsewhere


def list_choices(database: Database) -> Mapping[str, list[Any]]:
    """What there is to choose from: tasks, levels, domains, languages, agents and gates' flags of all items, each sorted."""
    rows = database.rows("SELECT DISTINCT task, level, domain, language, agent, flags FROM state")
    columns = list(zip(*rows, strict=True)) if rows else [()] * 6
    tasks, levels, domains, languages, agents, flags = ({v for v in column if v is not None} for column in columns)
    return {
        "task": sorted(tasks),
        "level": [level_from_text(v) for v in sorted(levels)],
        "domain": sorted(domains),
        "language": sorted(languages),
        "agent": sorted(agents),
        "flag": sorted({g for f in flags for g in f.split(",") if g}),
    }
