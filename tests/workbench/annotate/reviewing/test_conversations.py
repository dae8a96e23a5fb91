"""People review whole conversations; a release takes a conversation only with all its turns."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BenchError
from core.quality.conversations import read_turn
from store.items import items
from store.queue.kind import ItemKind
from store.reviews import reviews
from tests.workbench.talks import TALKS, import_talks
from workbench import Workbench
from workbench.annotate.reviewing.conversations import TurnEdit


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        import_talks(bench, tmp_path)
        ids = [item.id for item in items.list_items(bench.database)]
        bench.database.execute("UPDATE state SET status = 'drafted' WHERE item IN (SELECT unnest(?::VARCHAR[]))", [ids])
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        yield bench


def test_one_decision_is_on_all_turns(bench: Workbench) -> None:
    assert bench.conversation_reviews.page().counts == {"waiting": 3}
    card = bench.conversation_reviews.decide("mill", "accept", person="Ada")
    assert card.state == "accepted" and [one.item.status for one in card.turns] == ["accepted", "accepted"]
    assert [one.turn.number for one in card.turns] == [1, 2] and card.turns[1].evidence[0][1].startswith("Ada Quill was born")
    bench.conversation_reviews.decide("forge", "discard", person="Ada", reason="too easy")
    assert {line.id: line.state for line in bench.conversation_reviews.page().lines} == {
        "mill": "accepted",
        "forge": "discarded",
        "dairy": "waiting",
    }
    assert bench.conversation_reviews.find_next("mill") == "dairy" and bench.conversation_reviews.find_next("dairy") is None


def test_edits_make_new_revisions_and_the_same_request_stores_nothing_twice(bench: Workbench) -> None:
    edits = {"mill:2": TurnEdit(question="When was she born?", standalone="When was Ada Quill born?")}
    bench.conversation_reviews.decide("mill", "accept", person="Ada", edits=edits)
    first, second = items.load_items(bench.database, ["mill:1", "mill:2"])
    turn = read_turn(second.labels)
    assert (first.revision, second.revision, second.question) == (1, 2, "When was she born?")
    assert turn is not None and turn.standalone == "When was Ada Quill born?"
    for _ in range(2):
        bench.conversation_reviews.decide("forge", "accept", person="Ada")
    assert bench.database.rows("SELECT count(*) FROM review") == [(4,)]


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (TurnEdit(answer=" "), "is empty"),
        (TurnEdit(question="a\0b"), "no file can store"),
        (TurnEdit(question="x" * 30_000), "at most 20,000"),
    ],
)
def test_an_edit_that_cannot_be_stored_stores_nothing(bench: Workbench, edit: TurnEdit, why: str) -> None:
    with pytest.raises(BenchError, match=why):
        bench.conversation_reviews.decide("mill", "accept", person="Ada", edits={"mill:2": edit})
    assert bench.conversation_reviews.load("mill").state == "waiting"


def test_a_discard_needs_a_reason_and_loses_no_words(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="needs a reason"):
        bench.conversation_reviews.decide("mill", "discard", person="Ada")
    with pytest.raises(BenchError, match="take your changes back"):
        edits = {"mill:1": TurnEdit(answer="Ada")}
        bench.conversation_reviews.decide("mill", "discard", person="Ada", reason="bad", edits=edits)
    with pytest.raises(BenchError, match="is not a turn"):
        bench.conversation_reviews.decide("mill", "accept", person="Ada", edits={"forge:1": TurnEdit(answer="x")})
    with pytest.raises(BenchError, match="no conversation 'none'"):
        bench.conversation_reviews.load("none")
    assert bench.conversation_reviews.page().counts == {"waiting": 3}


def test_an_accepted_follow_up_without_its_first_turn_reaches_no_release(bench: Workbench) -> None:
    bench.conversation_reviews.decide("mill", "accept", person="Ada")
    bench.reviews.decide("forge:2", "accept", person="Ada")
    preview = bench.release_browser.preview()
    frozen = bench.releases.freeze("v1", allow_unlicensed="test")
    assert (frozen.items, frozen.left_out) == (2, {"drafted": 3, "incomplete_conversation": 1})
    assert (preview.items, preview.left_out) == (frozen.items, frozen.left_out)
    assert [(one.id, one.why, one.conversation) for one in frozen.held_back] == [
        ("forge:2", "incomplete_conversation", "forge")
    ]
    assert preview.held_back == frozen.held_back
    assert bench.conversation_reviews.load("forge").state == "waiting"
    bench.reviews.decide("forge:1", "discard", person="Ada", reason="wrong")
    assert bench.conversation_reviews.load("forge").state == "mixed"


def test_the_turns_wait_on_their_own_page_and_not_at_the_desk(bench: Workbench) -> None:
    assert bench.reviews.find_next(ItemKind(), "Nora") is None and bench.reviews.progress(ItemKind(), "Nora").left == 0


def test_no_rule_hides_the_drafts_of_conversations(bench: Workbench) -> None:
    bench.reviews.blind.set_rule(0.0, 1, "Lea", alone=1.0)
    assert not bench.reviews.blind.find_hidden(["mill:1", "mill:2"], "Ada") and not bench.reviews.blind.is_alone("mill:1")
    assert bench.conversation_reviews.decide("mill", "accept", person="Ada").state == "accepted"
    assert all("assistance" not in one.details for one in reviews.load_reviews(bench.database, ["mill:1", "mill:2"]))


def test_home_counts_waiting_conversations(bench: Workbench) -> None:
    assert bench.own_work.list_waiting("Nora") == [("conversations", 3)]
    bench.conversation_reviews.decide("mill", "accept", person="Ada")
    bench.reviews.decide("forge:1", "accept", person="Ada")
    assert bench.own_work.list_waiting("Nora")[0] == ("conversations", 2), "one of the turns still waits"


def test_the_turns_of_a_conversation_stay_in_one_split(bench: Workbench) -> None:
    for name, *_ in TALKS:
        bench.conversation_reviews.decide(name, "accept", person="Ada")
    bench.releases.freeze("v1", split="dev=0.5,test=0.5", allow_unlicensed="test")
    manifest = bench.releases.get("v1")[0].manifest
    splits = {row["id"]: row["split"] for row in manifest["items"]}
    assert all(splits[f"{name}:1"] == splits[f"{name}:2"] for name, *_ in TALKS) and len(set(splits.values())) == 2
    assert all(len(family) == 2 for family in manifest["splits"]["families"]), "equal follow-ups alone make no family"
