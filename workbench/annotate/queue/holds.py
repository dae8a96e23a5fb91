"""Reserve the item on a person's screen for the person for some minutes (a hold), so that nobody else gets it. The hold is
renewed while the person types or looks at the item. Other people can take over the item, and this is recorded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.errors import BenchError
from store.controls import control_items
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Cursor, Database
from store.items import items
from store.people import people
from store.queue import leases, next_item
from store.queue.kind import ItemKind
from store.queue.leases import EndedLease
from store.reviews import control_answers
from workbench.annotate.desk.desk_data import Holder
from workbench.roles import check_permission, check_person_name, describe_value, explain_refusal, record_act, requires

DEFAULT_MINUTES, MIN_MINUTES, MAX_MINUTES = 15, 1, leases.MAX_LEASE_MINUTES
"""Three numbers of minutes without activity after which a hold (a reservation of an item) ends: the default, the smallest and
the largest value that can be set."""
SETTING = "lease_minutes"


@dataclass(frozen=True, slots=True)
class HeldItem:
    """An item that is reserved for a person because the person has it on the screen."""

    person: str
    item: str
    question: str
    minutes_left: int


@dataclass(frozen=True, slots=True)
class AssignedItem:
    """An item that was assigned to a person and still waits for the person's decision."""

    person: str
    item: str
    question: str
    by: str
    """Name of the person who assigned the item to a reviewer."""


