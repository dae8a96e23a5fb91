"""Define which items are in the review queue, list their kinds, and find the items that a person decided on before."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.nouns import ReviewKind
from store.engine.columns import level_from_text
from store.engine.database import Database
from store.queue.effective_reviews import IS_BULK

WAITING_STATUS = "drafted"
PHASED_TASKS = ("web_question",)
"""Names of the tasks whose items are reviewed in two phases and therefore are not in the queue."""
IS_QUEUED = "s.task NOT IN ({})".format(", ".join(f"'{task}'" for task in PHASED_TASKS))
"""SQL condition that selects the state rows of items in the review queue."""
MAX_DECISIONS_BACK = 200
"""Maximum number of a person's last decisions that are searched for the decision before a given item."""


def find_previous_decision(database: Database, person: str, item: str | None, role: ReviewKind | None = None) -> str | None:
    """Return the id of the item on which the person decided before `item`, or None if there is none. `role` limits the search
    to reviews with this role. If `item` is not among the person's last MAX_DECISIONS_BACK decisions, return the item of the
    newest decision."""
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
    before = list_before([row[0] for row in rows], item)
    items = {row[0] for row in database.rows("SELECT item FROM state WHERE item IN (SELECT unnest(?::VARCHAR[]))", [before])}
    return next((id_ for id_ in before if id_ in items), None)  # variants have no state row, and their decisions are elsewhere


def list_before(newest_first: Sequence[str], current: str | None) -> list[str]:
    """Return the distinct items that follow `current` in a list sorted newest first; if `current` is not in the list, return
    all its items."""
    way = list(dict.fromkeys(newest_first))
    return way[way.index(current) + 1 :] if current in way else way


def list_choices(database: Database) -> Mapping[str, list[Any]]:
    """Return a dict from a field ("task", "level", ...) to the sorted values that occur in items, as options of the selection
    boxes."""
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


def list_waiting_in_phases(database: Database) -> list[str]:
    """Return the ids of the items that wait for a review in two phases."""
    sql = "SELECT item FROM state WHERE status = ? AND task IN (SELECT unnest(?::VARCHAR[]))"
    return [item for (item,) in database.rows(sql, [WAITING_STATUS, list(PHASED_TASKS)])]
