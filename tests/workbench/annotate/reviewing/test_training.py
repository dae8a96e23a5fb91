"""Qualification, control items and blind answers: control items are kept apart from items, nothing tells one from an item
before it is decided on, and no hidden answer is shown before a person has given one."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.as_json import as_json
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Provenance, Span, Verdict
from store.controls import control_items
from store.corpus import documents
from store.items import draft_costs, items
from store.queue import assistance
from store.queue.assistance import AssistanceRule
from store.reviews import control_answers, reviews
from store.reviews.state import list_differences
from workbench import Workbench
from workbench.annotate.desk.desk_data import DeskData, QualificationFeedback
from workbench.annotate.reviewing.blind import WRITE_FIRST
from workbench.annotate.reviewing.desk_visits import DeskStep
from workbench.annotate.reviewing.reviews import DecisionRequest, HeldByOther, ItemKind, ReviewConflict, UnsentEdit

TEXT = (
    "The bridge at Orvel was designed by Marta Quill in 1931. It is 212 metres long. People in Orvel had asked for it for many "
    "years. Jonas Reed opposed the plan from the start. The toll of 5 cents was abolished in 1954. Trade with the eastern bank "
    "grew at once. Jonas Reed left the council soon after, and Marta Quill was given its silver medal."
)
DOCUMENT = Document(content_hash(TEXT), TEXT, "The bridge", domain="arts", licence="CC0-1.0")
AGENT = Provenance("offline", "draft/x.en@b2:1", 1, (), "drafted")


def span(part: str) -> Span:
    return Span(DOCUMENT.id, TEXT.index(part), TEXT.index(part) + len(part))


FACT = Item(
    "f",
    "explicit_factoid",
    "Who designed the bridge at Orvel?",
    ("Marta Quill",),
    (span("The bridge at Orvel was designed by Marta Quill in 1931."),),
    1,
    "arts",
    given=(DOCUMENT.id,),
    provenance=AGENT,
)
LENGTH = (span("It is 212 metres long."),)
LONG = replace(FACT, question="How long is the bridge at Orvel?", answers=("212 metres",), evidence=LENGTH)
KIND = ItemKind()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """Sixteen accepted drafts, ten that wait; nobody of the tests decided on any."""
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [DOCUMENT])
        done = [replace(one, id=f"{n:016x}", status="accepted") for n, one in enumerate([FACT, LONG] * 8)]
        wait = [replace(FACT, id=f"{n:016x}", question=f"Who designed bridge {n} at Orvel?") for n in range(100, 110)]
        check = {
            "recall": 1.0,
            "precision": 0.2,
            "f1": 1.0,
            "judge": 9,
            "answer": "Marta Quill",
            "agent": "offline",
            "retrieved": [[s.document, s.start, s.end] for s in FACT.evidence],
        }
        found = [
            Verdict(one.id, 1, gate, "1", "pass", details=check if gate == "rag_check" else {})
            for one in [*done, *wait]
            for gate in ("parse", "evidence", "figures", "rag_check")
        ]
        items.add(bench.database, [*done, *wait], found)
        yield bench
        assert list_differences(bench.database) == []


def press(data: DeskData, key: str, decision: Any = "accept", person: str = "Ada", **fields: Any) -> DecisionRequest:
    """A decision on what the desk shows."""
    item = data.item
    answer = item.answers[0] if item.answers else ""
    reason = "answer wrong" if decision == "discard" else ""
    return DecisionRequest(
        **{
            "key": key,
            "person": person,
            "item": item.id,
            "revision": item.revision,
            "decision": decision,
            "question": item.question,
            "answer": answer,
            "evidence": tuple(item.evidence),
            "reason": reason,
            "seen": item.status,
            "seconds": 5.0,
        }
        | fields
    )


def expected(bench: Workbench, id_: str) -> str:
    """What a good annotator does with that plant, mending being left out."""
    plant = control_items.get(bench.database, id_)
    assert plant is not None
    return "accept" if plant.injected_error == "no_flaw" else "discard"


def practise(bench: Workbench, right: int, n: int, person: str = "Ada") -> list[QualificationFeedback]:
    """Decide on a round, so many as expected; the feedback on each."""
    told = []
    after = None
    for number in range(n):
        item = bench.reviews.find_next(KIND, person, after)
        assert item is not None
        wanted = expected(bench, item)
        if number >= right:
            wanted = "discard" if wanted == "accept" else "accept"
        round_ = bench.reviews.qualification.load_state(person).round
        settled = bench.reviews.settle(press(bench.reviews.desk(item, person), f"{person}{round_}{number}", wanted, person))
        assert settled.feedback is not None
        told.append(settled.feedback)
        after = item
    return told


def test_practice_comes_first_with_feedback_and_passing_opens_the_queue(bench: Workbench) -> None:
    assert bench.reviews.qualification.set_rule(4, 3, "Lead") == 16
    told = practise(bench, 3, 4)
    assert [one.is_right for one in told] == [True, True, True, False]
    assert (told[-1].done, told[-1].n, told[-1].right, told[-1].passing) == (4, 4, 3, 3)
    assert all(one.why.endswith(".") and one.expected.endswith(".") and one.did.startswith("You ") for one in told)
    assert any(one.flaw == "no error" for one in told) and len({one.flaw for one in told}) >= 3
    assert bench.reviews.qualification.load_state("Ada").has_passed
    assert items.get(bench.database, str(bench.reviews.find_next(KIND, "Ada"))).status == "drafted", "a real one"


def test_a_failed_round_is_followed_by_one_of_other_plants(bench: Workbench) -> None:
    bench.reviews.qualification.set_rule(4, 4, "Lead")
    practise(bench, 2, 4)
    practise(bench, 4, 4)
    first, second = control_answers.load_rounds(bench.database, "Ada")
    assert not set(first.controls) & set(second.controls) and bench.reviews.qualification.load_state("Ada").has_passed
    assert [(one.round, one.right, one.n) for one in bench.reviews.qualification.list_states()] == [(2, 4, 4)]


def test_with_too_few_plants_people_begin_with_real_items(bench: Workbench) -> None:
    bench.reviews.qualification.set_rule(50, 40, "Lead")
    assert bench.reviews.qualification.count_missing_items() == 34
    assert items.get(bench.database, str(bench.reviews.find_next(KIND, "Ada"))).status == "drafted"


def test_a_lead_lets_somebody_through_and_bad_rules_are_refused(bench: Workbench) -> None:
    bench.reviews.qualification.set_rule(4, 4, "Lead")
    bench.reviews.qualification.excuse("Ada", "Lead")
    assert bench.reviews.qualification.find_next("Ada") is None and bench.reviews.qualification.find_next("Bo") is not None
    for n, passing, by in ((4, 5, "Lead"), (51, 1, "Lead"), (-1, 0, "Lead"), (4, 4, " ")):
        with pytest.raises(BenchError):
            bench.reviews.qualification.set_rule(n, passing, by)
    with pytest.raises(BenchError):
        bench.reviews.control_sampling.set_rule(1, 0, "Lead")
    with pytest.raises(BenchError):
        bench.reviews.blind.set_rule(1.5, 0, "Lead")


def test_skipping_in_practice_comes_back_and_the_first_decision_is_the_one(bench: Workbench) -> None:
    bench.reviews.qualification.set_rule(2, 2, "Lead")
    one = str(bench.reviews.find_next(KIND, "Ada"))
    other = str(bench.reviews.find_next(KIND, "Ada", one))
    assert bench.reviews.find_next(KIND, "Ada", other) == one != other
    data = bench.reviews.desk(one, "Ada")
    bench.reviews.settle(press(data, "k"))
    assert bench.reviews.settle(press(data, "k2", "discard")).is_repeat
    assert [a.decision for a in control_answers.load_effective_answers(bench.database, "Ada")] == ["accept"]
    assert bench.reviews.desk(one, "Ada").feedback and not bench.reviews.desk(other, "Ada").feedback


def walk(bench: Workbench, person: str, n: int) -> list[tuple[str, int, int]]:
    """Accept whatever comes; (item, left before, today before) of each."""
    way, after = [], None
    for number in range(n):
        item = bench.reviews.find_next(KIND, person, after)
        if item is None:
            break
        told = bench.reviews.progress(KIND, person)
        way.append((item, told.left, told.today))
        bench.reviews.settle(press(bench.reviews.desk(item, person), f"{person}{number}", person=person))
        after = item
    return way


def test_plants_come_at_the_rate_and_no_count_tells_them(bench: Workbench) -> None:
    bench.reviews.control_sampling.set_rule(4, 7, "Lead")
    way = walk(bench, "Ada", 30)
    planted = [control_items.is_control_item(bench.database, item) for item, *_ in way]
    assert planted.count(False) == 10 and planted.count(True) in (3, 4), "one in four of all"
    assert [left for _, left, _ in way] == list(range(len(way), 0, -1)), "each decision leaves one less, plant or not"
    assert [today for *_, today in way] == list(range(len(way)))
    assert len({item for item, *_ in way}) == len(way)


def test_a_control_item_whose_answer_was_lost_comes_again(bench: Workbench) -> None:
    bench.reviews.control_sampling.set_rule(2, 7, "Lead")
    item, shown = str(bench.reviews.find_next(KIND, "Ada")), []
    for n in range(6):
        bench.reviews.settle(press(bench.reviews.desk(item, "Ada"), f"k{n}"))
        steps = [bench.desk_visits.step(DeskStep("Ada", "tab", f"step {n}", n, item, "next")) for _ in range(3)]
        assert len({data.item.id for data in steps if data}) == 1
        item = str(steps[0] and steps[0].item.id)
        shown.append(control_items.is_control_item(bench.database, item))
    assert set(shown) == {True, False}


def test_a_plant_is_in_no_count_of_items_and_in_no_release(bench: Workbench) -> None:
    before = draft_costs.load_drafts(bench.database)
    bench.reviews.control_sampling.set_rule(2, 7, "Lead")
    assert draft_costs.load_drafts(bench.database) == before
    item = next(i for i, *_ in walk(bench, "Ada", 8) if control_items.is_control_item(bench.database, i))
    assert reviews.load_reviews(bench.database, [item]) == [] and items.load_items(bench.database, [item]) == []
    assert not {one.id for one in bench.reviews.items()} & {one.id for one in control_items.list_available(bench.database)}
    [mine] = [
        one
        for one in control_answers.count_outcomes(bench.database)
        if one.injected_error == control_items.get(bench.database, item).injected_error
    ][:1]  # type: ignore[union-attr]
    assert (mine.person, mine.is_qualification) == ("Ada", False)


def planted_for(bench: Workbench, person: str = "Ada") -> str:
    """The first plant of that person's queue, on the desk and not decided on."""
    bench.reviews.control_sampling.set_rule(2, 7, "Lead")
    after = None
    for number in range(20):
        item = str(bench.reviews.find_next(KIND, person, after))
        if control_items.is_control_item(bench.database, item):
            return item
        bench.reviews.settle(press(bench.reviews.desk(item, person), f"before{number}", person=person))
        after = item
    raise AssertionError("none came")


