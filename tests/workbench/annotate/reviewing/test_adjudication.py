"""Adjudication: opinions that differ are decided by somebody who sees them without names, one person at a time."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Span
from store.corpus import documents
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions, reviews
from store.reviews.state import list_differences
from tests.waiting import until
from workbench import Workbench
from workbench.annotate.desk.desk_data import DeskData, ShownOpinion
from workbench.annotate.progress.outcomes import PersonOutcomes
from workbench.annotate.reviewing.reviews import DecisionRequest, UnsentEdit

TEXT = "The bridge was built by Marta Quill. It is 212 metres long."
DOCUMENT = Document(content_hash(TEXT), TEXT, "The bridge", domain="arts")
BUILT, LONG = Span(DOCUMENT.id, 0, 36), Span(DOCUMENT.id, 37, 59)
SINCE = datetime(2026, 1, 1, tzinfo=UTC)
PEOPLE = ("Ann Annotator", "Bo Bookish", "Cy Cypher")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """Three drafts on which two people are wanted."""
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [DOCUMENT])
        opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
        items.add(
            bench.database,
            [
                Item(name, "explicit_factoid", "Who built it?", ("Quill",), (BUILT,), 1, "arts", given=(DOCUMENT.id,))
                for name in "abc"
            ],
            by="gpt",
        )
        yield bench
        assert list_differences(bench.database) == []


def press(person: str, item: str = "a", **fields: Any) -> DecisionRequest:
    found = {
        "key": f"{person}-{item}",
        "person": person,
        "item": item,
        "revision": 1,
        "decision": "accept",
        "question": "Who built it?",
        "answer": "Quill",
        "evidence": (BUILT,),
    } | fields
    return DecisionRequest(**found)


def disputed(bench: Workbench, *names: str) -> None:
    """Ann accepts them as they are, Bo with an edit, in three seconds."""
    for name in names:
        bench.reviews.settle(press(PEOPLE[0], name, seconds=41.0))
        bench.reviews.settle(
            press(PEOPLE[1], name, question="Who built the bridge?", evidence=(BUILT, LONG), seconds=3.0, comment="clearer")
        )


def opened(bench: Workbench, item: str = "a", person: str = PEOPLE[2]) -> DeskData:
    return bench.adjudication.desk(item, person)


def given(bench: Workbench, question: str) -> ShownOpinion:
    [one] = [one for one in opened(bench).opinions.given if one.question == question]
    return one


def test_what_becomes_of_an_opinion_is_told_when_it_is_in_and_in_no_words_of_others(bench: Workbench) -> None:
    assert bench.reviews.settle(press("Ann")).told == "waits for 1 more"
    assert bench.reviews.settle(press("Bo", question="Who?")).told == "opinions differ: somebody decides between them"
    assert bench.reviews.settle(press("Bo", question="Who?")).told == "opinions differ: somebody decides between them"
    bench.reviews.settle(press("Ann", "b"))
    assert bench.reviews.settle(press("Bo", "b")).told == "all agreed: accepted"
    bench.reviews.settle(press("Ann", "c", decision="discard", reason="trivial"))
    assert bench.reviews.settle(press("Bo", "c", decision="discard", reason="wrong")).told == "all agreed: discarded"
    assert bench.reviews.settle(press("Bo", "c", key="k", decision="accept", revision=1)).told == ""


def test_no_name_is_told_before_the_decision_and_all_after_it(bench: Workbench) -> None:
    disputed(bench, "a")
    data = opened(bench)
    text = repr([data, bench.reviews.history("a", PEOPLE[2])])
    assert not any(name.split()[0] in text for name in PEOPLE[:2])
    assert data.opinions.is_open and [one.letter for one in data.opinions.given] == ["A", "B"]
    bench.adjudication.settle(press(PEOPLE[2], question="Who built the bridge?", evidence=(BUILT, LONG)), data.opinions.seen)
    after = opened(bench)
    assert not after.opinions.is_open and {one.person for one in after.opinions.given} == set(PEOPLE[:2])
    assert {one.person for one in bench.reviews.history("a", "Di").decisions} == set(PEOPLE)


def test_an_opinion_tells_its_words_its_time_and_whether_it_was_fast(bench: Workbench) -> None:
    disputed(bench, "a")
    slow, fast = given(bench, "Who built it?"), given(bench, "Who built the bridge?")
    assert (slow.seconds, slow.is_fast, fast.seconds, fast.is_fast) == (41.0, False, 3.0, True)
    assert (fast.decision, fast.comment, [place.start for place in fast.evidence]) == ("accept", "clearer", [0, 37])


def test_the_letters_are_the_items_own_and_stay(bench: Workbench) -> None:
    names = "abc"
    disputed(bench, *names)
    orders = {name: [one.question for one in opened(bench, name).opinions.given] for name in names}
    assert orders == {name: [one.question for one in opened(bench, name, "Di").opinions.given] for name in names}
    assert len({tuple(order) for order in orders.values()}) == 2, "whoever was first is not always A"


@pytest.mark.parametrize(
    ("fields", "taken"),
    [
        ({"question": "Who built the bridge?", "evidence": (LONG, BUILT)}, PEOPLE[1]),
        ({}, PEOPLE[0]),
        ({"question": "Who built the bridge?"}, None),
        ({"decision": "discard", "reason": "trivial"}, None),
    ],
)
def test_whose_words_were_taken_is_on_record(bench: Workbench, fields: dict[str, Any], taken: str | None) -> None:
    disputed(bench, "a")
    found = bench.adjudication.settle(press(PEOPLE[2], **fields, comment="as the text has it"), opened(bench).opinions.seen)
    [decision] = [one for one in reviews.load_effective(bench.database, ["a"]) if one.role == "adjudicated"]
    assert decision.details.get("taken") == (taken and f"{taken}-a") and decision.comment == "as the text has it"
    assert decision.details["of"] == [f"{name}-a" for name in PEOPLE[:2]]
    assert found.item.status == ("accepted" if fields.get("decision") != "discard" else "discarded")


def test_the_same_press_again_is_the_same_decision(bench: Workbench) -> None:
    disputed(bench, "a")
    seen = opened(bench).opinions.seen
    answers = [bench.adjudication.settle(press(PEOPLE[2]), seen) for _ in range(3)]
    assert [one.is_repeat for one in answers] == [False, True, True]


@pytest.mark.fault(39)
def test_an_opinion_that_changed_meanwhile_is_looked_at_again(bench: Workbench) -> None:
    disputed(bench, "a")
    seen = opened(bench).opinions.seen
    bench.reviews.undo(PEOPLE[1], "u")
    with pytest.raises(BenchError, match="no opinions to decide between"):
        bench.adjudication.settle(press(PEOPLE[2]), seen)
    bench.reviews.settle(press(PEOPLE[1], decision="discard", reason="trivial", key="other"))
    with pytest.raises(BenchError, match="An opinion was changed"):
        bench.adjudication.settle(press(PEOPLE[2]), seen)


def test_nobody_decides_between_opinions_of_which_one_is_theirs_unless_a_lead_lets_them(bench: Workbench) -> None:
    disputed(bench, "a")
    assert bench.adjudication.find_next(PEOPLE[0]) is None and bench.adjudication.count_disputed(PEOPLE[0]) == (0, 0, 1)
    with pytest.raises(BenchError, match="One of the opinions on this item is yours"):
        opened(bench, person=PEOPLE[0])
    seen = opened(bench).opinions.seen
    with pytest.raises(BenchError, match="One of the opinions on this item is yours"):
        bench.adjudication.settle(press(PEOPLE[0], key="k"), seen)
    with pytest.raises(BenchError, match="give your name"):
        bench.adjudication.set_rule(True, " ")
    bench.adjudication.set_rule(True, "Lea")
    rule = bench.adjudication.rule()
    assert (rule.is_on, rule.by) == (True, "Lea") and bench.adjudication.count_disputed(PEOPLE[0]) == (1, 0, 0)
    assert bench.adjudication.find_next(PEOPLE[0]) == "a"
    assert bench.adjudication.settle(press(PEOPLE[0], key="k"), seen).item.status == "accepted"


def test_each_disputed_item_is_one_persons_at_a_time(bench: Workbench) -> None:
    disputed(bench, "a", "b")
    assert [bench.adjudication.find_next(name) for name in ("Cy", "Di", "Ed")] == ["a", "b", None]
    assert bench.adjudication.find_next("Cy") == "a" and bench.adjudication.count_disputed("Ed") == (0, 2, 0)
    other = bench.adjudication.hold("a", "Di")
    assert other is not None and other.by == "Cy"
    assert bench.adjudication.find_next("Cy", "a") is None, "nothing else is free, and Cy keeps this one"
    assert bench.adjudication.find_next("Ed") is None


def test_a_look_at_a_disputed_item_in_the_queue_takes_it_from_nobody(bench: Workbench) -> None:
    disputed(bench, "a")
    bench.reviews.holds.hold("a", "Ed")
    bench.reviews.keep(UnsentEdit("Ed", "a", 1, "typed on a link", "Quill"))
    assert bench.adjudication.find_next("Cy") == "a"
    with pytest.raises(BenchError, match="Cy holds this item now"):
        bench.reviews.settle(press("Ed"))
    bench.reviews.holds.release("Cy", "Cy")
    with pytest.raises(BenchError, match="All 2 opinions on a are in, and they differ"):
        bench.reviews.settle(press("Ed"))
    assert bench.reviews.desk("a", "Ed").scratch.question == "typed on a link"


def test_once_all_are_in_nobody_changes_theirs(bench: Workbench) -> None:
    bench.reviews.settle(press("Ann"))
    bench.reviews.settle(press("Ann", key="again", question="Who, then?"))
    mine = bench.reviews.desk("a", "Ann").decision
    assert (mine.words.question, mine.missing) == ("Who, then?", 1)
    bench.reviews.settle(press("Bo"))
    with pytest.raises(BenchError, match="are in, yours too"):
        bench.reviews.settle(press("Ann", key="third"))
    assert bench.reviews.desk("a", "Ann").decision.missing == 0


def test_a_decision_between_opinions_is_undone_and_why_is_kept_as_it_is_typed(bench: Workbench) -> None:
    disputed(bench, "a")
    assert opened(bench).position.undo is None
    bench.adjudication.keep_why(PEOPLE[2], "a", 1, "the text says br")
    assert opened(bench).opinions.why.question == "the text says br"
    bench.adjudication.settle(press(PEOPLE[2]), opened(bench).opinions.seen)
    assert opened(bench).opinions.why is None and opened(bench).position.undo.item == "a"
    assert (
        bench.adjudication.find_previous(PEOPLE[2], None) == "a" and bench.adjudication.find_previous(PEOPLE[0], None) is None
    )
    bench.reviews.undo(PEOPLE[2], "u")
    assert opened(bench).opinions.is_open and bench.adjudication.count_disputed("Di").left == 1


def test_what_nobody_disputed_is_no_matter_of_adjudication(bench: Workbench) -> None:
    bench.reviews.settle(press("Ann"))
    with pytest.raises(BenchError, match="no opinions to decide between"):
        opened(bench)
    bench.reviews.settle(press("Bo"))
    with pytest.raises(BenchError, match="a is accepted, but not by a decision between opinions"):
        opened(bench)


def test_whoever_decides_sees_the_answer_of_a_blind_item(bench: Workbench) -> None:
    disputed(bench, "a")
    bench.reviews.blind.set_rule(1.0, 0, "Lea")
    assert opened(bench).item.answers == ("Quill",) and bench.reviews.claims("a", 1, PEOPLE[2])


def outcomes(bench: Workbench, person: str) -> PersonOutcomes:
    def ready() -> bool:
        return bench.progress.sort_outcomes(person, SINCE).value is not None

    until(ready)
    found = bench.progress.sort_outcomes(person, SINCE).value
    assert found is not None
    return found


def test_what_became_of_ones_opinions_is_told_with_the_reason(bench: Workbench) -> None:
    disputed(bench, "a", "b")
    for person in PEOPLE[:2]:
        bench.reviews.settle(press(person, "c"))
    for name, question in (("a", "Who built the bridge?"), ("b", "A third text?")):
        seen = opened(bench, name).opinions.seen
        words = press(PEOPLE[2], name, question=question, evidence=(BUILT, LONG), comment="it must name the bridge")
        bench.adjudication.settle(words, seen)
    ann, bo = outcomes(bench, PEOPLE[0]), outcomes(bench, PEOPLE[1])
    assert (ann.agreed, [one.item for one in ann.changed]) == (1, ["b", "a"])
    assert (bo.agreed, [one.item for one in bo.changed]) == (2, ["b"])
    last = bo.changed[0]
    assert (last.mine.question, last.became.question, last.why) == (
        "Who built the bridge?",
        "A third text?",
        "it must name the bridge",
    )
    assert outcomes(bench, PEOPLE[2]) == PersonOutcomes(0, [])
    bench.reviews.undo(PEOPLE[2], "u")
    assert len(outcomes(bench, PEOPLE[1]).changed) == 0, "what was undone changed nothing"
