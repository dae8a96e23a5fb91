"""How hard items are, by stored traces: the rule, the bands, and the two-parameter model once enough systems have answered."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.catalog import pick
from core.difficulty import LEAST, Rule, Spread, Tried, as_json, band, spread
from core.errors import BenchError
from core.irt import LEAST as MODEL_LEAST
from core.irt import Fit, fit
from core.nouns import Item
from eval.metric import metrics
from eval.system import systems
from store import difficulty_facts, settings
from store.database import Database
from workbench.kept import Kept, Working
from workbench.roles import act

__all__ = ["LEAST", "MODEL_LEAST", "DifficultyStage", "Fit", "Modelled", "Rule", "Spread"]
KEY = "difficulty"


def rule_of(database: Database) -> Rule:
    """What counts as solved, and by whom."""
    kept: Any = settings.get(database, KEY)
    return Rule() if kept is None else Rule(kept["metric"], kept["least"], tuple(kept["systems"]))


def difficulty_of(database: Database, found: Sequence[Item]) -> dict[str, Any]:
    """How hard systems found these items, as a release keeps it; {} where none of them has a difficulty."""
    rule = rule_of(database)
    fared: dict[str, list[bool]] = {}
    for one in difficulty_facts.answered(database, rule, [item.id for item in found]):
        fared.setdefault(one.item, []).append(one.is_solved)
    made = spread(Tried(item.level, sum(fared.get(item.id, ())), len(fared.get(item.id, ()))) for item in found)
    return as_json(rule, made) if made.most else {}


class Modelled(NamedTuple):
    """The two-parameter model, or why there is none."""

    fit: Fit | None
    why: str = ""


class DifficultyStage:
    """Verbs on difficulty."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = Kept(most=6)

    def rule(self) -> Rule:
        """What counts as solved, and by whom."""
        return rule_of(self._db)

    def choices(self) -> dict[str, list[str]]:
        """{"metrics": those with an upper end, "systems"}."""
        bounded = sorted(name for name, one in metrics().items() if one.high is not None)
        return {"metrics": bounded, "systems": sorted(systems())}

    @act("set the rules of the work", lambda given: "difficulty", notes=[])
    def set_rule(self, rule: Rule) -> None:
        """From now on that counts. Raises BenchError on an unknown metric or system, or a value outside the metric's scale."""
        metric = pick(metrics(), rule.metric, "metric")
        if not (metric.low is None or rule.least > metric.low) or not (metric.high is None or rule.least <= metric.high):
            raise BenchError(f"An answer cannot be told right by {rule.metric} from {rule.least:g} on: give a value above "
                             f"{metric.low} and up to {metric.high}.")  # fmt: skip
        if not rule.systems:
            raise BenchError("The panel has no system: take one or more.")
        for system in rule.systems:
            pick(systems(), system, "system")
        settings.put(self._db, KEY, {"metric": rule.metric, "least": rule.least, "systems": list(rule.systems)})

    @act("see runs", is_logged=False)
    def spread(self) -> Working[Spread]:
        """Items by level and band, when it is counted."""
        rule = self.rule()
        return self._kept.get(("spread", rule, difficulty_facts.mark(self._db)),
                              lambda: spread(difficulty_facts.tried(self._db, rule)))  # fmt: skip

    @act("see runs", is_logged=False)
    def model(self) -> Working[Modelled]:
        """The model over every system that ever answered, of the panel or not, when it is fitted."""
        rule = self.rule()
        return self._kept.get(("model", rule.metric, rule.least, difficulty_facts.mark(self._db)), lambda: self._modelled(rule))

    @act("see runs", "item", is_logged=False)
    def of(self, item: str) -> dict[str, Any]:
        """{"band" or None, "solved", "systems", "answered": [(system, agent, whether it solved it)], "rule"} of an item."""
        rule = self.rule()
        found = difficulty_facts.answered(self._db, rule, [item])
        solved = sum(one.is_solved for one in found)
        return {"band": band(solved, len(found)), "solved": solved, "systems": len(found), "rule": rule,
                "answered": [(one.system, one.agent, one.is_solved) for one in found]}  # fmt: skip

    def close(self) -> None:
        """Begin no more background work."""
        self._kept.close()

    def _modelled(self, rule: Rule) -> Modelled:
        found = difficulty_facts.answered(self._db, rule._replace(systems=()))
        solved = {(f"{one.system}/{one.agent}", one.item): one.is_solved for one in found}
        try:
            return Modelled(fit(solved))
        except BenchError as error:
            return Modelled(None, str(error))