def test_nothing_on_the_desk_tells_a_plant_from_an_item(bench: Workbench) -> None:
    plant = planted_for(bench)
    real = next(one.id for one in bench.reviews.items(status="drafted"))
    a, b = bench.reviews.desk(plant, "Ada"), bench.reviews.desk(real, "Ada")
    assert {name for name, value in as_json(a).items() if value} == {name for name, value in as_json(b).items() if value}
    for part in ("status", "revision", "task", "level", "domain", "language", "labels"):
        assert getattr(a.item, part) == getattr(b.item, part)
    assert {"parse", "evidence", "figures"} <= {v.gate for v in a.verdicts}
    assert not any(v.outcome == "refuse" for v in a.verdicts) and a.rag and b.rag
    assert (a.machine.agent, a.history[0].by) == (b.machine.agent, b.history[0].by)
    assert a.history[0].at == b.history[0].at and len(plant) == len(real)
    source = control_items.get(bench.database, plant).source  # type: ignore[union-attr]
    assert source not in repr(a) and "plant" not in repr(a)
    assert len(bench.reviews.history(plant, "Ada").revisions) == len(bench.reviews.history(real, "Ada").revisions)
    assert bench.reviews.claims(plant, 1, "Ada") and bench.reviews.claims(real, 1, "Ada")
    assert plant in {one.item for one in bench.reviews.holds.list_held() if one.person == "Ada" and one.question}


