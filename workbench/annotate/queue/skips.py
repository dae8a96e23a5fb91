"""Let a person skip an item with a reason. The item still waits for review, but comes last in this person's queue. A lead sees
each skipped item with the person and the reason."""

from collections.abc import Callable
from dataclasses import dataclass

from core.errors import BenchError
from store.controls import control_items
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from store.items import items
from store.queue import skips
from store.queue.skips import Skip
from workbench.annotate.desk.decisions import MAX_CHARACTERS, check_length
from workbench.roles import requires

SETTING = "skip_reasons"
"""Key of the workspace setting with the workspace's own list of reasons for skipping."""
REASONS = (
    "I do not know the subject",
    "hard to read or badly cut",
    "I am not sure",
    "the guideline does not say",
    "too long for now",
)


@dataclass(frozen=True, slots=True)
class SkippedItem:
    """An item that a person skipped and that still waits for review."""

    item: str
    question: str
    person: str
    reason: str
    at: str
    """Time at which the person skipped the item, in UTC and ISO format."""


class Skips:
    """Methods that skip items and that list skipped items."""

    def __init__(self, database: Database, clock: Callable[[], str] = current_time) -> None:
        self._db, self._clock = database, clock

    def reasons(self) -> list[str]:
        """Return the reasons for skipping that the screen offers: the workspace's own list, or else the default list."""
        own = settings.get(self._db, SETTING)
        return [str(reason) for reason in own] if isinstance(own, list) and own else list(REASONS)

    @requires("decide on items", "item")
    def skip(self, item: str, person: str, *, key: str, revision: int, reason: str) -> None:
        """Record that this person skips the item; calling `skip` again with the same `key` stores nothing.

        Raises BenchError if the person's name, the key or the reason is missing, or if the item does not exist."""
        if not person.strip() or not key.strip():
            raise BenchError("A skip without a name or a request key is not stored: enter your name, or load the page again.")
        if not reason.strip():
            raise BenchError("A skip needs a reason: choose one, or write your own.")
        check_length("reason", reason, MAX_CHARACTERS["reason"])
        if not control_items.is_control_item(self._db, item):
            items.get(self._db, item)
        skips.add(self._db, Skip(key, item, revision, person, reason.strip(), self._clock()))

    @requires("see who did what")
    def list_skipped(self) -> list[SkippedItem]:
        """List skipped items that still wait for review, newest first."""
        rows = skips.list_current_skips(self._db)
        questions = {item.id: item.question for item in items.load_items(self._db, dict.fromkeys(row.item for row in rows))}
        return [SkippedItem(row.item, questions[row.item], row.person, row.reason, row.at) for row in rows]
