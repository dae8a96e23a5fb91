"""Plants among the items of the queue, at a rate that everybody is told: in every N items of a person one is a plant, at a
place that only the seed knows. Until it is decided on nothing tells it from an item."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from core.errors import BenchError
from store.controls import control_items
from store.controls.control_items import Stock
from store.engine import settings
from store.engine.database import Database
from store.items import items
from store.queue import leases
from store.queue.kind import ItemKind
from store.queue.queue import Progress
from store.reviews import control_answers
from store.reviews.control_answers import QUEUE, Given
from workbench.annotate.controls.planting import Planting
from workbench.annotate.desk.reading import DocumentCache
from workbench.annotate.queue.holds import Holds
from workbench.roles import act

SETTING = "planted"
LEAST, MOST = 2, 1_000
FAR = 200
"""Decisions of a person that are looked through on the way back."""


@dataclass(frozen=True, slots=True)
class MixRule:
    """What a lead has set."""

    every: int
    """One item in so many is a plant; 0 = none is."""
    seed: int = 0
    at: str = ""
    """Since when; UTC, ISO format."""


class Mixing:
    """Decides when a plant is due, and which."""

    def __init__(
        self, database: Database, reading: DocumentCache, planting: Planting, holds: Holds, clock: Callable[[], str]
    ) -> None:
        self._db, self._reading, self._planting, self._holds, self._clock = database, reading, planting, holds, clock

    def rule(self) -> MixRule:
        found = settings.get(self._db, SETTING, {})
        return MixRule(int(found.get("every", 0)), int(found.get("seed", 0)), str(found.get("at", "")))

    @act("set the rules of the work", lambda given: f"one planted item in {given['every']}")
    def set_rule(self, every: int, seed: int, by: str) -> int:
        """One in so many from now on, or none (0); returns how many plants there are. Raises BenchError on a number that cannot
        be, or without a name."""
        if not by.strip():
            raise BenchError("Whoever sets the rate is on record: give your name first.")
        if every and not LEAST <= every <= MOST:
            raise BenchError(f"One item in {LEAST} to {MOST:,} can be a planted one, not one in {every:,}.")
        if (every, seed) != (self.rule().every, self.rule().seed):
            settings.put(self._db, SETTING, {"every": every, "seed": seed, "by": by, "at": self._clock()})
        return self._planting.now(by, seed) if every else len(control_items.list_stock(self._db))

    def following(self, kind: ItemKind, person: str, after: str | None = None) -> str | None:
        """The plant that comes to this person now; None when the next item does. `after` as in ReviewStage.following."""
        rule = self.rule()
        if not rule.every or not person.strip():
            return None
        came, at = control_answers.list_given(self._db, person), self._clock()
        waiting = self._open(person, came)
        if after is None:
            mine = {one.item for one in leases.list_held(self._db, at=at) if one.person == person}
            kept = [one.plant for one in waiting if one.plant in mine]
            if kept:
                return kept[-1]
        is_due = self._due(rule, person, 0) > self._times(rule, came)
        again = [one for one in waiting if one.plant != after]
        if not is_due and not again:
            return None
        neighbour = self._holds.following(kind, "", self.anchor(person, after))
        if neighbour is not None and is_due:
            fresh = self._fresh(kind, person, neighbour)
            if fresh is None:
                self._planting.soon("", rule.seed)
                return None
            return self._give(person, fresh.id, after, self._dated(neighbour), at)
        if neighbour is None and again:  # those that were skipped come when nothing else is left
            return self._give(person, again[0].plant, after, again[0].dated, at)
        return None

    def anchor(self, person: str, after: str | None) -> str | None:
        """The item behind which the queue goes on: before a plant it was the one that the plant came after."""
        if after is None or not control_items.is_one(self._db, after):
            return after
        return next((one.after or None for one in control_answers.list_given(self._db, person) if one.plant == after), None)

    def before(self, person: str, item: str | None) -> str | None:
        """The item or plant that this person decided on before that one, or last when it is none of the last FAR; None when
        there is no other."""
        way = control_answers.way(self._db, person, FAR)
        rest = way[way.index(item) + 1 :] if item in way else way
        return rest[0] if rest else None

    def counted(self, found: Progress, kind: ItemKind, person: str, since: str) -> Progress:
        """That progress as somebody sees it who cannot tell plants from items: those to come and those decided on are in it."""
        rule = self.rule()
        if not rule.every or not person.strip():
            return found
        came = control_answers.list_given(self._db, person)
        to_come = max(0, self._due(rule, person, found.left - 1) - self._times(rule, came)) if found.left else 0
        to_come = min(to_come, len(self._fit(kind, person))) + len(self._open(person, came))
        today = sum(one.round == QUEUE and one.at >= since for one in control_answers.load_effective_answers(self._db, person))
        return found._replace(left=found.left + to_come, today=found.today + today)

    def _due(self, rule: MixRule, person: str, further: int) -> int:
        """How many plants are due to this person after so many further decisions. Of every N items N - 1 are items: the k-th
        plant comes somewhere among the k-th N - 1 of them."""
        decided = control_answers.count_decisions(self._db, person, rule.at) + further
        whole = decided // (rule.every - 1)
        place = whole * (rule.every - 1) + Random(f"{rule.seed}/{person}/{whole + 1}").randint(0, rule.every - 1)
        return whole + (place <= decided)

    def _times(self, rule: MixRule, came: list[Given]) -> int:
        return sum(one.at >= rule.at for one in came)

    def _open(self, person: str, came: list[Given]) -> list[Given]:
        """Those that this person has not decided on."""
        done = {one.plant for one in control_answers.load_effective_answers(self._db, person) if one.round == QUEUE}
        return [one for one in came if one.plant not in done]

    def _fresh(self, kind: ItemKind, person: str, neighbour: str) -> Stock | None:
        """A plant that this person has not met, like the item that it comes before."""
        beside = items.get(self._db, neighbour)
        fit = self._fit(kind, person)
        random = Random(f"{self.rule().seed}/{person}/{neighbour}")
        random.shuffle(fit)
        agent, language = beside.provenance.agent, beside.language
        fit.sort(
            key=lambda one: (
                one.agent != agent,
                one.language != language,
                one.document not in beside.given[:1],
                one.task != beside.task,
                one.domain != beside.domain,
            )
        )
        return fit[0] if fit else None

    def _fit(self, kind: ItemKind, person: str) -> list[Stock]:
        """Plants of the kind, made of drafts that this person never decided on, in no round of theirs; none while somebody
        looks for what a gate flagged."""
        if kind.flag is not None:
            return []
        met = control_items.list_decided_items(self._db, person)
        stock = control_items.list_stock(self._db)
        used = {one.plant for one in control_answers.list_given(self._db, person)}
        used |= {plant for one in control_answers.rounds(self._db, person) for plant in one.plants}
        met |= {one.source for one in stock if one.id in used}
        return [
            one
            for one in stock
            if one.agent is not None
            and one.source not in met
            and all(
                value is None or str(value) == str(getattr(one, name))
                for name, value in kind._asdict().items()
                if name in Stock._fields
            )
        ]

    def _dated(self, neighbour: str) -> str:
        """When the neighbour was drafted: a plant seems to come from the same work."""
        return self._reading.worded(neighbour, 1).made.at

    def _give(self, person: str, plant: str, after: str | None, dated: str, at: str) -> str:
        until = leases.add_minutes(at, self._holds.minutes)
        behind = self.anchor(person, after) or ""
        control_answers.give(self._db, person, plant, after=behind, dated=dated, at=at, until=until)
        if after is not None:
            control_answers.let_go(self._db, person, after)
        return plant


def midnight() -> str:
    """When this day began in the server's time zone; UTC, ISO format."""
    today = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    return today.astimezone(UTC).isoformat(timespec="milliseconds")
