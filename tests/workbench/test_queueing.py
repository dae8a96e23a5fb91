"""What other rules of the queue would change is told before they hold, and is what they change; how much of what several are
wanted on they have looked at is counted by what people did one by one."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.errors import BenchError
from store.items import items
from tests.store.sample_items import item
from workbench import Workbench
from workbench.annotate.queue.queueing import ItemKind, OverlapRule, QueueRules

TWO = QueueRules([OverlapRule(ItemKind(), 2)])


@pytest.fixture
def bench() -> Iterator[Workbench]:
    """Six drafts, two people wanted on each: a is agreed on, b is not, c and d have one opinion."""
    with Workbench.open(":memory:") as bench:
        items.add(bench.database, [item(name, level=1 if name < "d" else 2) for name in "abcdef"])
        bench.queue.set_rules(TWO, "Lea")
        for person, name, decision in (
            ("Ann", "a", "accept"),
            ("Bo", "a", "accept"),
            ("Ann", "b", "accept"),
            ("Bo", "b", "discard"),
            ("Ann", "c", "accept"),
            ("Ann", "d", "discard"),
        ):
            bench.reviews.decide(name, decision, person=person, reason="a test")  # type: ignore[arg-type]
        yield bench


@pytest.mark.fault(40)
def test_fewer_wanted_decides_what_is_enough_and_the_look_tells_it(bench: Workbench) -> None:
    rules = replace(bench.queue.rules(), overlaps=[])
    seen = bench.queue.preview(rules)
    assert (seen.wanted, seen.deciding, seen.differing, seen.moved) == ({(2, 1): 5}, 2, 0, 0)
    assert bench.queue.rules().version == 1, "a look changes nothing"
    assert bench.queue.set_rules(rules, "Lea") == 5
    status = {one.id: one.status for one in bench.reviews.items()}
    assert (status["c"], status["d"], status["b"]) == ("accepted", "discarded", "drafted")


@pytest.mark.fault(40)
def test_more_wanted_takes_nothing_back(bench: Workbench) -> None:
    seen = bench.queue.preview(
        replace(bench.queue.rules(), overlaps=[OverlapRule(ItemKind(level=1), 3), OverlapRule(ItemKind(), 2)])
    )
    assert (seen.wanted, seen.deciding, seen.differing) == ({(2, 3): 2}, 0, 0), "b and c; a is decided and stays so"


def test_what_comes_first_is_told_as_moved(bench: Workbench) -> None:
    rules = replace(bench.queue.rules(), first=[ItemKind(level=2)])
    assert bench.queue.preview(rules).moved == 3
    bench.queue.set_rules(rules, "Lea")
    assert bench.reviews.find_next(ItemKind(), "Cy") == "d"
    assert [(one.version, one.by) for one in bench.queue.history()] == [(2, "Lea"), (1, "Lea")]


def test_coverage_counts_what_the_rule_changed_and_not_what_one_person_decided_before() -> None:
    with Workbench.open(":memory:") as bench:
        items.add(bench.database, [item(name) for name in "abcdef"])
        for name in "ab":
            bench.reviews.decide(name, "accept", person="Ann")
        assert bench.queue.set_rules(TWO, "Lea") == 4
        assert [one[2:] for one in bench.queue.coverage()] == [(6, 4, 0, 0, 0)]


def test_coverage_counts_who_looked(bench: Workbench) -> None:
    assert [one[2:] for one in bench.queue.coverage()] == [(3, 3, 2, 1, 0), (3, 3, 0, 1, 0)]
    bench.queue.set_rules(replace(bench.queue.rules(), overlaps=[]), "Lea")
    assert [one[2:] for one in bench.queue.coverage()] == [(3, 0, 0, 0, 2), (3, 0, 0, 0, 0)]


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (QueueRules([OverlapRule(ItemKind(), 10)]), "cannot have 10 reviewers"),
        (QueueRules([OverlapRule(ItemKind(), 2, 0)]), "A share of 0 is not possible"),
        (QueueRules([OverlapRule(ItemKind(), 2)] * 31), "At most 30 rules"),
    ],
)
def test_rules_that_cannot_hold_are_a_sentence(bench: Workbench, rules: QueueRules, sentence: str) -> None:
    for verb in (bench.queue.preview, lambda rules: bench.queue.set_rules(rules, "Lea")):
        with pytest.raises(BenchError, match=sentence):
            verb(replace(rules, version=1))
    with pytest.raises(BenchError, match="give your name first"):
        bench.queue.set_rules(TWO, " ")