def test_a_plant_is_typed_on_held_decided_undone_and_gone_back_to_as_an_item_is(bench: Workbench) -> None:
    plant = planted_for(bench)
    before = bench.reviews.find_previous("Ada", plant)
    data = bench.reviews.desk(plant, "Ada")
    bench.reviews.keep(UnsentEdit("Ada", plant, 1, "Half a", "word"))
    assert bench.reviews.desk(plant, "Ada").scratch.question == "Half a"
    assert bench.reviews.find_next(KIND, "Ada") == plant, "whoever comes back finds what they had"
    with pytest.raises(HeldByOther):
        bench.reviews.settle(press(data, "bo", person="Bo"))
    assert bench.reviews.holds.hold(plant, "Bo").by == "Ada"  # type: ignore[index]
    settled = bench.reviews.settle(press(data, "k", question="In words of my own, who?"))
    assert (settled.item.revision, settled.item.status, settled.feedback) == (2, "accepted", None)
    assert bench.reviews.settle(press(data, "k")).is_repeat and bench.reviews.desk(plant, "Ada").scratch is None
    with pytest.raises(ReviewConflict):
        bench.reviews.settle(press(data, "k2"))
    assert bench.reviews.desk(plant, "Ada").position.undo.item == plant and bench.reviews.find_previous("Ada", None) == plant
    assert bench.reviews.find_previous("Ada", plant) == before
    for _ in range(2):
        assert bench.reviews.undo("Ada", "u", plant) == plant
    again = bench.reviews.desk(plant, "Ada")
    assert (again.item.status, again.item.revision, again.decision) == ("drafted", 2, None)
    assert control_answers.count_outcomes(bench.database) == []
    bench.reviews.settle(press(again, "k3", "discard"))
    [count] = control_answers.count_outcomes(bench.database)
    assert (count.person, count.n) == ("Ada", 1)


