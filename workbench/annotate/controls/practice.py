"""Practice: before the first real item a person decides on planted ones and is told after each what was planted. Who has so
many of a round right has passed; else another round follows, with other plants as long as there are any."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from builders.injected_error import NO_FLAW
from core.errors import BenchError
from store.controls import control_items
from store.controls.control_items import Stock
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from store.reviews import control_answers
from store.reviews.control_answers import Round
from workbench import acting
from workbench.annotate.controls.planting import Planting
from workbench.roles import act, may

SETTING, EXCUSED = "practice", "practice_excused"
SEED = 20
LONGEST = 50
"""Plants of a round."""


@dataclass(frozen=True, slots=True)
class PracticeRule:
    """What a lead has set."""

    n: int
    """Plants of a round; 0 = no practice is asked for."""
    passing: int
    """So many right ones pass."""


@dataclass(frozen=True, slots=True)
class PracticeStanding:
    """How far one person is."""

    person: str
    round: int
    """0 = none was begun."""
    n: int
    """Plants of that round."""
    done: int
    right: int
    passing: int
    has_passed: bool
    """In this round or an earlier one."""
    excused_by: str = ""
    """The lead who let them through without it."""


class Practice:
    """Verbs on practice."""

    def __init__(self, database: Database, planting: Planting) -> None:
        self._db, self._planting = database, planting

    def rule(self) -> PracticeRule:
        found = settings.get(self._db, SETTING, {})
        return PracticeRule(int(found.get("n", 0)), int(found.get("passing", 0)))

    @act("set the rules of the work", lambda given: f"practice, {given['passing']} of {given['n']} right")
    def set_rule(self, n: int, passing: int, by: str) -> int:
        """Ask everybody who has not passed for practice with n plants, or for none (0); returns how many plants there are.
        Rounds that were begun keep their rule. Raises BenchError on numbers that cannot be, or without a name."""
        if not by.strip():
            raise BenchError("Whoever sets the practice is on record: give your name first.")
        if not (n == 0 or 1 <= n <= LONGEST) or not (n == 0 or 1 <= passing <= n):
            raise BenchError(f"Practice has 1 to {LONGEST} items, of which 1 to all must be right: {passing} of {n} cannot be.")
        settings.put(self._db, SETTING, {"n": n, "passing": passing, "by": by, "at": current_time()})
        return self._planting.now(by, SEED) if n else len(control_items.list_stock(self._db))

    @act("set the rules of the work", lambda given: f"{given['person']} goes without practice")
    def excuse(self, person: str, by: str) -> None:
        """Let a person through without having passed, on record."""
        if not by.strip() or not person.strip():
            raise BenchError("Whoever lets somebody through is on record: give your name first.")
        known = settings.get(self._db, EXCUSED, {})
        settings.put(self._db, EXCUSED, {**known, person: {"by": by, "at": current_time()}})

    def following(self, person: str, after: str | None = None) -> str | None:
        """The plant of practice that is this person's next; None when none is wanted of them, or there are too few."""
        if not person.strip() or not self.rule().n:
            return None
        standing = self.standing(person)
        if standing.has_passed or standing.excused_by:
            return None
        current = self._current(person)
        if current is None:
            return None
        done = {one.plant for one in control_answers.load_effective_answers(self._db, person) if one.round == current.number}
        rest = [plant for plant in current.plants if plant not in done]
        if after in rest:
            at = rest.index(after)
            rest = [*rest[at + 1 :], *rest[: at + 1]]
        return rest[0]

    def standing(self, person: str) -> PracticeStanding:
        """How far this person is in the last round that was begun. Raises Refused when whoever asks is another, who may not see
        that."""
        if acting.who() not in (None, person):
            may(self._db, "see who did what", person)
        return self._told(
            person, control_answers.rounds(self._db, person), control_answers.load_effective_answers(self._db, person)
        )

    @act("see who did what")
    def everyone(self) -> list[PracticeStanding]:
        """Everybody who began a round, or was let through, by name."""
        names = {one.person for one in control_answers.rounds(self._db)} | set(settings.get(self._db, EXCUSED, {}))
        return [self.standing(name) for name in sorted(names)]

    def lack(self) -> int:
        """How many plants a round lacks; 0 = there are enough, or none is asked for."""
        return max(0, self.rule().n - len(control_items.list_stock(self._db)))

    def _told(self, person: str, begun: Sequence[Round], answers: Sequence[Any]) -> PracticeStanding:
        excused = settings.get(self._db, EXCUSED, {}).get(person, {}).get("by", "")
        results = []
        for one in begun:
            mine = [answer for answer in answers if answer.round == one.number]
            right = sum(bool(answer.is_right) for answer in mine)
            results.append((one, len(mine), right, len(mine) == len(one.plants) and right >= one.passing))
        if not results:
            rule = self.rule()
            return PracticeStanding(person, 0, rule.n, 0, 0, rule.passing, False, excused)
        last, done, right, _ = results[-1]
        return PracticeStanding(
            person, last.number, len(last.plants), done, right, last.passing, any(passed for *_, passed in results), excused
        )

    def _current(self, person: str) -> Round | None:
        """The round that this person is in; a new one where the last is over. None when there are too few plants."""
        begun = control_answers.rounds(self._db, person)
        standing = self.standing(person)
        if begun and standing.done < standing.n:
            return begun[-1]
        rule = self.rule()
        chosen = self._chosen(person, begun, rule.n)
        if len(chosen) < rule.n:
            self._planting.soon("", SEED)
            return None
        new = Round(person, len(begun) + 1, tuple(chosen), rule.passing, current_time())
        control_answers.begin(self._db, new)
        return new

    def _chosen(self, person: str, begun: Sequence[Round], n: int) -> list[str]:
        """Plants for another round: a quarter without a flaw, the others of as many kinds as there are; those that the person
        has met least often first, and of these the ones whose source they never decided on."""
        met = control_items.list_decided_items(self._db, person)
        queued = {one.plant for one in control_answers.list_given(self._db, person)}
        seen = [plant for one in begun for plant in one.plants]
        random = Random(f"{SEED}/{person}/{len(begun)}")
        stock = [one for one in control_items.list_stock(self._db) if one.id not in queued]
        random.shuffle(stock)
        stock.sort(key=lambda one: (seen.count(one.id), one.source in met))
        wanted = min(max(1, n // 4), n - 1)
        sound = [one for one in stock if one.flaw == NO_FLAW][:wanted]
        flawed = _mixed([one for one in stock if one.flaw != NO_FLAW])
        chosen = [*sound, *flawed][:n]
        chosen += [one for one in stock if one not in chosen][: n - len(chosen)]
        ids = [one.id for one in chosen]
        random.shuffle(ids)
        return ids


def _mixed(stock: Sequence[Stock]) -> list[Stock]:
    """One of each flaw in turn, each flaw's in the order given."""
    turns: dict[str, int] = {}
    place = {}
    for one in stock:
        turns[one.flaw] = turns.get(one.flaw, 0) + 1
        place[one.id] = turns[one.flaw]
    return sorted(stock, key=lambda one: place[one.id])