class Holds:
    """Methods that reserve items for people (holds) and assign items to them. All methods of this class use the same clock."""

    def __init__(self, database: Database, clock: Callable[[], str] = current_time) -> None:
        self._db, self._clock = database, clock

    @property
    def minutes(self) -> int:
        """Return after how many minutes without activity a hold (a reservation of an item) ends."""
        return int(settings.get(self._db, SETTING, DEFAULT_MINUTES))

    @requires("set the rules of the work", lambda arguments: f"a hold of {arguments['minutes']} minutes")
    def set_minutes(self, minutes: int) -> None:
        """Set after how many minutes without activity a hold (a reservation of an item) ends. The new number applies to each
        person from the person's next activity on. Raises BenchError unless `minutes` is from 1 to 1440."""
        if not MIN_MINUTES <= minutes <= MAX_MINUTES:
            raise BenchError(
                f"An item can be held for {MIN_MINUTES} to {MAX_MINUTES:,} minutes, not {minutes:,}: choose a number in "
                "between."
            )
        settings.put(self._db, SETTING, minutes)

    @requires("decide on items")
    def find_next(self, kind: ItemKind, person: str, after: str | None = None) -> str | None:
        """Find the next item of the queue and reserve it for the person, like ReviewStage.find_next, but without control
        items."""
        at = self._clock()
        if not person.strip():
            return next(iter(next_item.list_free_items(self._db, kind, "", at, after)), None)
        return next_item.claim(self._db, kind, person, at=at, minutes=self.minutes, after=after)

    @requires("decide on items")
    def plan_next(self, kind: ItemKind, person: str, after: str) -> Callable[[Cursor], str | None]:
        """Return a function that reserves the person's next item and returns its id, within the transaction that stores the
        decision on `after`."""
        at = self._clock()
        found = next_item.list_free_items(self._db, kind, person, at, after, next_item.MAX_CANDIDATES, is_decided=True)
        return next_item.plan_claim(found, person, at=at, minutes=self.minutes, after=after)

    def find_ahead(self, kind: ItemKind, person: str, after: str) -> str | None:
        """Find the item that the person will probably get after the item `after`, without reserving it."""
        return next(iter(next_item.list_free_items(self._db, kind, person, self._clock(), after)), None)

    def hold(self, item: str, person: str) -> Holder | None:
        """Reserve the waiting item for this person if no other person has reserved it, or renew the reservation. Return the
        other person, or None.

        Nothing is reserved for a person who may not decide on items."""
        if not person.strip() or explain_refusal(self._db, "decide on items"):
            return self.find_other(item, person)
        at, minutes = self._clock(), self.minutes
        if not control_items.is_control_item(self._db, item):
            return Holder.from_lease(leases.hold(self._db, item, person, at=at, minutes=minutes))
        other = leases.find_blocking_lease(self._db, item, person, at)
        if other is None and control_answers.is_waiting(self._db, person, item):
            control_answers.hold(self._db, person, item, at=at, until=leases.add_minutes(at, minutes))
        return Holder.from_lease(other)

    def is_fresh(self, item: str, person: str) -> bool:
        """Return whether the item is reserved for this person, and was reserved so recently that the reservation need not be
        renewed yet."""
        return leases.is_fresh(self._db, item, person, at=self._clock(), minutes=self.minutes)

    def find_other(self, item: str, person: str) -> Holder | None:
        """Return the other person for whom the item is reserved, or None if it is reserved for nobody else."""
        return Holder.from_lease(leases.find_blocking_lease(self._db, item, person, self._clock()))

    @requires("decide on items", "item")
    def take_over(self, item: str, person: str) -> None:
        """Reserve the item for this person, even if it is reserved for another person.

        Raises BenchError if the item does not exist or the person gives no name, and NotAllowed if this person may not end the
        other person's reservation."""
        if not person.strip():
            raise BenchError("Taking over an item is recorded with your name: give your name first.")
        if not control_items.is_control_item(self._db, item):
            items.get(self._db, item)
        if held := self.find_other(item, person):
            check_permission(self._db, "end what others hold", f"{held.by}'s {item}")
        for other in leases.take_over(self._db, item, person, at=self._clock(), minutes=self.minutes):
            record_act(self._db, "end what others hold", f"{other}'s {item}, taken over")

    def release(self, person: str, by: str, item: str | None = None) -> None:
        """End a person's reservation of `item`, or all of the person's reservations if `item` is None.

        Raises BenchError if the person gives no name, and NotAllowed if `by` may not end other people's reservations."""
        if not by.strip():
            raise BenchError("Releasing an item is recorded with your name: give your name first.")
        if person != by:
            check_permission(self._db, "end what others hold", f"{person}'s {item or 'items'}")
        freed = leases.release_items(self._db, person, by=by, at=self._clock(), item=item)
        if freed and person != by:
            record_act(self._db, "end what others hold", f"{person}'s {', '.join(freed)}, released")

    @requires(
        "give items to people",
        lambda call: f"{describe_value(call['wanted'])} to {call['person']}",
        notes=["instead_of"],
    )
    def give(self, wanted: Sequence[str], person: str, by: str, instead_of: str = "") -> list[str]:
        """Assign items to a person, so that nobody else gets them. `instead_of` is the person for whom they were reserved, or
        to whom they were assigned, until now.

        Return the assigned items; items that need no opinion of the person are left out. Raises BenchError if a name is
        missing, or if the person was removed."""
        name = check_person_name(person)
        if not by.strip():
            raise BenchError("Assigning items is recorded with your name: give your name first.")
        if people.load_status(self._db, name).is_removed:
            raise BenchError(f"{name}'s work here has ended: give the items to somebody else, or bring {name} back first.")
        return leases.assign(self._db, wanted, name, by=by, at=self._clock(), instead_of=instead_of)

    @requires("give items to people", lambda call: f"{describe_value(call['wanted'])} of {call['person']} back to all")
    def take_back(self, wanted: Sequence[str], person: str) -> list[str]:
        """End the assignment of items to `person`, so that anybody can get them; return the ids of these items."""
        return leases.unassign(self._db, wanted, person)

    def leave(self, item: str, person: str) -> None:
        """End this person's reservation of the item, because the person opened another item; the log does not record this."""
        control_answers.release_hold(self._db, person, item)

    @requires("see who did what")
    def list_assigned(self) -> list[AssignedItem]:
        """List the assigned items that still wait for their person."""
        rows = leases.list_assignments(self._db)
        questions = self._load_questions([row.item for row in rows])
        return [AssignedItem(row.person, row.item, questions.get(row.item, ""), row.by) for row in rows]

    @requires("see who did what")
    def list_held(self) -> list[HeldItem]:
        """List the items that are reserved for people now."""
        at = self._clock()
        held = leases.list_held(self._db, at=at)
        ids = [lease.item for lease in held]
        questions = self._load_questions(ids) | control_items.load_questions(self._db, ids)
        seconds = [(datetime.fromisoformat(lease.until) - datetime.fromisoformat(at)).total_seconds() for lease in held]
        return [
            HeldItem(lease.person, lease.item, questions.get(lease.item, ""), max(1, round(left / 60)))
            for lease, left in zip(held, seconds, strict=True)
        ]

    @requires("see who did what")
    def list_ended(self) -> list[EndedLease]:
        """List the last ten reservations that another person ended, newest first."""
        return leases.list_ended(self._db, 10)

    def _load_questions(self, ids: Sequence[str]) -> dict[str, str]:
        return {item.id: item.question for item in items.load_items(self._db, ids)}