def test_where_several_are_wanted_a_decision_on_a_plant_looks_like_an_opinion(bench: Workbench) -> None:
    bench.database.write(lambda cursor: cursor.execute("UPDATE state SET wanted = 2"))
    plant = planted_for(bench)
    waiting = [one.id for one in bench.reviews.items(status="drafted")]
    real = next(one for one in waiting if not bench.reviews.desk(one, "Ada").decision)
    left = {}
    for item in (plant, real):
        settled = bench.reviews.settle(press(bench.reviews.desk(item, "Ada"), f"k{item}", question="In my words, who?"))
        data = bench.reviews.desk(item, "Ada")
        left[item] = (
            settled.told,
            settled.item.status,
            settled.item.revision,
            data.item.status,
            data.item.revision,
            data.decision.decision,
            data.decision.words.question,
            len(data.history),
        )
    assert left[plant] == left[real]


def test_a_plant_that_is_skipped_comes_again_at_the_end(bench: Workbench) -> None:
    plant = planted_for(bench)
    left = bench.reviews.progress(KIND, "Ada").left
    after: str | None = bench.reviews.find_next(KIND, "Ada", plant)
    assert after is not None and after != plant and bench.reviews.progress(KIND, "Ada").left == left
    seen = []
    for number in range(30):
        if after is None:
            break
        seen.append(after)
        bench.reviews.settle(press(bench.reviews.desk(after, "Ada"), f"more{number}"))
        after = bench.reviews.find_next(KIND, "Ada", after)
    assert seen[-1] == plant and len(seen) == left and bench.reviews.progress(KIND, "Ada").left == 0


def test_whoever_decided_on_the_source_is_never_given_its_copy(bench: Workbench) -> None:
    for number, one in enumerate(bench.reviews.items(status="accepted")):
        bench.reviews.settle(press(bench.reviews.desk(one.id, "Ada"), f"all{number}"))
    bench.reviews.control_sampling.set_rule(2, 7, "Lead")
    assert not any(control_items.is_control_item(bench.database, item) for item, *_ in walk(bench, "Ada", 30))


def test_nothing_of_a_hidden_answer_is_told_before_a_person_has_given_one(bench: Workbench) -> None:
    bench.reviews.blind.set_rule(1.0, 3, "Lead")
    item = str(bench.reviews.find_next(KIND, "Ada"))
    data = bench.reviews.desk(item, "Ada")
    assert data.blind and "Marta" not in repr(data) and data.documents and data.item.question
    for ask in (
        lambda: bench.reviews.claims(item, 1, "Ada"),
        lambda: bench.reviews.claims(item, 1),
        lambda: bench.reviews.history(item, "Ada"),
        lambda: bench.reviews.settle(press(data, "k")),
    ):
        with pytest.raises(BenchError, match=WRITE_FIRST.split(":")[0]):
            ask()  # type: ignore[no-untyped-call]
    assert bench.reviews.desk(item, "").blind, "nor to somebody without a name"
    bench.reviews.keep_own(item, "Ada", 1, "Martha", 2.0)
    assert bench.reviews.desk(item, "Ada").scratch.answer == "Martha", "a reload brings it back"


