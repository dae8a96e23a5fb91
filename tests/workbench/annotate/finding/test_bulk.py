"""Many items are changed at once after a look, each by a review of its own; what cannot be is left out and counted; and all of
it is undone as a whole, but for what somebody touched since."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from core.nouns import Verdict
from store.engine.columns import current_time
from store.items import items
from store.items.verdicts import load_verdicts
from store.queue import leases
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions, progress, reviews
from store.reviews.state import list_differences
from tests.store.sample_items import item
from tests.waiting import until
from workbench import Workbench
from workbench.annotate.finding.bulk import AllFound, BulkPreview, BulkRequest
from workbench.annotate.finding.finding import ItemSearch, SimilarityQuery

DISCARD = BulkRequest("discard", "Lea", reason="duplicate")
ACCEPT = BulkRequest("accept", "Lea")
EVERY = AllFound(ItemSearch(order="oldest"), SimilarityQuery())


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """Five drafts that wait, one of them a frame; what is kept follows from the history at the end, too."""
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        made = [item(name) for name in "abcd"] + [item("frame", answers=("",), labels={"frame": True})]
        items.add(bench.database, made, [Verdict("a", 1, "figures", "1", "flag")])
        yield bench
        jobs.stop(bench)
        assert list_differences(bench.database) == []


def look(bench: Workbench, asked: BulkRequest, chosen: Sequence[str] | AllFound = EVERY, turn: str = "one") -> BulkPreview:
    found: list[BulkPreview] = []

    def is_there() -> bool:
        preview = bench.bulk.preview(asked, chosen, turn).value
        found.extend([preview] if preview else [])
        return bool(found)

    until(is_there)
    return found[-1]


def do(bench: Workbench, asked: BulkRequest, chosen: Sequence[str] | AllFound = EVERY) -> dict[str, Any]:
    job = bench.bulk.plan(asked, chosen, look(bench, asked, chosen, f"{asked}{len(bench.upkeep.jobs())}").mark)
    return {"job": job, **jobs.start(bench).submit(job).result()}


def undo(bench: Workbench, job: str, person: str = "Lea") -> dict[str, Any]:
    return do(bench, BulkRequest("undo", person, of=job), ())


def status(bench: Workbench) -> dict[str, str]:
    return {one.id: one.status for one in bench.reviews.items()}


def decide(bench: Workbench, name: str, decision: Any, person: str) -> None:
    bench.reviews.decide(name, decision, person=person, reason="" if decision == "accept" else "a test")


def test_a_look_changes_nothing_and_tells_what_would_change_and_what_would_not(bench: Workbench) -> None:
    decide(bench, "d", "accept", "Ann")
    bench.reviews.holds.hold("c", "Bo")
    seen = look(bench, ACCEPT)
    assert (seen.total, seen.will, seen.opinions) == (5, 2, 0)
    assert seen.kinds == {"status": {"drafted": 2}, "level": {"1": 2}, "domain": {"general": 2}}
    assert {(left.why, left.n, *left.items) for left in seen.left_out} == {
        ("held by or given to somebody else", 1, "c"),
        ("accepted already", 1, "d"),
        ("a frame to fill", 1, "frame"),
    }
    assert [one.id for one in seen.sample] == ["a", "b"]
    assert sorted(status(bench).values()) == ["accepted", "drafted", "drafted", "drafted", "drafted"]


def test_each_decision_is_a_review_of_its_own_without_reading_time(bench: Workbench) -> None:
    done = do(bench, DISCARD, ["b", "a", "b"])
    assert (done["changed"], done["left_out"], done["message"]) == (2, 0, "2 of 2 changed.")
    made = reviews.load_effective(bench.database, ["a", "b"])
    assert [(r.item, r.person, r.decision, r.reason, r.seconds, r.details) for r in made] == [
        (name, "Lea", "discard", "duplicate", None, {"bulk": done["job"]}) for name in "ba"
    ]
    assert status(bench) == {"a": "discarded", "b": "discarded", "c": "drafted", "d": "drafted", "frame": "drafted"}
    assert bench.reviews.progress(ItemKind(), "Lea").today == 0, "nobody read them"


def test_no_item_chosen_never_means_all(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="No item is chosen, and nothing was done"):
        bench.bulk.preview(DISCARD, [], "x")
    with pytest.raises(BenchError, match="No item is chosen"):
        bench.bulk.plan(DISCARD, AllFound(ItemSearch(text="nowhere"), SimilarityQuery()), "")


def test_what_changed_since_the_look_is_looked_at_again(bench: Workbench) -> None:
    mark = look(bench, DISCARD).mark
    items.add(bench.database, [item("new")])
    with pytest.raises(BenchError, match="has changed since you looked at it, and nothing was done"):
        bench.bulk.plan(DISCARD, EVERY, mark)
    assert not bench.upkeep.jobs()


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (BulkRequest("discard", "Lea"), "needs a reason"),
        (BulkRequest("give", "Lea"), "give a name"),
        (replace(ACCEPT, person=" "), "with a person's name"),
    ],
)
def test_half_an_order_is_a_sentence(bench: Workbench, asked: BulkRequest, sentence: str) -> None:
    with pytest.raises(BenchError, match=sentence):
        bench.bulk.preview(asked, ["a"], "x")


@pytest.mark.parametrize("shares", [(1.0, 0.0), (0.0, 1.0)], ids=["blind reveal", "without a draft"])
def test_a_draft_that_is_hidden_from_the_person_is_not_accepted_in_bulk(bench: Workbench, shares: tuple[float, float]) -> None:
    decide(bench, "a", "accept", "Lea")
    bench.reviews.undo("Lea", "u", "a")  # Lea has seen this one
    bench.reviews.blind.set_rule(shares[0], 0, "Lea", alone=shares[1])
    done = do(bench, ACCEPT)
    hidden = "the draft is hidden until you have answered the item on the page Review"
    assert done["changed"] == 1 and done["why"] == {hidden: 3, "a frame to fill": 1}
    assert status(bench)["a"] == "accepted" and status(bench)["b"] == "drafted"
    assert do(bench, DISCARD, ["b"])["changed"] == 1, "a discard shows nothing and keeps nothing of a draft"


def test_a_turn_of_a_conversation_is_not_accepted_without_the_others(bench: Workbench) -> None:
    items.add(bench.database, [item("turn", task="conversation")])
    done = do(bench, ACCEPT, ["a", "turn"])
    assert done["changed"] == 1 and status(bench)["turn"] == "drafted"
    assert list(done["why"]) == ["a turn: a conversation is accepted as a whole, on the page Conversations"]


def test_an_undo_brings_back_what_was_and_leaves_what_was_touched_since(bench: Workbench) -> None:
    decide(bench, "a", "accept", "Ann")
    done = do(bench, DISCARD, ["a", "b", "c"])
    decide(bench, "c", "accept", "Bo")
    seen = look(bench, BulkRequest("undo", "Lea", of=done["job"]), ())
    assert [(left.why, left.items) for left in seen.left_out] == [("reviewed since", ["c"])] and seen.will == 2
    assert undo(bench, done["job"])["message"] == "2 of 3 changed; left out: 1 reviewed since."
    assert status(bench) == {"a": "accepted", "b": "drafted", "c": "accepted", "d": "drafted", "frame": "drafted"}
    assert [(r.person, r.decision) for r in reviews.load_effective(bench.database, ["a", "b"])] == [("Ann", "accept")]
    assert [r.decision for r in reviews.load_reviews(bench.database, ["b"])] == ["discard", "undo"], "all of it is on record"
    assert undo(bench, done["job"])["changed"] == 0, "once undone it is not undone again"
    first = bench.bulk.list_actions()[-1]
    assert (first.undone, first.changed) == (2, 3), "one is left that an undo could be asked for"


def test_decisions_are_taken_back_and_put_in_force_again(bench: Workbench) -> None:
    decide(bench, "a", "accept", "Ann")
    bench.reviews.decide("b", "accept", person="Bo", question="Who was b?")
    items.add(bench.database, [item("imported", status="accepted")])
    done = do(bench, BulkRequest("take_back", "Lea"))
    assert done["changed"] == 2 and done["why"] == {"no decision to take back": 4}
    assert (status(bench)["a"], status(bench)["b"], status(bench)["imported"]) == ("drafted", "drafted", "accepted")
    undo(bench, done["job"])
    assert (status(bench)["a"], status(bench)["b"]) == ("accepted", "accepted")
    assert [r.person for r in reviews.load_effective(bench.database, ["a", "b"])] == ["Ann", "Bo"]
    assert bench.reviews.undo("Ann", "u1") == "a" and status(bench)["a"] == "drafted", "their decision is theirs again"


def test_where_several_are_wanted_it_is_one_persons_opinion(bench: Workbench) -> None:
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
    decide(bench, "a", "accept", "Ann")
    decide(bench, "b", "discard", "Ann")
    seen = look(bench, ACCEPT, ["a", "b", "c"])
    assert (seen.will, seen.opinions) == (3, 3)
    done = do(bench, ACCEPT, ["a", "b", "c"])
    assert status(bench) | {"frame": ""} == {"a": "accepted", "b": "drafted", "c": "drafted", "d": "drafted", "frame": ""}
    assert bench.reviews.progress(ItemKind(), "Cy").disputed == 1
    again = look(bench, replace(ACCEPT, person="Cy"), ["b"], "again")
    assert [left.why for left in again.left_out] == ["all opinions are in, and differ"]
    assert undo(bench, done["job"], "Ada")["changed"] == 3
    assert set(status(bench).values()) == {"drafted"}
    assert [(r.item, r.person) for r in reviews.load_effective(bench.database, ["a", "b", "c"])] == [("a", "Ann"), ("b", "Ann")]


def test_items_are_given_to_a_person_and_taken_from_them(bench: Workbench) -> None:
    decide(bench, "d", "accept", "Ann")
    leases.assign(bench.database, ["c"], "Bo", by="Lea", at=current_time())
    done = do(bench, BulkRequest("give", "Lea", to="Cy"))
    assert done["why"] == {"does not wait": 1, "held by or given to somebody else": 1}

    def given() -> list[tuple[str, str]]:
        return [(one.item, one.person) for one in leases.list_assignments(bench.database)]

    assert given() == [("c", "Bo"), ("a", "Cy"), ("b", "Cy"), ("frame", "Cy")]
    taken = do(bench, BulkRequest("take_from", "Lea"), ["a", "b", "c", "d"])
    assert given() == [("frame", "Cy")] and taken["why"] == {"given to nobody": 1}
    undo(bench, taken["job"])
    assert given() == [("c", "Bo"), ("frame", "Cy"), ("a", "Cy"), ("b", "Cy")]
    decide(bench, "a", "accept", "Cy")
    assert undo(bench, done["job"])["why"] == {"decided, or taken back, since": 1} and given() == [("c", "Bo")]


def test_gates_run_again_and_there_is_nothing_to_undo(bench: Workbench) -> None:
    items.add(bench.database, [item("outside", task="someone_elses")])
    done = do(bench, BulkRequest("gates", "Lea"), ["a", "outside"])
    assert (done["changed"], done["why"]) == (1, {"no gates for its task": 1})
    found = {verdict.gate for verdict in load_verdicts(bench.database, ["a"])}
    assert {"figures", "evidence", "duplicate"} <= found
    with pytest.raises(BenchError, match="changed no item in a way that could be undone"):
        bench.bulk.preview(BulkRequest("undo", "Lea", of=done["job"]), (), "x")


@pytest.mark.fault(34)
def test_a_job_that_was_killed_goes_on_and_decides_nothing_twice(bench: Workbench) -> None:
    job = bench.bulk.plan(DISCARD, EVERY, look(bench, DISCARD).mark)
    plan = bench.bulk._plan(DISCARD)
    assert bench.bulk._change_batch(job, plan, 2) and list(status(bench).values()).count("discarded") == 2
    with pytest.raises(BenchError, match="has not ended"):
        bench.bulk.preview(BulkRequest("undo", "Lea", of=job), (), "x")
    done = jobs.start(bench).submit(job).result()
    assert done["changed"] == 5 and len(reviews.load_reviews(bench.database, [*"abcd", "frame"])) == 5


def test_the_persons_own_unsent_words_stay(bench: Workbench) -> None:
    from store.reviews.unsent_edits import UnsentEdit, get

    bench.reviews.keep(UnsentEdit("Lea", "a", 1, "Who now?", "a", ()))
    do(bench, DISCARD, ["a"])
    assert get(bench.database, "Lea", "a") is not None and not bench.reviews.holds.list_held()


def test_a_way_back_on_the_desk_does_not_lead_through_what_was_done_in_bulk(bench: Workbench) -> None:
    decide(bench, "d", "accept", "Lea")
    do(bench, DISCARD, ["a", "b"])
    assert bench.reviews.find_previous("Lea", None) == "d" and bench.reviews.undo("Lea", "u1") == "d"


def test_the_release_card_counts_what_was_accepted_in_bulk(bench: Workbench, tmp_path: Path) -> None:
    decide(bench, "a", "accept", "Ann")
    assert do(bench, ACCEPT)["why"] == {"accepted already": 1, "a frame to fill": 1}
    bench.releases.freeze("v1")
    bench.releases.export("v1", "jsonl", tmp_path / "out")
    assert "- Accepted in bulk: 3 of 4 items, which nobody opened one by one" in (tmp_path / "out" / "README.md").read_text()
    assert [(one.person, one.accepted) for one in progress.load_work(bench.database)] == [("Ann", 1)], "no reading of Lea's"
