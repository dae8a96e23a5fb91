"""Holds: an item that somebody has on the desk is theirs for a while, and nobody else's. Typing and looking at it keep it;
others may take it over, which is on record."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from core.errors import BenchError
from store.controls import control_items
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from store.items import items
from store.people import people
from store.queue import leases, next_item
from store.queue.kind import ItemKind
from store.reviews import control_answers
from workbench.roles import check_permission, check_person_name, describe_value, explain_refusal, record_act, requires

MINUTES, SHORTEST, LONGEST = 15, 1, leases.MAX_LEASE_MINUTES
"""Minutes that a hold lasts without a sign of life, unless the workspace says otherwise."""
SETTING = "lease_minutes"


class Holds:
    """Verbs on leases, at the time of one clock (UTC, ISO format)."""

    def __init__(self, database: Database, clock: Callable[[], str] = current_time) -> None:
        self._db = database
        self._clock = clock

    @property
    def minutes(self) -> int:
        """How long a hold lasts."""
        return int(settings.get(self._db, SETTING, MINUTES))

    @requires("set the rules of the work", lambda given: f"a hold of {given['minutes']} minutes")
    def set_minutes(self, minutes: int) -> None:
        """From the next sign of life of each person on. Raises BenchError outside of 1 to 1440."""
        if not SHORTEST <= minutes <= LONGEST:
            raise BenchError(f"A hold lasts {SHORTEST} to {LONGEST:,} minutes, not {minutes:,}: choose a length between.")
        settings.put(self._db, SETTING, minutes)

    @requires("decide on items")
    def find_next(self, kind: ItemKind, person: str, after: str | None = None) -> str | None:
        """As ReviewStage.find_next."""
        at = self._clock()
        if not person.strip():
            return next(iter(next_item.list_free_items(self._db, kind, "", at, after)), None)
        return next_item.claim(self._db, kind, person, at=at, minutes=self.minutes, after=after)

    def hold(self, item: str, person: str) -> dict[str, str] | None:
        """A sign of life: take the waiting item when it is free, renew one's own hold. Who else holds it; None when nobody. It
        takes nothing for somebody who may not decide."""
        if not person.strip() or explain_refusal(self._db, "decide on items"):
            return self.other(item, person)
        at, minutes = self._clock(), self.minutes
        if control_items.is_control_item(self._db, item):
            other = leases.find_blocking_lease(self._db.rows, item, person, at)
            if other is None and control_answers.is_waiting(self._db, person, item):
                control_answers.hold(self._db, person, item, at=at, until=leases.add_minutes(at, minutes))
            return as_record(other)
        return as_record(leases.hold(self._db, item, person, at=at, minutes=minutes))

    def is_fresh(self, item: str, person: str) -> bool:
        """Whether it is this person's, and was so short a time ago that it need not be written again."""
        return leases.is_fresh(self._db, item, person, at=self._clock(), minutes=self.minutes)

    def other(self, item: str, person: str) -> dict[str, str] | None:
        """Who else holds it, and until when; None when nobody does."""
        return as_record(leases.find_blocking_lease(self._db.rows, item, person, self._clock()))

    def taken(self, person: str) -> list[str]:
        """The items that others hold."""
        return leases.list_blocked_items(self._db.rows, person, self._clock())

    @requires("decide on items", "item")
    def take_over(self, item: str, person: str) -> None:
        """The item is this person's, whoever held it. Raises BenchError when there is no such item, or no name, Refused when
        somebody holds it whom this person may not end."""
        if not person.strip():
            raise BenchError("Whoever takes an item over is on record: give your name first.")
        if not control_items.is_control_item(self._db, item):
            items.get(self._db, item)
        if held := self.other(item, person):
            check_permission(self._db, "end what others hold", f"{held['by']}'s {item}")
        for other in leases.take_over(self._db, item, person, at=self._clock(), minutes=self.minutes):
            record_act(self._db, "end what others hold", f"{other}'s {item}, taken over")

    def release(self, person: str, by: str, item: str | None = None) -> None:
        """Let go of what that person holds, of one item or of all. Raises BenchError without a name, Refused when what others
        hold is not theirs to end."""
        if not by.strip():
            raise BenchError("Whoever releases an item is on record: give your name first.")
        if person != by:
            check_permission(self._db, "end what others hold", f"{person}'s {item or 'items'}")
        freed = leases.release_items(self._db, person, by=by, at=self._clock(), item=item)
        if freed and person != by:
            record_act(self._db, "end what others hold", f"{person}'s {', '.join(freed)}, released")

    @requires(
        "give items to people", lambda given: f"{describe_value(given['wanted'])} to {given['person']}", notes=["instead_of"]
    )
    def give(self, wanted: Sequence[str], person: str, by: str, instead_of: str = "") -> list[str]:
        """Those items wait for that person from now on, and for nobody else in that place: `instead_of` = who had held or been
        given them. Returns what was given: an item that waits for no opinion of theirs is left out. Raises BenchError without
        names, and for somebody whose work here has ended."""
        name = check_person_name(person)
        if not by.strip():
            raise BenchError("Whoever gives an item to somebody is on record: give your name first.")
        if people.load_status(self._db, name).is_removed:
            raise BenchError(f"{name}'s work here has ended: give it to somebody else, or bring {name} back first.")
        return leases.assign(self._db, wanted, name, by=by, at=self._clock(), instead_of=instead_of)

    @requires("give items to people", lambda given: f"{describe_value(given['wanted'])} of {given['person']} back to all")
    def take_back(self, wanted: Sequence[str], person: str) -> list[str]:
        """What was given to that person waits for anybody again; returns the items."""
        return leases.unassign(self._db, wanted, person)

    @requires("see who did what")
    def given(self) -> list[dict[str, Any]]:
        """What was given to whom by name and still waits for them, as records: person, item, question, by."""
        found = leases.list_assignments(self._db)
        asked = {item.id: item.question for item in items.load_items(self._db, [one.item for one in found])}
        return [{"person": one.person, "item": one.item, "question": asked.get(one.item, ""), "by": one.by} for one in found]

    def leave(self, item: str, person: str) -> None:
        """This person went on to another item: nobody need hear of it."""
        control_answers.release_hold(self._db, person, item)

    @requires("see who did what")
    def everyone(self) -> list[dict[str, Any]]:
        """Who holds what, as records: person, item, question, minutes_left."""
        at = self._clock()
        held = leases.list_held(self._db, at=at)
        asked = {item.id: item.question for item in items.load_items(self._db, [lease.item for lease in held])}
        asked |= control_items.load_questions(self._db, [lease.item for lease in held])
        left = {lease: datetime.fromisoformat(lease.until) - datetime.fromisoformat(at) for lease in held}
        return [
            {
                "person": lease.person,
                "item": lease.item,
                "question": asked.get(lease.item, ""),
                "minutes_left": max(1, round(left[lease].total_seconds() / 60)),
            }
            for lease in held
        ]

    @requires("see who did what")
    def ended(self) -> list[dict[str, str]]:
        """The last holds that somebody else ended, the newest first: item, person, by, what, at."""
        return [one._asdict() for one in leases.list_ended(self._db, 10)]


def as_record(lease: leases.Lease | None) -> dict[str, str] | None:
    """The lease as the desk knows it."""
    return None if lease is None else {"by": lease.person, "until": lease.until}