def test_the_own_answer_reveals_the_draft_and_stands_for_ever(bench: Workbench) -> None:
    bench.reviews.blind.set_rule(1.0, 3, "Lead")
    item = str(bench.reviews.find_next(KIND, "Ada"))
    for empty in ("", " \n"):
        with pytest.raises(BenchError):
            bench.reviews.reveal(item, "Ada", empty, None)
    shown = bench.reviews.reveal(item, "Ada", "Martha Quill", 9.0)
    assert shown.item.answers == ("Marta Quill",) and not shown.blind and shown.verdicts and shown.claims
    assert bench.reviews.reveal(item, "Ada", "Another", 1.0).own_answer.text == "Martha Quill"
    bench.reviews.settle(press(shown, "k"))
    [review] = reviews.load_reviews(bench.database, [item])
    assert review.details["blind"] is True


def test_a_hidden_item_may_be_discarded_which_tells_nothing(bench: Workbench) -> None:
    bench.reviews.blind.set_rule(1.0, 3, "Lead")
    item = str(bench.reviews.find_next(KIND, "Ada"))
    settled = bench.reviews.settle(press(bench.reviews.desk(item, "Ada"), "k", "discard"))
    assert settled.item.status == "discarded" and settled.item.answers == () == settled.item.evidence
    [review] = reviews.load_reviews(bench.database, [item])
    assert not {"words", "blind"} & set(review.details)


def test_whoever_decides_between_opinions_sees_the_draft(bench: Workbench) -> None:
    item = bench.reviews.items(status="drafted")[0].id
    bench.database.write(lambda cursor: cursor.execute("UPDATE state SET wanted = 2 WHERE item = ?", [item]))
    for person, decision in (("Ada", "accept"), ("Bo", "discard")):
        bench.reviews.settle(press(bench.reviews.desk(item, person), f"k{person}", decision, person))
    bench.reviews.blind.set_rule(1.0, 3, "Lead")
    assert not bench.adjudication.desk(item, "Lead").blind and bench.reviews.claims(item, 1, "Lead")


def test_the_share_is_the_seeds_and_whoever_saw_the_draft_is_not_asked(bench: Workbench) -> None:
    waiting = [one.id for one in bench.reviews.items(status="drafted")]

    def hidden(person: str) -> set[str]:
        return {item for item in waiting if bench.reviews.desk(item, person).blind}

    bench.reviews.blind.set_rule(0.5, 3, "Lead")
    first = hidden("Ada")
    assert 0 < len(first) < 10 and hidden("Bo") == first
    bench.reviews.blind.set_rule(0.5, 4, "Lead")
    assert hidden("Ada") != first
    bench.reviews.blind.set_rule(1.0, 3, "Lead")
    assert hidden("Ada") == set(waiting)
    bench.reviews.blind.set_rule(0.0, 3, "Lead")
    bench.reviews.keep(UnsentEdit("Ada", waiting[0], 1, "typed", "with the draft in sight"))
    bench.reviews.blind.set_rule(1.0, 3, "Lead")
    assert hidden("Ada") == set(waiting[1:]) and hidden("Bo") == set(waiting)


def answer_alone(bench: Workbench, item: str, person: str = "Ada", **fields: Any) -> DecisionRequest:
    """An acceptance of an item that is answered without its draft, as the screen sends it."""
    data = bench.reviews.desk(item, person)
    return replace(press(data, f"alone-{item}-{person}"), **{"answer": "Quill", "evidence": LENGTH, "person": person, **fields})


