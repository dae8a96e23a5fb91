"""Test each person before the person's first real item: the person decides on control items and sees the injected error after
each decision. A person passes with enough right decisions in one round. After a round without enough right decisions, another
round follows, if possible with other control items."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from builders.injected_error import NO_ERROR
from core.errors import BenchError
from store.controls import control_items
from store.controls.control_items import AvailableControl
from store.engine import settings
from store.engine.columns import current_time
from store.engine.database import Database
from store.reviews import control_answers
from store.reviews.control_answers import QualificationRound
from workbench import actor
from workbench.annotate.controls.control_supply import ControlSupply
from workbench.roles import check_permission, requires

RULE_SETTING, EXCUSED_SETTING = "practice", "practice_excused"
SEED = 20
MAX_ROUND_ITEMS = 50


@dataclass(frozen=True, slots=True)
class QualificationRule:
    """How many control items a qualification round has, and how many right decisions are needed to pass it; a lead sets
    both."""

    n: int
    """Number of control items in a round; 0 means that there is no qualification."""
    passing: int
    """Minimum number of right decisions to pass a round."""


@dataclass(frozen=True, slots=True)
class QualificationState:
    """A person's progress in qualification: the last round, the decisions in it, and whether the person passed."""

    person: str
    round: int
    """Number of the person's last qualification round, from 1; 0 if the person has had no round."""
    n: int
    """Number of control items in the person's last round."""
    done: int
    right: int
    passing: int
    has_passed: bool
    """Whether the person has passed any qualification round."""
    excused_by: str = ""
    """Name of the lead who exempted the person from qualification; "" if nobody did."""


