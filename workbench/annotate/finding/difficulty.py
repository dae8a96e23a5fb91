"""How hard items are, by stored traces: the rule, the bands, and the two-parameter model once enough systems have answered."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.catalog import pick
from core.errors import BenchError
from core.nouns import Item
from core.quality.difficulty import (
    MIN_SYSTEMS,
    DifficultyRule,
    DifficultySpread,
    SolvedItems,
    count_bands,
    difficulty_band,
    spread_record,
)
from core.statistics.irt import MIN_SYSTEMS as MODEL_LEAST
from core.statistics.irt import Fit, fit
from eval.metric import metrics
from eval.system import systems
from store.engine import settings
from store.engine.database import Database
from store.items import difficulty_facts
from workbench.kept import BackgroundCache, RunningWork
from workbench.roles import act

__all__ = ["MIN_SYSTEMS", "MODEL_LEAST", "DifficultyRule", "DifficultySpread", "DifficultyStage", "Fit", "Modelled"]
KEY = "difficulty"


def rule_of(database: Database) -> DifficultyRule:
    """What counts as solved, and by whom."""
    kept: Any = settings.get(database, KEY)
    return DifficultyRule() if kept is None else DifficultyRule(kept["metric"], kept["least"], tuple(kept["systems"]))


def difficulty_of(database: Database, found: Sequence[Item]) -> dict[str, Any]:
    """How hard systems found these items, as a release keeps it; {} where none of them has a difficulty."""
    rule = rule_of(database)
    fared: dict[str, list[bool]] = {}
    for one in difficulty_facts.load_outcomes(database, rule, [item.id for item in found]):
        fared.setdefault(one.item, []).append(one.is_solved)
    made = count_bands(SolvedItems(item.level, sum(fared.get(item.id, ())), len(fared.get(item.id, ()))) for item in found)
    return spread_record(rule, made) if made.most else {}


class Modelled(NamedTuple):
    """The two-parameter model, or why there is none."""

    fit: Fit | None
    why: str = ""


class DifficultyStage:
    """Verbs on difficulty."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._kept = BackgroundCache(most=6)

    def rule(self) -> DifficultyRule:
        """What counts as solved, and by whom."""
        return rule_of(self._db)

    def choices(self) -> dict[str, list[str]]:
        """{"metrics": those with an upper end, "systems"}."""
        bounded = sorted(name for name, one in metrics().items() if one.high is not None)
        return {"metrics": bounded, "systems": sorted(systems())}

    @act("set the rules of the work", lambda given: "difficulty", notes=[])
    def set_rule(self, rule: DifficultyRule) -> None:
        """From now on that counts. Raises BenchError on an unknown metric or system, or a value outside the metric's scale."""
        metric = pick(metrics(), rule.metric, "metric")
        if not (metric.low is None or rule.least > metric.low) or not (metric.high is None or rule.least <= metric.high):
            raise BenchError(
                f"An answer cannot be told right by {rule.metric} from {rule.least:g} on: give a value above "
                f"{metric.low} and up to {metric.high}."
            )
        if not rule.systems:
            raise BenchError("The panel has no system: take one or more.")
        for system in rule.systems:
            pick(systems(), system, "system")
        settings.put(self._db, KEY, {"metric": rule.metric, "least": rule.least, "systems": list(rule.systems)})

    @act("see runs", is_logged=False)
    def spread(self) -> RunningWork[DifficultySpread]:
        """Items by level and band, when it is counted."""
        rule = self.rule()
        return self._kept.get(
            ("spread", rule, difficulty_facts.fingerprint(self._db)),
            lambda: count_bands(difficulty_facts.load_tried(self._db, rule)),
        )

    @act("see runs", is_logged=False)
    def model(self) -> RunningWork[Modelled]:
        """The model over every system that ever answered, of the panel or not, when it is fitted."""
        rule = self.rule()
        return self._kept.get(
            ("model", rule.metric, rule.least, difficulty_facts.fingerprint(self._db)), lambda: self._modelled(rule)
        )

    @act("see runs", "item", is_logged=False)
    def of(self, item: str) -> dict[str, Any]:
        """{"band" or None, "solved", "systems", "answered": [(system, agent, whether it solved it)], "rule"} of an item."""
        rule = self.rule()
        found = difficulty_facts.load_outcomes(self._db, rule, [item])
        solved = sum(one.is_solved for one in found)
        return {
            "band": difficulty_band(solved, len(found)),
            "solved": solved,
            "systems": len(found),
            "rule": rule,
            "answered": [(one.system, one.agent, one.is_solved) for one in found],
        }

    def close(self) -> None:
        """Begin no more background work."""
        self._kept.close()

    def _modelled(self, rule: DifficultyRule) -> Modelled:
        found = difficulty_facts.load_outcomes(self._db, rule._replace(systems=()))
        solved = {(f"{one.system}/{one.agent}", one.item): one.is_solved for one in found}
        try:
            return Modelled(fit(solved))
        except BenchError as error:
            return Modelled(None, str(error))