def test_without_a_draft_a_persons_words_are_the_items_and_nothing_is_told_before(bench: Workbench, tmp_path: Path) -> None:
    bench.reviews.blind.set_rule(0.0, 3, "Lead", alone=1.0)
    item = str(bench.reviews.find_next(KIND, "Ada"))
    items_before = bench.item_list.load_items([item])[0]
    data = bench.reviews.desk(item, "Ada")
    assert data.alone and not data.blind and "Marta" not in repr(data) and not data.item.evidence and data.item.question
    for ask in (
        lambda: bench.reviews.claims(item, 1, "Ada"),
        lambda: bench.reviews.history(item, "Ada"),
        lambda: bench.reviews.reveal(item, "Ada", "Quill", 1.0),
        lambda: bench.reviews.settle(answer_alone(bench, item, answer=" ")),
        lambda: bench.reviews.decide(item, "accept", person="Ada"),
        lambda: bench.reviews.decide(item, "accept", person="Ada", answer="Quill"),
    ):
        with pytest.raises(BenchError, match="answered without its draft"):
            ask()
    with pytest.raises(BenchError, match="No evidence is left"):
        bench.reviews.settle(answer_alone(bench, item, evidence=()))
    bench.reviews.settle(answer_alone(bench, item, question="Another question?"))
    after = bench.item_list.load_items([item])[0]
    assert (after.question, after.answers, after.evidence) == (items_before.question, ("Quill",), LENGTH)
    [review] = reviews.load_reviews(bench.database, [item])
    assert review.details["assistance"] == "none" and review.details["assistance_rule"] == [0.0, 1.0, 3]
    assert "blind" not in review.details and after.revision == 2
    [event] = bench.reviews.history(item, "Ada").decisions
    assert event.assistance == "none"
    bench.releases.freeze("v1")
    bench.releases.export("v1", "jsonl", tmp_path / "out")
    assert "- Answered by people who never saw the draft: 1 of 17 items" in (tmp_path / "out" / "README.md").read_text()
    bench.releases.export("v1", "reviews", tmp_path / "reviews")
    assert '"assistance": "none"' in (tmp_path / "reviews" / "reviews.jsonl").read_text().replace('":"', '": "')


def test_words_typed_without_a_draft_come_back_with_their_evidence_and_reveal_nothing(bench: Workbench) -> None:
    bench.reviews.blind.set_rule(0.0, 3, "Lead", alone=1.0)
    item = str(bench.reviews.find_next(KIND, "Ada"))
    bench.reviews.keep(UnsentEdit("Ada", item, 1, FACT.question, "Martha", LENGTH, 3.0))
    data = bench.reviews.desk(item, "Ada")
    assert data.alone and data.scratch is not None
    assert (data.scratch.answer, data.scratch.evidence, data.scratch.seconds) == ("Martha", LENGTH, 3.0)
    bench.reviews.settle(answer_alone(bench, item))
    assert not bench.database.rows("SELECT 1 FROM scratch WHERE item = ?", [item]), "sent words are no unsent ones"


def test_the_same_words_as_the_draft_are_still_the_persons_own(bench: Workbench) -> None:
    bench.reviews.blind.set_rule(0.0, 3, "Lead", alone=1.0)
    item = str(bench.reviews.find_next(KIND, "Ada"))
    bench.reviews.settle(answer_alone(bench, item, answer="Marta Quill", evidence=FACT.evidence))
    [first, second] = bench.reviews.history(item, "Ada").revisions
    assert first.answers == second.answers and second.by == "Ada"


def test_an_item_without_a_draft_may_be_discarded_with_the_words_typed(bench: Workbench) -> None:
    bench.reviews.blind.set_rule(0.0, 3, "Lead", alone=1.0)
    words = []
    for answer, evidence in (("", ()), ("Quill", LENGTH)):
        item = str(bench.reviews.find_next(KIND, "Ada"))
        request = answer_alone(bench, item, decision="discard", reason="x", answer=answer, evidence=evidence)
        assert bench.reviews.settle(request).item.answers == ()
        [review] = reviews.load_reviews(bench.database, [item])
        assert review.details["assistance"] == "none"
        words.append(review.details.get("words"))
    assert words[0] is None and words[1]["answer"] == "Quill"


def test_a_direct_decision_needs_the_own_answer_with_its_passage(bench: Workbench) -> None:
    bench.reviews.blind.set_rule(0.0, 3, "Lead", alone=1.0)
    item = str(bench.reviews.find_next(KIND, "Ada"))
    with pytest.raises(BenchError, match="do not occur"):
        bench.reviews.decide(item, "accept", person="Ada", answer="Quill", evidence=["It is 9 metres long."])
    bench.reviews.decide(item, "accept", person="Ada", answer="Quill", evidence=["It is 212 metres long."])
    after = bench.item_list.load_items([item])[0]
    [review] = reviews.load_reviews(bench.database, [item])
    assert (after.answers, after.evidence, review.details["assistance"]) == (("Quill",), LENGTH, "none")


