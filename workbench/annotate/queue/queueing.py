"""Manage the rules of the review queue: how many people review which items, and in which order items come. Also preview the
effect of new rules, and count the items that need several reviewers."""

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
"""Maximum number of rules of each kind; one kind sets the number of reviewers, the other sets the order."""


@dataclass(frozen=True, slots=True)
class RuleChange:
    """The effect that new rules would have on the waiting items."""

    changes: Sequence[QueueRuleEffect]
    deciding: int
    """Number of items that would be decided at once, because they would need no more opinions under the new rules and all their
    opinions are equal."""
    differing: int
    """Number of items that would be disputed, because they would need no more opinions under the new rules and their opinions
    differ."""

    @property
    def moved(self) -> int:
        """Return the number of items that would come earlier or later in the queue under the new rules."""
        return sum(change.items for change in self.changes if change.is_moved)

    @property
    def wanted(self) -> Mapping[tuple[int, int], int]:
        """Return a dict from (number of reviewers needed now, number needed under the new rules) to the number of items for
        which the two numbers differ."""
        counts: Counter[tuple[int, int]] = Counter()
        for change in self.changes:
            if change.wanted != change.then:
                counts[change.wanted, change.then] += change.items
        return counts


class QueueStage:
    """Methods that read, preview and set the rules of the review queue."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def rules(self) -> QueueRules:
        """Return the current rules of the queue."""
        return queue_rules.load_current_rules(self._db.rows)

    def history(self) -> list[QueueRules]:
        """List all versions of the queue's rules, newest first."""
        return queue_rules.load_history(self._db.rows)

    def choices(self) -> Mapping[str, Sequence[int | str]]:
        """Return a dict from a field of items to the values that occur, from which a person chooses the items that a rule
        applies to."""
        values = queue.list_choices(self._db)
        return {**values, "flag": [NO_FLAG, ANY_FLAG, *values["flag"]]}

    def preview(self, rules: QueueRules) -> RuleChange:
        """Return the effect that `rules` would have on the waiting items. Raises BenchError if the rules are invalid."""
        _check(rules)
        fetch = self._db.rows
        complete = [opinions.load_opinions_on(fetch, item) for item in queue_rules.list_settled_by(fetch, rules)]
        questions = label_questions.list_questions(self._db)
        agreed = sum(all(opinions.are_equal(a, b, questions) for a, b in combinations(on, 2)) for on in complete if on)
        return RuleChange(queue_rules.preview_changes(fetch, rules), agreed, len(complete) - agreed)

    @requires("set the rules of the work", lambda arguments: "the order of the queue, and how many people are wanted")
    def set_rules(self, rules: QueueRules, by: str) -> int:
        """Set the rules of the queue. `rules.version` is the version that the person edited. Return the number of changed
        items.

        Raises BenchError if the rules are invalid, if the person gives no name, or if another person has set other rules in the
        meantime."""
        _check(rules)
        if not by.strip():
            raise BenchError("The queue's rules are stored with the name of the person who sets them: give your name first.")
        current = self.rules()
        if current.version != rules.version:
            raise BenchError(
                f"{current.by} has set other rules since you looked (version {current.version}): nothing was changed; "
                f"look at the new rules first."
            )
        return opinions.set_rules(self._db, rules, by.strip())

    def coverage(self) -> list[Coverage]:
        """Count, by level and domain, how many items need several reviewers and how many of them have enough opinions."""
        return coverage.load_coverage(self._db)


def _check(rules: QueueRules) -> None:
    queue_rules.check_rules(rules)
    if max(len(rules.overlaps), len(rules.first)) > MAX_RULES:
        raise BenchError(f"At most {MAX_RULES} rules of one kind are allowed: combine some of them.")
