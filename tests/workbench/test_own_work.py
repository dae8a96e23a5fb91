"""A person's first page: where work waits, who mentioned them, and which guidelines changed. News is told until it is opened,
and nobody is told what they may not read yet."""

from collections.abc import Iterator

import pytest

from store.items import items
from store.queue.queue_rules import OverlapRule, QueueRules
from tests.store.sample_items import item
from workbench import Workbench, actor
from workbench.annotate.queue.queueing import ItemKind


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as bench:
        items.add(bench.database, [item(name) for name in "abc"])
        yield bench


def test_a_mention_is_told_until_it_is_opened(bench: Workbench) -> None:
    bench.comments.say("Lea", "a", "@bo: is this figure right?", "k1")
    bench.comments.say("Lea", "b", "@Bob and @Boris, look here; mail lea@bo.example", "k2")
    bench.comments.say("Bo", "c", "A note to myself, @Bo", "k3")
    bench.comments.say("Lea", "c", "@Bo, never mind", "k4")
    bench.comments.take_back("Lea", "k4")
    assert [(one.comment, one.item, one.by, one.question) for one in bench.own_work.list_mentions("Bo")] == [
        ("k1", "a", "Lea", item("a").question)
    ]
    assert [one.comment for one in bench.own_work.list_mentions("Boris")] == ["k2"]
    bench.own_work.mark_seen("Bo", "k1")
    bench.own_work.mark_seen("Bo", "k1")
    assert bench.own_work.list_mentions("Bo") == [] and bench.own_work.list_mentions("") == []


def test_a_mention_that_the_person_may_not_read_yet_is_told_after_their_opinion(bench: Workbench) -> None:
    bench.queue.set_rules(QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
    bench.reviews.decide("a", "accept", person="Ann")
    bench.comments.say("Ann", "a", "@Bo I doubt the year", "k1")
    assert bench.own_work.list_mentions("Bo") == []
    bench.reviews.decide("a", "accept", person="Bo")
    assert [one.comment for one in bench.own_work.list_mentions("Bo")] == ["k1"]


def test_a_mention_on_what_is_with_somebody_else_is_told_and_no_look_is_on_record_as_refused(bench: Workbench) -> None:
    bench.people.give("Lea", "admin")
    bench.reviews.holds.hold("a", "Ann")
    bench.reviews.decide("b", "accept", person="Ann")
    for number, name in enumerate("abc"):
        bench.comments.say("Ann", name, f"@Bo, see {name}", f"k{number}")
    with actor.act_as("Bo"):
        told = bench.own_work.list_mentions("Bo")
    assert [(one.item, one.is_open, bool(one.question)) for one in told] == [
        ("c", True, True),
        ("b", False, False),
        ("a", False, False),
    ]
    assert not bench.database.rows("SELECT * FROM log WHERE is_refused")


def test_a_guideline_is_told_again_when_it_changes(bench: Workbench) -> None:
    bench.guidelines.save("", "Ask one thing.", by="Lea")
    (first,) = bench.own_work.list_changed_guidelines("Bo")
    assert bench.own_work.list_changed_guidelines("Lea") == [], "the writer knows it"
    bench.own_work.mark_seen("Bo", str(first.version))
    assert bench.own_work.list_changed_guidelines("Bo") == []
    bench.guidelines.save("", "Ask one thing, in one sentence.", by="Lea", note="length")
    assert [version.note for version in bench.own_work.list_changed_guidelines("Bo")] == ["length"]


def test_work_is_listed_by_page(bench: Workbench) -> None:
    bench.reviews.decide("a", "accept", person="Ann")
    assert bench.own_work.list_waiting("Bo") == [("review", 2), ("rewrite", 1)]
    bench.people.give("Lea", "admin")
    bench.people.give("Bo", "researcher")
    assert bench.own_work.list_waiting("Bo") == [], "a researcher decides on nothing"
    assert bench.own_work.list_waiting("") == [("review", 2), ("rewrite", 1)], "what is free for anybody"