def test_the_shares_are_drawn_apart_and_the_draft_of_a_control_item_is_shown(bench: Workbench) -> None:
    rule = AssistanceRule(0.3, 5, 0.2)
    drawn = [rule.draw(f"{n:016x}") for n in range(4_000)]
    shares = [drawn.count(kind) / len(drawn) for kind in ("blind reveal", "none", "draft")]
    assert all(abs(share - wanted) < 0.03 for share, wanted in zip(shares, (0.3, 0.2, 0.5), strict=True))
    without = [AssistanceRule(0.3, 5).draw(f"{n:016x}") for n in range(4_000)]
    assert [a == "blind reveal" for a in drawn] == [b == "blind reveal" for b in without], "the other share moves nobody"
    with pytest.raises(BenchError, match="more than all items"):
        bench.reviews.blind.set_rule(0.6, 3, "Lead", alone=0.5)
    bench.reviews.blind.set_rule(0.0, 3, "Lead", alone=1.0)
    bench.reviews.control_sampling.set_rule(2, 7, "Lead")
    seen: list[str] = []
    for number in range(8):
        seen.append(str(bench.reviews.find_next(KIND, "Ada", seen[-1] if seen else None)))
        data = bench.reviews.desk(seen[-1], "Ada")
        assert data.alone != control_items.is_control_item(bench.database, seen[-1])
        request = answer_alone(bench, seen[-1]) if data.alone else press(data, f"c{number}")
        bench.reviews.settle(request)
    assert any(control_items.is_control_item(bench.database, item) for item in seen)


def test_a_decision_beside_the_draft_says_so_while_a_rule_is_on(bench: Workbench) -> None:
    waiting = [one.id for one in bench.reviews.items(status="drafted")]
    bench.reviews.settle(press(bench.reviews.desk(waiting[0], "Ada"), "before"))
    bench.reviews.blind.set_rule(0.5, 3, "Lead", alone=0.0)
    drawn = {item: bench.reviews.blind.rule().draw(item) for item in waiting[1:]}
    for item, kind in drawn.items():
        if kind == "blind reveal":
            bench.reviews.reveal(item, "Ada", "Quill", 1.0)
        bench.reviews.settle(press(bench.reviews.desk(item, "Ada"), f"k{item}"))
    told = {one.item: one.details.get("assistance") for one in reviews.load_reviews(bench.database, waiting)}
    assert told == {waiting[0]: None, **drawn} and set(drawn.values()) == {"draft", "blind reveal"}


def test_the_effect_reads_each_persons_first_decision_on_the_draft_itself(bench: Workbench) -> None:
    waiting = [one.id for one in bench.reviews.items(status="drafted")]
    bench.reviews.settle(press(bench.reviews.desk(waiting[0], "Ada"), "before"))
    assert assistance.load_assisted_decisions(bench.database) == [], "no rule was on"
    bench.reviews.blind.set_rule(0.0, 3, "Lead", alone=1.0)
    both, undone, gone = waiting[1:4]
    bench.database.write(lambda cursor: cursor.execute("UPDATE state SET wanted = 2 WHERE item = ?", [both]))
    bench.reviews.settle(answer_alone(bench, both))
    bench.reviews.settle(answer_alone(bench, both, "Bo", answer="Marta Quill", evidence=FACT.evidence))
    bench.reviews.settle(answer_alone(bench, undone))
    bench.reviews.undo("Ada", "u", undone)
    assert not bench.reviews.desk(undone, "Ada").alone, "a decision showed the draft"
    bench.reviews.settle(press(bench.reviews.desk(undone, "Ada"), "again"))
    bench.reviews.settle(answer_alone(bench, gone, decision="discard", reason="x", answer="", evidence=()))
    found = {(one.item, one.person): one for one in assistance.load_assisted_decisions(bench.database)}
    ada, bo, last = found[both, "Ada"], found[both, "Bo"], found[gone, "Ada"]
    assert (ada.answer, ada.drafted, ada.is_unchanged, ada.others) == ("Quill", "Marta Quill", False, ("Marta Quill",))
    assert (bo.is_unchanged, bo.others, bo.seconds, bo.agent, bo.level) == (True, ("Quill",), 5.0, "offline", "1")
    assert not last.is_accepted and last.answer == ""
    assert not found[undone, "Ada"].is_first and ada.is_first
    report = bench.progress.load_effects()
    assert report.rule == AssistanceRule(0.0, 3, 1.0) and report.effects[0].decisions["none"] == 3
    assert report.effects[0].people["none"] == 2
