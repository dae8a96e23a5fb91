"""Skips: a person passes an item over and says why. The item waits on, for others first; whoever leads the work sees what was
skipped, by whom and for which reason."""

from collections.abc import Callable
from typing import Any

from core.errors import BenchError
from store.controls import control_items
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from store.items import items
from store.queue import skips
from store.queue.skips import Skip
from workbench.annotate.desk.pressing import LONGEST
from workbench.roles import requires

SETTING = "skip_reasons"
"""Key of the workspace's own list."""
REASONS = (
    "I do not know the subject",
    "hard to read or badly cut",
    "I am not sure",
    "the guideline does not say",
    "too long for now",
)


class Skips:
    """Verbs on skips."""

    def __init__(self, database: Database, clock: Callable[[], str] = current_time) -> None:
        self._db = database
        self._clock = clock

    def reasons(self) -> list[str]:
        """The workspace's list, else ours."""
        own = settings.get(self._db, SETTING)
        return [str(reason) for reason in own] if isinstance(own, list) and own else list(REASONS)

    @requires("decide on items", "item")
    def skip(self, item: str, person: str, *, key: str, revision: int, reason: str) -> None:
        """Store that this person passes the item over; the same key again is the same skip. Raises BenchError without a name,
        a key or a reason, and when there is no such item."""
        if not person.strip() or not key.strip():
            raise BenchError("A skip needs a name and a key of its own: give your name first.")
        if not reason.strip():
            raise BenchError("A skip needs a reason: choose one, or write your own.")
        if len(reason) > LONGEST["reason"]:
            most = LONGEST["reason"]
            raise BenchError(f"The reason has {len(reason):,} characters; at most {most:,} can be stored: shorten it.")
        if not control_items.is_control_item(self._db, item):
            items.get(self._db, item)
        skips.add(self._db, Skip(key, item, revision, person, reason.strip(), self._clock()))

    @requires("see who did what")
    def standing(self) -> list[dict[str, Any]]:
        """What was skipped and still waits, the newest first: item, question, person, reason, at."""
        found = skips.list_current_skips(self._db)
        asked = {item.id: item.question for item in items.load_items(self._db, dict.fromkeys(one.item for one in found))}
        return [
            {"item": one.item, "question": asked[one.item], "person": one.person, "reason": one.reason, "at": one.at}
            for one in found
        ]