class Qualification:
    """Methods that set the rule for qualification, choose each person's control items and report each person's progress."""

    def __init__(self, database: Database, supply: ControlSupply) -> None:
        self._db, self._supply = database, supply

    def rule(self) -> QualificationRule:
        """Return the current rule for qualification."""
        rule = settings.get(self._db, RULE_SETTING, {})
        return QualificationRule(int(rule.get("n", 0)), int(rule.get("passing", 0)))

    @requires("set the rules of the work", lambda arguments: f"qualification, {arguments['passing']} of {arguments['n']} right")
    def set_rule(self, n: int, passing: int, by: str) -> int:
        """Require a round of `n` control items (0 = none) from everybody who has not passed yet; return the number of control
        items in the workspace.

        A round that has begun keeps the rule with which it began. Raises BenchError if a number is out of range or the person
        gives no name."""
        if not by.strip():
            raise BenchError("Changing the rule of qualification is recorded with your name: give your name first.")
        if n != 0 and not (1 <= n <= MAX_ROUND_ITEMS and 1 <= passing <= n):
            raise BenchError(
                f"A qualification round has 1 to {MAX_ROUND_ITEMS} items, and to pass it, 1 to all of them must be right: "
                f"{passing} of {n} is not possible."
            )
        settings.put(self._db, RULE_SETTING, {"n": n, "passing": passing, "by": by, "at": current_time()})
        return self._supply.add_batch(by, SEED) if n else len(control_items.list_available(self._db))

    @requires("set the rules of the work", lambda arguments: f"{arguments['person']} needs no qualification")
    def excuse(self, person: str, by: str) -> None:
        """Exempt a person from qualification, and log the exemption."""
        if not by.strip() or not person.strip():
            raise BenchError("Exempting somebody from qualification is recorded with your name: give your name first.")
        excused = settings.get(self._db, EXCUSED_SETTING, {})
        settings.put(self._db, EXCUSED_SETTING, {**excused, person: {"by": by, "at": current_time()}})

    def find_next(self, person: str, after: str | None = None) -> str | None:
        """Return the next control item of this person's qualification; None if the person needs no qualification or too few
        control items exist."""
        if not person.strip() or not self.rule().n:
            return None
        state = self.load_state(person)
        current = None if state.has_passed or state.excused_by else self._open_round(person, state)
        if current is None:
            return None
        answers = control_answers.load_effective_answers(self._db, person)
        done = {answer.control for answer in answers if answer.round == current.number}
        rest = [control for control in current.controls if control not in done]
        if after in rest:
            place = rest.index(after)
            rest = [*rest[place + 1 :], *rest[: place + 1]]
        return rest[0]

    def load_state(self, person: str) -> QualificationState:
        """Load the person's progress in their last qualification round. Raises NotAllowed if the current user may not see
        another person's progress."""
        if actor.get_name() not in (None, person):
            check_permission(self._db, "see who did what", person)
        excused_by = settings.get(self._db, EXCUSED_SETTING, {}).get(person, {}).get("by", "")
        answers = control_answers.load_effective_answers(self._db, person)
        state, has_passed = None, False
        for begun in control_answers.load_rounds(self._db, person):
            results = [bool(answer.is_right) for answer in answers if answer.round == begun.number]
            n, right = len(begun.controls), sum(results)
            has_passed = has_passed or (len(results) == n and right >= begun.passing)
            state = QualificationState(person, begun.number, n, len(results), right, begun.passing, has_passed, excused_by)
        rule = self.rule()
        return state or QualificationState(person, 0, rule.n, 0, 0, rule.passing, False, excused_by)

    @requires("see who did what")
    def list_states(self) -> list[QualificationState]:
        """List the progress of everybody who began a qualification round or was exempted, sorted by name."""
        names = {begun.person for begun in control_answers.load_rounds(self._db)} | set(
            settings.get(self._db, EXCUSED_SETTING, {})
        )
        return [self.load_state(name) for name in sorted(names)]

    def count_missing_items(self) -> int:
        """Return how many control items must still be created for a whole qualification round; 0 if there are enough or no
        qualification is required."""
        return max(0, self.rule().n - len(control_items.list_available(self._db)))

    def _open_round(self, person: str, state: QualificationState) -> QualificationRound | None:
        """Return this person's unfinished round or else a new one; None if there are too few control items."""
        begun = control_answers.load_rounds(self._db, person)
        if begun and state.done < state.n:
            return begun[-1]
        rule = self.rule()
        controls = self._draw_controls(person, begun, rule.n)
        if len(controls) < rule.n:
            self._supply.add_batch_later(SEED)
            return None
        new = QualificationRound(person, len(begun) + 1, tuple(controls), rule.passing, current_time())
        control_answers.add_round(self._db, new)
        return new

    def _draw_controls(self, person: str, begun: Sequence[QualificationRound], n: int) -> list[str]:
        """Draw `n` control items for a person's next round: a quarter of them without an error, the others with as many
        different kinds of error as possible.

        Control items that the person has seen least often come first; among these, copies of items that the person has not
        decided on."""
        decided = control_items.list_decided_items(self._db, person)
        queued = {shown.control for shown in control_answers.list_shown(self._db, person)}
        met = [control for round_ in begun for control in round_.controls]
        random = Random(f"{SEED}/{person}/{len(begun)}")
        available = [control for control in control_items.list_available(self._db) if control.id not in queued]
        random.shuffle(available)
        available.sort(key=lambda control: (met.count(control.id), control.source in decided))
        quarter = min(max(1, n // 4), n - 1)
        without_error = [control for control in available if control.injected_error == NO_ERROR][:quarter]
        with_error = _alternate_kinds([control for control in available if control.injected_error != NO_ERROR])
        chosen = [*without_error, *with_error][:n]
        chosen += [control for control in available if control not in chosen][: n - len(chosen)]
        ids = [control.id for control in chosen]
        random.shuffle(ids)
        return ids


def _alternate_kinds(controls: Sequence[AvailableControl]) -> list[AvailableControl]:
    """Return the control items in an order in which the kinds of error alternate; items of the same kind stay in their
    order."""
    counts: dict[str, int] = {}
    turns = {}
    for control in controls:
        turns[control.id] = counts[control.injected_error] = counts.get(control.injected_error, 0) + 1
    return sorted(controls, key=lambda control: turns[control.id])
