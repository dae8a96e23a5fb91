"""Insert control items into the review queue, at a rate that everybody can see. One in every N items that a person gets is a
control item; a random seed determines which one. Until the person has decided, a control item looks like any other item."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from core.errors import BenchError
from store.controls import control_items
from store.controls.control_items import AvailableControl
from store.engine import settings
from store.engine.database import Database
from store.items import items
from store.queue import leases
from store.queue.kind import ItemKind
from store.reviews import control_answers
from store.reviews.control_answers import QUEUE, ShownControl
from store.reviews.own_decisions import QueueProgress
from workbench.annotate.controls.control_supply import ControlSupply
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.queue.holds import Holds
from workbench.roles import requires

RULE_SETTING = "planted"
MIN_INTERVAL_ITEMS, MAX_INTERVAL_ITEMS = 2, 1_000
MAX_DECISIONS_BACK = 200
"""Maximum number of a person's earlier decisions that are searched when the person goes back to the item before."""


@dataclass(frozen=True, slots=True)
class SamplingRule:
    """How often control items appear in the queue, as a lead has set it."""

    every: int
    """The number N, if one in every N items of a person is a control item; 0 means no control items."""
    seed: int = 0
    at: str = ""
    """Time at which this rate was set and from which it applies, in UTC and ISO format."""


