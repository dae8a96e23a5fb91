"""Measure how difficult items are, from the stored answers of RAG systems: which systems solved an item, its difficulty band
and, if enough systems answered, a two-parameter IRT model."""

from collections.abc import Sequence
from dataclasses import dataclass

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
from core.statistics.irt import MIN_SYSTEMS as MIN_MODEL_SYSTEMS
from core.statistics.irt import Fit, fit
from eval.metric import metrics
from eval.system import systems
from store.engine import settings
from store.engine.database import Database
from store.items import difficulty_facts
from workbench.background_cache import BackgroundCache, RunningWork
from workbench.roles import requires

__all__ = [
    "MIN_MODEL_SYSTEMS",
    "MIN_SYSTEMS",
    "DifficultyModel",
    "DifficultyRule",
    "DifficultySpread",
    "DifficultyStage",
    "Fit",
    "ItemDifficulty",
]
SETTING = "difficulty"


@dataclass(frozen=True, slots=True)
class DifficultyModel:
    """The fitted two-parameter model of item difficulty, or the reason why it cannot be fitted."""

    fit: Fit | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class ItemDifficulty:
    """Which systems solved one item, and the item's difficulty."""

    band: str | None
    """Difficulty band of the item, or None if too few systems answered it."""
    solved: int
    systems: int
    rule: DifficultyRule
    answered: Sequence[tuple[str, str, bool]]
    """For each system that answered: (name, agent, whether the system solved the item)."""


def load_rule(database: Database) -> DifficultyRule:
    """Load the rule by which a system counts as having solved an item: a metric, the lowest value that counts, and the
    systems."""
    rule = settings.get(database, SETTING)
    return DifficultyRule() if rule is None else DifficultyRule(rule["metric"], rule["least"], tuple(rule["systems"]))


def summarize_difficulty(database: Database, items: Sequence[Item]) -> dict[str, object]:
    """Return a summary of the difficulty of `items` for a release; {} if no item has a measured difficulty."""
    rule = load_rule(database)
    outcomes: dict[str, list[bool]] = {}
    for one in difficulty_facts.load_outcomes(database, rule, [item.id for item in items]):
        outcomes.setdefault(one.item, []).append(one.is_solved)
    results = [(item.level, outcomes.get(item.id, [])) for item in items]
    spread = count_bands(SolvedItems(level, sum(solved), len(solved)) for level, solved in results)
    return spread_record(rule, spread) if spread.most else {}


class DifficultyStage:
    """Methods that set how difficulty is measured, and that return the difficulty of items."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._cache = BackgroundCache(max_results=6)

    def rule(self) -> DifficultyRule:
        """Return the rule by which a system counts as having solved an item."""
        return load_rule(self._db)

    def choices(self) -> dict[str, list[str]]:
        """Return the possible values of a rule: {"metrics": metrics whose scale has an upper end, "systems": all systems}."""
        bounded = sorted(name for name, metric in metrics().items() if metric.high is not None)
        return {"metrics": bounded, "systems": sorted(systems())}

    @requires("set the rules of the work", lambda arguments: "difficulty", notes=[])
    def set_rule(self, rule: DifficultyRule) -> None:
        """Set the rule by which a system counts as having solved an item. Raises BenchError if the metric or a system is
        unknown, or if the lowest value is not on the metric's scale."""
        metric = pick(metrics(), rule.metric, "metric")
        if not (metric.low is None or rule.least > metric.low) or not (metric.high is None or rule.least <= metric.high):
            raise BenchError(
                f"{rule.least:g} cannot be the lowest {rule.metric} at which an answer counts as right: give a value above "
                f"{metric.low} and up to {metric.high}."
            )
        if not rule.systems:
            raise BenchError("No system is chosen to measure difficulty: choose one or more.")
        for system in rule.systems:
            pick(systems(), system, "system")
        settings.put(self._db, SETTING, {"metric": rule.metric, "least": rule.least, "systems": list(rule.systems)})

    @requires("see runs", is_logged=False)
    def spread(self) -> RunningWork[DifficultySpread]:
        """Count items by level and difficulty band, in the background."""
        rule = self.rule()
        key = ("spread", rule, difficulty_facts.fingerprint(self._db))
        return self._cache.get(key, lambda: count_bands(difficulty_facts.load_tried(self._db, rule)))

    @requires("see runs", is_logged=False)
    def model(self) -> RunningWork[DifficultyModel]:
        """Fit the two-parameter model in the background. All systems that ever answered count, not only those of the rule."""
        rule = self.rule()
        key = ("model", rule.metric, rule.least, difficulty_facts.fingerprint(self._db))
        return self._cache.get(key, lambda: self._fit_model(rule))

    @requires("see runs", "item", is_logged=False)
    def load_item(self, item: str) -> ItemDifficulty:
        """Load which systems solved the item, and its difficulty band."""
        rule = self.rule()
        answered = [(one.system, one.agent, one.is_solved) for one in difficulty_facts.load_outcomes(self._db, rule, [item])]
        solved = sum(is_solved for *_, is_solved in answered)
        return ItemDifficulty(difficulty_band(solved, len(answered)), solved, len(answered), rule, answered)

    def _fit_model(self, rule: DifficultyRule) -> DifficultyModel:
        outcomes = difficulty_facts.load_outcomes(self._db, rule._replace(systems=()))
        try:
            return DifficultyModel(fit({(f"{one.system}/{one.agent}", one.item): one.is_solved for one in outcomes}))
        except BenchError as error:
            return DifficultyModel(None, str(error))
