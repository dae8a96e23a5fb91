"""The rules of the queue: the number of people wanted for which items, and the order. Also previews other rules, and counts the
finished work for several people."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.errors import BenchError
from store.engine.database import Database
from store.items import coverage
from store.items.coverage import Coverage
from store.queue import queue, queue_rules
from store.queue.kind import ANY_FLAG, NO_FLAG, ItemKind
from store.queue.queue_rules import MAX_WANTED_PEOPLE, OverlapRule, QueueRuleEffect, QueueRules
from store.reviews import label_questions, opinions
from workbench.roles import requires

__all__ = [
    "ANY_FLAG",
    "MAX_WANTED_PEOPLE",
    "NO_FLAG",
    "Coverage",
    "ItemKind",
    "OverlapRule",
    "QueueRuleEffect",
    "QueueRules",
    "QueueStage",
    "RuleChange",
]

MAX_RULES = 30
"""Maximum number of rules of one kind."""


@dataclass(frozen=True, slots=True)
class RuleChange:
    """The effect of other rules on the waiting items."""

    changes: Sequence[QueueRuleEffect]
    deciding: int
    """Number of items whose opinions would be complete and equal, so that the items are decided."""
    differing: int
    """Number of items whose opinions would be complete and different, so that a person must decide."""

    @property
    def moved(self) -> int:
        """Return the number of items that come earlier or later under the new rules."""
        return sum(change.items for change in self.changes if change.is_moved)

    @property
    def wanted(self) -> Mapping[tuple[int, int], int]:
        """Return (people wanted now, people wanted then) -> items, for items that the new rules give another number of
        people."""
        counts: Counter[tuple[int, int]] = Counter()
        for change in self.changes:
            if change.wanted != change.then:
                counts[change.wanted, change.then] += change.items
        return counts


class QueueStage:
    """Verbs on the queue's rules."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def rules(self) -> QueueRules:
        """Return the current rules."""
        return queue_rules.load_current_rules(self._db.rows)

    def history(self) -> list[QueueRules]:
        """List all rules that were ever in force, the newest first."""
        return queue_rules.load_history(self._db.rows)

    def choices(self) -> Mapping[str, Sequence[int | str]]:
        """Return the possible values of a rule's kind, which are the values of items."""
        values = queue.list_choices(self._db)
        return {**values, "flag": [NO_FLAG, ANY_FLAG, *values["flag"]]}

    def preview(self, rules: QueueRules) -> RuleChange:
        """Preview the effect of those rules. Raises BenchError on impossible rules."""
        _check(rules)
        fetch = self._db.rows
        complete = [opinions.load_opinions_on(fetch, item) for item in queue_rules.list_settled_by(fetch, rules)]
        questions = label_questions.list_questions(self._db)
        agreed = sum(all(opinions.are_equal(a, b, questions) for a, b in combinations(on, 2)) for on in complete if on)
        return RuleChange(queue_rules.preview_changes(fetch, rules), agreed, len(complete) - agreed)

    @requires("set the rules of the work", lambda arguments: "the order of the queue, and how many people are wanted")
    def set_rules(self, rules: QueueRules, by: str) -> int:
        """Store these rules as the current rules; `rules.version` is the version they were edited from. Returns the number of
        changed items.

        Raises BenchError on impossible rules, without a person's name, or when another person set other rules in between."""
        _check(rules)
        if not by.strip():
            raise BenchError("The queue's rules are stored under a name: give yours first.")
        current = self.rules()
        if current.version != rules.version:
            raise BenchError(
                f"{current.by} has set other rules since you looked (version {current.version}): nothing was changed, "
                f"look at those first."
            )
        return opinions.set_rules(self._db, rules, by.strip())

    def coverage(self) -> list[Coverage]:
        """Return the coverage of items that need several reviewers, by level and domain."""
        return coverage.load_coverage(self._db)


def _check(rules: QueueRules) -> None:
    queue_rules.check_rules(rules)
    if max(len(rules.overlaps), len(rules.first)) > MAX_RULES:
        raise BenchError(f"At most {MAX_RULES} rules of one kind are allowed: combine some of them.")
