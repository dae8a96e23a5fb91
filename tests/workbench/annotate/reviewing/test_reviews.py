"""Decisions from the screen: what is stored, what is refused in a sentence, and what an edit brings with it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Provenance, Span, Verdict
from store.corpus import documents
from store.engine import settings
from store.items import items
from store.items.verdicts import load_verdicts
from store.reviews import reviews
from store.reviews.state import list_differences
from workbench import Workbench
from workbench.annotate.desk.desk_data import DeskDocument, UndoTarget
from workbench.annotate.reviewing.reviews import DecisionRequest, HeldByOther, ItemKind, ReviewConflict, ReviewStage, UnsentEdit

TEXT = (
    "The mayor spoke \U0001f309\U0001f9ea first. The bridge at Orvel was designed by Marta Quill in 1931. "
    "It is 212 metres long. The toll of 5 cents was abolished in 1954. Trade with the eastern bank grew at once."
)
DOCUMENT = Document(content_hash(TEXT), TEXT, "The bridge", domain="arts", licence="CC0-1.0")


def span(part: str) -> Span:
    start = TEXT.index(part)
    return Span(DOCUMENT.id, start, start + len(part))


DESIGNED, LONG, TOLL = (
    span("The bridge at Orvel was designed by Marta Quill in 1931."),
    span("It is 212 metres long."),
    span("The toll of 5 cents was abolished in 1954."),
)
FACT = Item(
    "fact",
    "explicit_factoid",
    "Who designed the bridge at Orvel?",
    ("Marta Quill", "Quill"),
    (DESIGNED,),
    1,
    "arts",
    given=(DOCUMENT.id,),
    overlap=1.0,
    provenance=Provenance("offline", "draft/x.en@b2:1", 1, (), "drafted"),
)
WHY = Item(
    "why",
    "explicit_rationale",
    "Why did trade grow?",
    ("The toll of 6 cents was abolished. Trade grew.",),
    (TOLL,),
    3,
    "arts",
    given=(DOCUMENT.id,),
    labels={"frame": True},
    steps=(
        {
            "kind": "claims",
            "claims": [
                {"claim": "The toll of 6 cents was abolished.", "evidence": [[TOLL.document, TOLL.start, TOLL.end]]},
                {"claim": "Trade grew.", "evidence": [[TOLL.document, TOLL.start, TOLL.end]]},
            ],
        },
    ),
)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [DOCUMENT])
        check = Verdict("fact", 1, "rag_check", "1", "pass", details={"recall": 1.0, "agent": "offline", "judge": None})
        items.add(bench.database, [FACT, WHY], [check, Verdict("fact", 1, "figures", "1", "flag", "A figure.")])
        yield bench
        assert list_differences(bench.database) == []


def press(of: Item = FACT, key: str = "k", **fields: Any) -> DecisionRequest:
    """An accept of the item as it is, or with other fields."""
    return DecisionRequest(
        **{
            "key": key,
            "person": "Ada",
            "item": of.id,
            "revision": of.revision,
            "decision": "accept",
            "question": of.question,
            "answer": of.answers[0],
            "evidence": of.evidence,
        }
        | fields
    )


@pytest.mark.fault(8)
def test_an_accept_of_what_is_there_makes_no_revision(bench: Workbench) -> None:
    told = press(
        question=f"  {FACT.question}\r\n", seconds=12.5, comment="good", claims=({"claim": "Marta Quill", "mark": "supported"},)
    )
    settled = bench.reviews.settle(told)
    assert (settled.item.revision, settled.item.status, settled.is_repeat) == (1, "accepted", False)
    [review] = reviews.load_effective(bench.database, ["fact"])
    assert (review.seconds, review.comment, review.person) == (12.5, "good", "Ada")
    assert review.details == {"claims": [{"claim": "Marta Quill", "mark": "supported"}]}


@pytest.mark.fault(30)
def test_eight_presses_of_one_key_are_one_decision(bench: Workbench) -> None:
    with ThreadPoolExecutor(8) as pool:
        settled = list(pool.map(lambda n: bench.reviews.settle(press(question="Who drew it?")), range(8)))
    assert sorted(one.is_repeat for one in settled) == [False] + [True] * 7
    assert {one.item.revision for one in settled} == {2} and len(reviews.load_effective(bench.database, ["fact"])) == 1


def test_an_edit_of_evidence_is_a_revision_with_an_overlap_of_its_own(bench: Workbench) -> None:
    settled = bench.reviews.settle(press(evidence=(LONG, DESIGNED, LONG), answer="Marta Quill"))
    item = settled.item
    assert (item.revision, item.evidence, item.answers) == (2, (DESIGNED, LONG), FACT.answers)
    assert [TEXT[s.start : s.end] for s in item.evidence][1] == "It is 212 metres long.", "code points, an emoji before them"
    bench.reviews.settle(press(replace(item), "k2", evidence=(LONG,)))
    assert items.get(bench.database, "fact").overlap == 0.0


def test_gates_look_at_an_edit_afterwards(bench: Workbench) -> None:
    twin = replace(FACT, id="twin")
    items.add(bench.database, [twin])
    item = bench.reviews.settle(press(twin, answer="Marta Quill in 1932", evidence=(DESIGNED,))).item
    bench.reviews.close()  # waits
    found = {v.gate: v.outcome for v in load_verdicts(bench.database, ["twin"]) if v.revision == item.revision}
    assert found["evidence"] == "refuse" and found["figures"] == "flag" and found["duplicate"] == "refuse"
    assert items.get(bench.database, "twin").status == "accepted", "the decision stands"


def test_the_desk_tells_the_verdicts_of_the_last_words_and_that_the_rag_check_is_stale(bench: Workbench) -> None:
    before = bench.reviews.desk("fact", "Ada")
    assert before.rag.stale is False and before.rag.offline is True and before.rag.recall == 1.0
    bench.reviews.settle(press(question="Who drew the bridge at Orvel?"))
    bench.reviews.close()
    after = bench.reviews.desk("fact", "Ada")
    assert after.rag.stale is True and after.machine.question == FACT.question
    assert {v.gate: v.revision for v in after.verdicts}["figures"] == 2
    assert [r.by for r in after.history] == ["offline", "Ada"]
    assert after.documents == [DeskDocument(DOCUMENT.id, "The bridge", len(TEXT), False)]
    assert after.decision.decision == "accept" and bench.reviews.desk("fact", "Bo").decision is None
    assert after.position.undo == UndoTarget("fact", "Who drew the bridge at Orvel?")


@pytest.mark.fault(29)
def test_two_tabs_the_second_is_told_and_nothing_of_it_is_stored(bench: Workbench) -> None:
    bench.reviews.settle(press(question="Ada's?"))
    with pytest.raises(ReviewConflict) as raised:
        bench.reviews.settle(press(key="k2", person="Bo", question="Bo's?"))
    assert (raised.value.theirs.question, raised.value.by) == ("Ada's?", "Ada")
    assert raised.value.yours is not None and raised.value.yours.question == "Bo's?"
    with pytest.raises(ReviewConflict):
        bench.reviews.settle(press(key="k3", person="Bo", decision="discard", reason="other"))
    assert len(reviews.load_reviews(bench.database, ["fact"])) == 1


@pytest.mark.fault(33, 39)
def test_an_item_taken_over_while_typing_loses_no_word_and_is_decided_by_one(bench: Workbench) -> None:
    stage = bench.reviews
    assert stage.find_next(ItemKind(), "Ada") == "fact" and stage.find_next(ItemKind(), "Bo") == "why"
    stage.keep(UnsentEdit("Ada", "fact", 1, "Half a sent", "", (DESIGNED,), 30.0))
    assert stage.desk("fact", "Ada").held is None and stage.desk("fact", "Bo").held.by == "Ada"
    assert stage.progress(ItemKind(), "Bo")[:2] == (1, 1)
    stage.holds.take_over("fact", "Bo")
    stage.keep(UnsentEdit("Ada", "fact", 1, "Half a sentence", "", (DESIGNED,), 31.0))
    with pytest.raises(HeldByOther, match="Bo holds this item") as raised:
        stage.settle(press(question="Half a sentence?"))
    assert raised.value.lease.person == "Bo" and reviews.load_reviews(bench.database, ["fact"]) == []
    assert stage.desk("fact", "Ada").scratch.question == "Half a sentence", "typing does not take it back"
    stage.settle(press(key="b", person="Bo", question="Bo's?"))
    with pytest.raises(ReviewConflict) as conflict:
        stage.settle(press(key="k2", question="Half a sentence?"))
    assert conflict.value.theirs.question == "Bo's?" and stage.holds.find_other("fact", "Ada") is None
    assert stage.desk("fact", "Ada").scratch.question == "Half a sentence"


@pytest.mark.fault(41)
def test_typing_keeps_the_hold_by_the_clock_of_the_stage(bench: Workbench) -> None:
    at = ["2026-01-01T10:00:00.000+00:00"]
    stage = ReviewStage(bench.database, clock=lambda: at[0])
    assert stage.find_next(ItemKind(), "Ada") == "fact"
    at[0] = "2026-01-01T10:14:00.000+00:00"
    stage.keep(UnsentEdit("Ada", "fact", 1, "Half", ""))
    at[0] = "2026-01-01T10:28:00.000+00:00"
    assert stage.find_next(ItemKind(), "Bo") == "why" and stage.find_next(ItemKind(), "Bo", "why") is None
    assert [(one.person, one.item, one.minutes_left) for one in stage.holds.list_held()] == [
        ("Ada", "fact", 1),
        ("Bo", "why", 15),
    ]
    at[0] = "2026-01-01T10:29:00.000+00:00"
    assert stage.find_next(ItemKind(), "Bo", "why") == "fact"
    stage.close()


def test_an_expired_hold_leads_nobody_away_from_the_item(bench: Workbench) -> None:
    at = ["2026-01-01T10:00:00.000+00:00"]
    stage = ReviewStage(bench.database, clock=lambda: at[0])
    assert stage.find_next(ItemKind(), "Ada") == "fact"
    stage.holds.take_over("fact", "Bo")
    assert stage.find_taker("fact", "Ada") == "Bo"
    at[0] = "2026-01-01T10:16:00.000+00:00"
    assert stage.find_taker("fact", "Ada") == "" and stage.find_next(ItemKind(), "Ada") == "fact"
    stage.close()


def test_words_that_were_refused_for_want_of_room_are_not_stored(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_no_room(*given: object, **named: object) -> None:
        raise BenchError("w.duckdb could not be written; nothing of this change was stored: make room, try again.")

    monkeypatch.setattr("store.queue.leases.take", find_no_room)
    with pytest.raises(BenchError, match="nothing of this change was stored"):
        bench.reviews.keep(UnsentEdit("Ada", "fact", 1, "Half a sentence", ""))
    assert bench.board.list_unsent_edits("Ada") == []


def test_holds_last_as_long_as_the_workspace_says_and_who_ends_one_gives_a_name(bench: Workbench) -> None:
    holds = bench.reviews.holds
    holds.set_minutes(2)
    assert holds.hold("fact", "Ada") is None and holds.list_held()[0].minutes_left == 2
    for minutes in (0, 1441):
        with pytest.raises(BenchError, match="1 to 1,440 minutes"):
            holds.set_minutes(minutes)
    with pytest.raises(BenchError, match="give your name"):
        holds.release("Ada", " ")
    for item, person in (("fact", ""), ("nowhere", "Bo")):
        with pytest.raises(BenchError):
            holds.take_over(item, person)
    assert holds.find_other("fact", "").by == "Ada" and bench.reviews.find_next(ItemKind(), "") == "why"  # type: ignore[index]
    holds.release("Ada", "Lea")
    assert holds.list_held() == [] and holds.list_ended()[0].by == "Lea"


def test_what_was_typed_before_a_discard_is_kept_with_it(bench: Workbench) -> None:
    bench.reviews.settle(press(decision="discard", reason="ambiguous", question="Half a", evidence=()))
    [review] = reviews.load_effective(bench.database, ["fact"])
    assert review.reason == "ambiguous" and review.details["words"]["question"] == "Half a"
    assert items.get(bench.database, "fact").revision == 1


def test_a_frame_must_be_filled(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="frame to fill"):
        bench.reviews.settle(press(WHY, question="Why, then?"))
    item = bench.reviews.settle(press(WHY, answer="Because the toll went.")).item
    assert item.status == "accepted" and "frame" not in item.labels


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"person": " "}, "needs a name"),
        ({"key": ""}, "without a request key"),
        ({"question": "x" * 20_001}, "20,001 characters"),
        ({"answer": "x" * 200_001}, "shorten it"),
        ({"comment": "x" * 5_001}, "The comment has"),
        ({"question": "a\0b"}, "no file can store"),
        ({"answer": "half \ud83d"}, "no file can store"),
        ({"question": " \n"}, "The question is empty"),
        ({"answer": ""}, "The answer is empty"),
        ({"evidence": ()}, "No evidence is left"),
        ({"evidence": (Span(DOCUMENT.id, 5, len(TEXT) + 1),)}, "lies outside"),
        ({"evidence": (Span(DOCUMENT.id, 9, 9),)}, "lies outside"),
        ({"evidence": (Span(DOCUMENT.id, 3, 4),)}, "holds no words"),
        ({"evidence": (Span("b2:other", 0, 4),)}, "does not belong"),
        ({"decision": "undo"}, "not a decision"),
        ({"decision": "discard"}, "needs a reason"),
        ({"seconds": float("nan")}, "not a number of seconds"),
        ({"claims": ({"claim": "c", "mark": "fine"},)}, "The mark of a claim"),
        ({"item": "nowhere"}, "No item nowhere"),
    ],
)
@pytest.mark.fault(6, 7, 8)
def test_what_cannot_be_stored_is_one_sentence_and_changes_nothing(
    bench: Workbench, fields: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BenchError, match=sentence) as raised:
        bench.reviews.settle(press(**fields))
    assert len(str(raised.value)) < 300
    assert reviews.load_reviews(bench.database, ["fact"]) == [] and items.get(bench.database, "fact") == FACT


def test_a_key_of_another_decision_is_refused(bench: Workbench) -> None:
    bench.reviews.settle(press())
    for other in (press(WHY, answer="Because nobody else had asked for it."), press(person="Bo")):
        with pytest.raises(BenchError, match="same key as another decision"):
            bench.reviews.settle(other)


def test_scratch_comes_back_on_the_desk_and_goes_with_the_decision(bench: Workbench) -> None:
    bench.reviews.keep(UnsentEdit("Ada", "fact", 1, "Half a sent", "", (DESIGNED,), 30.0))
    found = bench.reviews.desk("fact", "Ada").scratch
    assert (found.question, found.seconds, found.evidence[0].start) == ("Half a sent", 30.0, DESIGNED.start)
    assert bench.reviews.desk("fact", "Bo").scratch is None
    bench.reviews.settle(press())
    assert bench.reviews.desk("fact", "Ada").scratch is None and bench.board.list_unsent_edits("Ada") == []
    for words in (UnsentEdit("", "fact", 1, "q", ""), UnsentEdit("Ada", "nowhere", 1, "q", "")):
        with pytest.raises(BenchError):
            bench.reviews.keep(words)


def test_a_decision_at_the_terminal_takes_no_word_that_the_same_person_typed_on_the_desk(bench: Workbench) -> None:
    bench.reviews.keep(UnsentEdit("Ada", "fact", 1, "What did I mean?", "A", FACT.evidence))
    bench.reviews.decide("fact", "accept", person="Ada")
    assert bench.reviews.desk("fact", "Ada").scratch.question == "What did I mean?"


def test_an_undone_terminal_decision_can_be_made_again(bench: Workbench) -> None:
    for n in range(3):
        record = bench.reviews.decide("fact", "accept", person="Ada")
        assert record.status == "accepted" and bench.reviews.undo("Ada", f"u{n}") == "fact"
        assert bench.reviews.items(status="drafted")[0].id == "fact"


def test_claims_are_the_drafted_ones_until_the_answer_is_edited(bench: Workbench) -> None:
    first, second = bench.reviews.claims("why", 1)
    assert first.claim == "The toll of 6 cents was abolished." and first.figures_not_found == ["6"]
    assert second.figures_not_found == []
    assert first.evidence == (TOLL,)
    texts = [TEXT[c.start : c.end] for c in second.candidates]
    assert texts[0] == "Trade with the eastern bank grew at once." and TEXT[TOLL.start : TOLL.end] not in texts
    item = bench.reviews.settle(press(WHY, answer="Trade grew. Nobody paid 5 cents any more.")).item
    again = bench.reviews.claims("why", item.revision)
    assert [c.claim for c in again] == ["Trade grew.", "Nobody paid 5 cents any more."]
    assert again[1].figures_not_found == [] and [c.claim for c in bench.reviews.desk("why", "Ada").claims] == [
        c.claim for c in again
    ]


def test_a_workspace_may_have_reasons_of_its_own(bench: Workbench) -> None:
    assert "answer wrong" in bench.reviews.desk("fact", "Ada").reasons
    settings.put(bench.database, "discard_reasons", ["off topic"])
    assert bench.reviews.desk("fact", "Ada").reasons == ["off topic"]


def test_an_export_tells_standing_decisions_alone(bench: Workbench, tmp_path: Path) -> None:
    bench.reviews.settle(press(key="k1", decision="discard", reason="other", person="Bo"))
    bench.reviews.undo("Bo", "u1")
    bench.reviews.settle(press(key="k2"))
    bench.releases.freeze("v1")
    bench.releases.export("v1", "reviews", tmp_path / "out")
    lines = (tmp_path / "out" / "reviews.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 and '"k2"' in lines[0]
    assert "by 1 review of 1 person" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
