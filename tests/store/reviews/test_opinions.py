"""Several people on one draft: opinions that agree decide, others wait for somebody who decides between them; nobody's words
go, and the kept rows follow from the history. annotation.md 3d, rows 28, 29 and 40."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.errors import BenchError
from core.nouns import Item, Span, Verdict
from store.engine.database import Database
from store.items import items
from store.queue import leases, next_item
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions, reviews, state, undo
from store.reviews.own_decisions import load_progress
from store.reviews.reviews import StoredDecision, decide
from tests.store.sample_items import item, review

AT = "2026-01-01T10:00:00.000+00:00"
TWO = QueueRules([OverlapRule(ItemKind(), 2)])


@pytest.fixture
def database() -> Iterator[Database]:
    """Three drafts, two people wanted on each; the state follows from the history at the end, too."""
    with Database.open(":memory:") as database:
        set_rules(database, TWO)
        items.add(database, [item(name) for name in "abc"])
        yield database
        assert state.list_differences(database) == []
        kept = database.rows("SELECT * FROM state ORDER BY item"), database.rows("SELECT * FROM opinion ORDER BY key")
        state.rebuild(database)
        assert (database.rows("SELECT * FROM state ORDER BY item"), database.rows("SELECT * FROM opinion ORDER BY key")) == kept


def set_rules(database: Database, rules: QueueRules) -> None:
    opinions.set_rules(database, rules, "lead", AT)


def say(
    database: Database, person: str, name: str, decision: str = "accept", words: str | None = None, **fields: object
) -> StoredDecision:
    now = items.get(database, name)
    edited = None if words is None else replace(now, question=words)
    made = review(f"{person}-{name}-{decision}-{words}", name, decision, now.revision, at=AT, **fields)
    return decide(database, replace(made, person=person), edited, heeds_leases=True)


def now(database: Database, name: str) -> Item:
    return items.get(database, name)


def test_one_opinion_decides_nothing_and_two_that_agree_do(database: Database) -> None:
    first = say(database, "ann", "a")
    assert (first.review.role, first.subject.status) == ("opinion", "drafted")
    second = say(database, "bo", "a")
    assert (second.review.role, second.subject.status, now(database, "a").revision) == ("opinion", "accepted", 1)
    settled = [r for r in reviews.load_effective(database, ["a"]) if r.role == "settled"]
    of = ["ann-a-accept-None", "bo-a-accept-None"]
    assert [(r.person, r.details) for r in settled] == [("bo", {"source": "unanimous", "of": of})]


def test_the_same_edit_by_both_is_the_new_revision(database: Database) -> None:
    say(database, "ann", "a", words="Who then?")
    assert now(database, "a").question == "Who is a?", "an opinion leaves the draft as it is"
    say(database, "bo", "a", words="Who then?")
    assert (now(database, "a").question, now(database, "a").status, now(database, "a").revision) == ("Who then?", "accepted", 4)


@pytest.mark.parametrize("theirs", [("discard", None), ("accept", "Who then?")])
def test_opinions_that_differ_wait_for_somebody_who_decides_between_them(
    database: Database, theirs: tuple[str, str | None]
) -> None:
    say(database, "ann", "a")
    say(database, "bo", "a", *theirs)
    assert now(database, "a").status == "drafted"
    assert load_progress(database, ItemKind(), "cy", at=AT, since=AT).disputed == 1
    assert opinions.list_disputed(database, "cy", 9) == (1, ["a"]) and opinions.list_disputed(database, "ann", 9) == (1, [])
    assert next_item.list_free_items(database, ItemKind(), "cy", AT) == ["b"], "nobody is asked for a third opinion"
    with pytest.raises(BenchError, match="All 2 opinions on a are in, and they differ"):
        say(database, "cy", "a")
    with pytest.raises(BenchError, match="An opinion on a was changed in the meantime"):
        say(database, "cy", "a", role="adjudicated", details={"of": ["x", "y"]})
    of = [one.review.id for one in opinions.load_opinions_on(database.rows, "a")]
    done = say(database, "cy", "a", "accept", "Who, of all?", role="adjudicated", details={"of": of})
    assert (done.review.role, done.subject.status, now(database, "a").question) == ("adjudicated", "accepted", "Who, of all?")
    assert opinions.list_disputed(database, "cy", 9) == (0, [])


def test_nothing_is_decided_between_opinions_that_are_not_all_in(database: Database) -> None:
    say(database, "ann", "a")
    with pytest.raises(BenchError, match="no opinions to decide between"):
        say(database, "cy", "a", role="adjudicated")


def test_each_has_one_opinion_the_last(database: Database) -> None:
    say(database, "ann", "a", "discard")
    say(database, "ann", "a", "accept")
    assert now(database, "a").status == "drafted" and len(opinions.load_opinions_on(database.rows, "a")) == 1
    mine = opinions.load_own_opinion(database, "a", "ann")
    assert mine is not None and mine.review.decision == "accept"
    say(database, "bo", "a")
    assert now(database, "a").status == "accepted"


@pytest.mark.fault(40)
def test_no_item_is_more_peoples_than_are_wanted_on_it(database: Database) -> None:
    people = ("ann", "bo", "cy", "di", "ed", "flo", "gus")
    got = [next_item.claim(database, ItemKind(), person, at=AT, minutes=15) for person in people]
    assert got == ["a", "a", "b", "b", "c", "c", None]
    say(database, "ann", "a")
    assert next_item.claim(database, ItemKind(), "gus", at=AT, minutes=15) is None, "ann's opinion keeps her place"
    assert next_item.claim(database, ItemKind(), "ann", at=AT, minutes=15) is None, "nobody is asked twice"
    with pytest.raises(reviews.HeldByOther):
        say(database, "gus", "a")


def test_an_opinion_is_taken_back_alone(database: Database) -> None:
    say(database, "ann", "a")
    say(database, "bo", "a", "discard")
    assert undo.undo(database, "ann", "u1") == "a"
    assert [one.review.person for one in opinions.load_opinions_on(database.rows, "a")] == ["bo"]
    say(database, "ann", "a", "discard", words=None)
    assert now(database, "a").status == "discarded"


def test_the_last_of_equal_opinions_is_taken_back_with_what_it_settled(database: Database) -> None:
    say(database, "ann", "a", words="Who then?")
    say(database, "bo", "a", words="Who then?")
    with pytest.raises(BenchError, match="bo decided on a after you"):
        undo.undo(database, "ann", "u1")
    assert undo.undo(database, "bo", "u2") == "a" and undo.undo(database, "bo", "u2") == "a"
    assert (now(database, "a").status, now(database, "a").revision) == ("drafted", 1)
    assert [one.review.person for one in opinions.load_opinions_on(database.rows, "a")] == ["ann"]
    assert undo.undo(database, "ann", "u3") == "a" and opinions.load_opinions_on(database.rows, "a") == []


def test_a_decision_between_opinions_is_taken_back_and_they_stand_again(database: Database) -> None:
    say(database, "ann", "a")
    say(database, "bo", "a", "discard")
    say(database, "cy", "a", "accept", "Who, of all?", role="adjudicated")
    assert undo.undo(database, "cy", "u1") == "a"
    assert (now(database, "a").status, now(database, "a").question) == ("drafted", "Who is a?")
    assert opinions.list_disputed(database, "di", 9) == (1, ["a"])
    assert [one.base for one in items.load_history(database, ["a"])] == [None, 1]


@pytest.mark.fault(40)
def test_fewer_people_wanted_settles_what_is_enough_and_keeps_every_opinion(database: Database) -> None:
    say(database, "ann", "a", "discard")
    say(database, "ann", "b")
    say(database, "bo", "b", "discard")
    set_rules(database, QueueRules())
    assert [now(database, name).status for name in "abc"] == ["discarded", "drafted", "drafted"]
    [settled] = [r for r in reviews.load_effective(database, ["a"]) if r.role == "settled"]
    assert (settled.person, settled.details["source"], settled.details["ruled_by"]) == ("ann", "fewer wanted", "lead")
    assert opinions.list_disputed(database, "cy", 9) == (1, ["b"]), "two opinions that differ are still two"
    assert len(reviews.load_effective(database, ["b"])) == 2


@pytest.mark.fault(40)
def test_more_people_wanted_asks_for_another_opinion(database: Database) -> None:
    say(database, "ann", "a")
    say(database, "bo", "a", "discard")
    set_rules(database, QueueRules([OverlapRule(ItemKind(), 3)]))
    assert opinions.list_disputed(database, "cy", 9) == (0, []) and next_item.list_free_items(
        database, ItemKind(), "cy", AT
    ) == ["a"]
    say(database, "cy", "a")
    assert opinions.list_disputed(database, "di", 9) == (1, ["a"])


@pytest.mark.fault(39)
def test_what_is_given_by_name_waits_for_that_person(database: Database) -> None:
    set_rules(database, QueueRules())
    assert leases.assign(database, ["b", "c", "x"], "bo", by="lead", at=AT) == ["b", "c"]
    assert next_item.list_free_items(database, ItemKind(), "ann", AT, limit=9) == ["a"]
    assert next_item.list_free_items(database, ItemKind(), "bo", AT, limit=9) == ["b", "c", "a"], "what was given comes first"
    way = leases.find_blocking_lease(database, "b", "ann", AT)
    assert way is not None and (way.person, way.until) == ("bo", "")
    assert leases.assign(database, ["b"], "ann", by="lead", at=AT, instead_of="bo") == ["b"]
    assert [(one.item, one.person) for one in leases.list_assignments(database)] == [("b", "ann"), ("c", "bo")]
    say(database, "ann", "b")
    assert leases.unassign(database, ["c", "b"], "bo") == ["c"] and leases.list_assignments(database) == []


def test_a_share_falls_on_every_kind_alike_and_on_new_items_as_on_old_ones() -> None:
    rules = QueueRules([OverlapRule(ItemKind(language="en"), 2, share=0.25)], seed=7)
    made = [item(f"{task}{n}", task=task, domain=domain) for n in range(20) for task, domain in (("t", "law"), ("u", "art"))]
    with Database.open(":memory:") as old, Database.open(":memory:") as new:
        items.add(old, made)
        set_rules(old, rules)
        set_rules(new, rules)
        for piece in (made[:7], made[7:8], made[8:]):
            items.add(new, piece)
        rows = [database.rows("SELECT item, wanted FROM state ORDER BY item") for database in (old, new)]
        counts = old.rows("SELECT task, count(*) FROM state WHERE wanted = 2 GROUP BY task ORDER BY task")
    assert rows[0] == rows[1] and counts == [("t", 5), ("u", 5)]


def test_what_comes_first_comes_first_and_the_same_document_before_others() -> None:
    with Database.open(":memory:") as database:
        made = [("a", "x", 1), ("b", "y", 1), ("c", "x", 1), ("d", "y", 4)]
        items.add(database, [item(name, given=(document,), level=level) for name, document, level in made])
        assert next_item.list_free_items(database, ItemKind(), "ann", AT, after="a", limit=9) == ["b", "c", "d"], (
            "a was passed over"
        )
        decide(database, review("k", "a"))
        assert next_item.list_free_items(database, ItemKind(), "ann", AT, after="a", limit=9) == ["c", "b", "d"], (
            "c is of a's document"
        )
        set_rules(database, QueueRules(first=[ItemKind(level=4)]))
        assert next_item.list_free_items(database, ItemKind(), "ann", AT, after="a", limit=9) == ["d", "c", "b"]


def test_an_undo_to_other_words_brings_back_what_the_gates_found_on_those(database: Database) -> None:
    items.add(database, [item("flagged")], [Verdict("flagged", 1, "figures", "1", "flag")])
    for person in ("ann", "bo"):
        say(database, person, "flagged", words="Who then?")
    undo.undo(database, "bo", "u")
    assert next_item.list_free_items(database, ItemKind(flag="figures"), "cy", AT) == ["flagged"]


def test_another_text_has_no_opinions_yet(database: Database) -> None:
    say(database, "ann", "a")
    say(database, "bo", "a", "discard", reason="bad")
    items.edit(database, replace(now(database, "a"), question="Which a?"), "lead")
    assert database.rows("SELECT given FROM state WHERE item = 'a'") == [(0,)]
    assert "a" in next_item.list_free_items(database, ItemKind(), "ann", AT)


def test_an_undone_decision_between_people_brings_the_kind_of_the_draft_back(database: Database) -> None:
    say(database, "ann", "a")
    say(database, "bo", "a", "discard", reason="bad")
    moved = replace(now(database, "a"), domain="finance", evidence=(Span("d2", 0, 1),))
    decide(database, replace(review("r3", "a", at=AT), person="cy", role="adjudicated"), moved)
    assert database.rows("SELECT domain, document FROM state WHERE item = 'a'") == [("finance", "d2")]
    undo.undo(database, "cy", "u1")
    assert database.rows("SELECT revision, domain FROM state WHERE item = 'a'") == [(1, now(database, "a").domain)]