class ControlSampling:
    """Decides when a person's next item is a control item, and which control item it is."""

    def __init__(
        self, database: Database, reading: DocumentCache, supply: ControlSupply, holds: Holds, clock: Callable[[], str]
    ) -> None:
        self._db, self._reading, self._supply, self._holds, self._clock = database, reading, supply, holds, clock

    def rule(self) -> SamplingRule:
        """Return the current rate of control items in the queue."""
        rule = settings.get(self._db, RULE_SETTING, {})
        return SamplingRule(int(rule.get("every", 0)), int(rule.get("seed", 0)), str(rule.get("at", "")))

    @requires("set the rules of the work", lambda arguments: f"one control item in {arguments['every']}")
    def set_rule(self, every: int, seed: int, by: str) -> int:
        """From now on, make one in every `every` items of the queue a control item (0 = none); return the number of control
        items in the workspace.

        Raises BenchError if the number is out of range or the person gives no name."""
        if not by.strip():
            raise BenchError("Changing the rate of control items is recorded with your name: give your name first.")
        if every and not MIN_INTERVAL_ITEMS <= every <= MAX_INTERVAL_ITEMS:
            raise BenchError(
                f"The rate of control items can be one in {MIN_INTERVAL_ITEMS} to one in {MAX_INTERVAL_ITEMS:,} items, not one "
                f"in {every:,}."
            )
        if (every, seed) != (self.rule().every, self.rule().seed):
            settings.put(self._db, RULE_SETTING, {"every": every, "seed": seed, "by": by, "at": self._clock()})
        return self._supply.add_batch(by, seed) if every else len(control_items.list_available(self._db))

    def find_next(self, kind: ItemKind, person: str, after: str | None = None) -> str | None:
        """Return the control item that this person gets now, or None if the person's next item is an ordinary item. `after` has
        the same meaning as in ReviewStage.find_next."""
        rule = self.rule()
        if not rule.every or not person.strip():
            return None
        shown, at = control_answers.list_shown(self._db, person), self._clock()
        waiting = self._select_undecided(person, shown)
        if after is None:
            held = {lease.item for lease in leases.list_held(self._db, at=at) if lease.person == person}
            held_controls = [control.control for control in waiting if control.control in held]
            if held_controls:
                return held_controls[-1]
        is_due = self._count_due(rule, person, 0) > _count_since(rule, shown)
        skipped = [control for control in waiting if control.control != after]
        if not is_due and not skipped:
            return None
        neighbour = self._holds.find_next(kind, "", self.find_anchor(person, after))
        if neighbour is not None and is_due:
            new = self._draw_new(kind, person, neighbour)
            if new is None:
                self._supply.add_batch_later(rule.seed)
                return None
            # The control item shows the drafting time of the item before it, so that both seem to be of the same origin.
            return self._give(person, new.id, after, self._reading.words(neighbour, 1).made.at, at)
        if neighbour is None and skipped:  # skipped items come last
            return self._give(person, skipped[0].control, after, skipped[0].dated, at)
        return None

    def find_anchor(self, person: str, after: str | None) -> str | None:
        """Return the item after which the queue continues. The item is `after`, or, if `after` is a control item, the ordinary
        item that was shown before it."""
        if after is None or not control_items.is_control_item(self._db, after):
            return after
        shown = control_answers.list_shown(self._db, person)
        return next((control.after or None for control in shown if control.control == after), None)

    def find_previous(self, person: str, item: str | None) -> str | None:
        """Return the item or control item that this person decided on before the given one, or None if there is none.

        If the given item is not among the person's last MAX_DECISIONS_BACK decisions, return the item of the newest
        decision."""
        way = control_answers.list_recent_decisions(self._db, person, MAX_DECISIONS_BACK)
        rest = way[way.index(item) + 1 :] if item in way else way
        return rest[0] if rest else None

    def add_to_progress(self, progress: QueueProgress, kind: ItemKind, person: str, since: str) -> QueueProgress:
        """Return `progress` with control items included: those to come count as items left, those already decided as items of
        today."""
        rule = self.rule()
        if not rule.every or not person.strip():
            return progress
        shown = control_answers.list_shown(self._db, person)
        to_come = max(0, self._count_due(rule, person, progress.left - 1) - _count_since(rule, shown)) if progress.left else 0
        to_come = min(to_come, len(self._list_suitable(kind, person))) + len(self._select_undecided(person, shown))
        answers = control_answers.load_effective_answers(self._db, person)
        today = sum(answer.round == QUEUE and answer.at >= since for answer in answers)
        return progress._replace(left=progress.left + to_come, today=progress.today + today)

    def _count_due(self, rule: SamplingRule, person: str, further: int) -> int:
        """Return how many control items this person should have seen after `further` more decisions.

        With one control item in every N, a person's k-th control item comes at a random place in the person's k-th group of N -
        1 ordinary items."""
        decided = control_answers.count_decisions(self._db, person, rule.at) + further
        whole = decided // (rule.every - 1)
        place = whole * (rule.every - 1) + Random(f"{rule.seed}/{person}/{whole + 1}").randint(0, rule.every - 1)
        return whole + (place <= decided)

    def _select_undecided(self, person: str, shown: list[ShownControl]) -> list[ShownControl]:
        answers = control_answers.load_effective_answers(self._db, person)
        done = {answer.control for answer in answers if answer.round == QUEUE}
        return [control for control in shown if control.control not in done]

    def _draw_new(self, kind: ItemKind, person: str, neighbour: str) -> AvailableControl | None:
        """Return a control item that this person has not seen. The control item resembles `neighbour`, the next item of the
        person's queue, in agent, language, document and task."""
        beside = items.get(self._db, neighbour)
        suitable = self._list_suitable(kind, person)
        Random(f"{self.rule().seed}/{person}/{neighbour}").shuffle(suitable)
        agent, language = beside.provenance.agent, beside.language
        suitable.sort(
            key=lambda control: (
                control.agent != agent,
                control.language != language,
                control.document not in beside.given[:1],
                control.task != beside.task,
                control.domain != beside.domain,
            )
        )
        return suitable[0] if suitable else None

    def _list_suitable(self, kind: ItemKind, person: str) -> list[AvailableControl]:
        """List the control items of the kind `kind` that this person can get: copies of drafts that the person has not decided
        on and that were not in the person's qualification.

        The list is empty if `kind` selects items that a gate (automatic check) flagged."""
        if kind.flag is not None:
            return []
        available = control_items.list_available(self._db)
        used = {control.control for control in control_answers.list_shown(self._db, person)}
        used |= {control for begun in control_answers.load_rounds(self._db, person) for control in begun.controls}
        met = control_items.list_decided_items(self._db, person) | {one.source for one in available if one.id in used}
        wanted = {name: str(value) for name, value in kind._asdict().items() if value is not None and name != "flag"}
        return [
            control
            for control in available
            if control.agent is not None
            and control.source not in met
            and all(str(getattr(control, name)) == value for name, value in wanted.items())
        ]

    def _give(self, person: str, control: str, after: str | None, dated: str, at: str) -> str:
        until = leases.add_minutes(at, self._holds.minutes)
        anchor = self.find_anchor(person, after) or ""
        control_answers.show_control(self._db, person, control, after=anchor, dated=dated, at=at, until=until)
        if after is not None:
            control_answers.release_hold(self._db, person, after)
        return control


def _count_since(rule: SamplingRule, shown: list[ShownControl]) -> int:
    return sum(control.at >= rule.at for control in shown)


def start_of_today() -> str:
    """Return the time at which today began in the server's time zone, in UTC and ISO format."""
    today = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    return today.astimezone(UTC).isoformat(timespec="milliseconds")
