"""Contests come in from files and from the app, once each; leads decide with a history, and nothing is deleted."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BenchError, NotAllowed
from core.ids import content_hash
from store.items import items
from tests.workbench.proven import BREWERY, MILL, open_bought
from workbench import Workbench, actor
from workbench.release.contests import ContestRuling, NewContest


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with open_bought(tmp_path / "w.duckdb") as bench:
        bench.releases.freeze("v1")
        yield bench


def file(bench: Workbench, *contests: object, **more: object) -> bytes:
    release = bench.releases.get("v1")[0]
    content = {
        "format": "benchwright-contests",
        "version": 1,
        "release": "v1",
        "hash": release.hash,
        "contests": list(contests),
    }
    return json.dumps(content | {"contests": list(contests)} | more).encode()


def contest(item: str = "mill", **more: str) -> dict[str, str]:
    return {"item": item, "kind": "wrong_answer", "answer": "", "reason": "It was her sister.", "name": "Zoe"} | more


def decide(bench: Workbench, contest: str, decision: str = "accept", **more: object) -> str:
    ruling = ContestRuling(contest=contest, decision=decision, **({"person": "Lea"} | more))  # type: ignore[arg-type]
    return bench.contests.decide(ruling).state


def submit(bench: Workbench, item: str = "mill", **more: str) -> str:
    given = {"kind": "wrong_answer", "reason": "It was her sister.", "person": "Zoe"} | more
    return bench.contests.submit("v1", NewContest(item=item, **given)).id  # type: ignore[arg-type]


def test_the_same_contest_is_counted_once_wherever_it_comes_from(bench: Workbench) -> None:
    taken = bench.contests.take(file(bench, contest(), contest(), contest(name="Kim")), "a.json")
    assert (len(taken.new), taken.already, taken.refused) == (2, 1, [])
    assert bench.contests.take(file(bench, contest(reason=" It was her sister.\n")), "b.json").already == 1
    assert submit(bench) == taken.new[0]
    listed = bench.contests.list_contests("v1")
    assert [(one.person, one.source, one.state) for one in listed] == [("Zoe", "file", "open"), ("Kim", "file", "open")]


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"{", "a.json is not JSON"),
        (b"[]", "a.json is no file of contests"),
        (b'{"format": "benchwright-contests", "version": 2, "contests": []}', "a.json is no file of contests"),
        (b" " * 5_000_001, "a.json is larger than 5,000,000 bytes"),
    ],
)
def test_a_file_that_is_none_gets_one_sentence(bench: Workbench, raw: bytes, why: str) -> None:
    with pytest.raises(BenchError, match=why):
        bench.contests.take(raw, "a.json")


def test_a_file_of_another_release_is_refused_by_name(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="contests the release v9, which is not in this workspace"):
        bench.contests.take(file(bench, contest(), release="v9"), "a.json")
    with pytest.raises(BenchError, match="about another release v1: its hash is b2:other, but here it is b2:"):
        bench.contests.take(file(bench, contest(), hash="b2:other"), "a.json")
    assert bench.contests.list_contests() == []


def test_faulty_contests_are_refused_one_by_one_and_the_others_come_in(bench: Workbench) -> None:
    faulty = [contest("nope"), contest(kind="rude"), contest(reason=""), {"item": 3}, "what", contest(reason="a\0b")]
    taken = bench.contests.take(file(bench, *faulty, contest()), "a.json")
    assert len(taken.new) == 1 and len(taken.refused) == 6
    for number, why in enumerate(["has no item nope", "'rude' is not a kind", "needs a reason", "texts", "texts", "NUL"], 1):
        assert taken.refused[number - 1].startswith(f"a.json, contest {number}: ") and why in taken.refused[number - 1]


def test_an_item_made_for_a_counterfactual_release_is_contested_where_it_comes_from(bench: Workbench) -> None:
    bench.releases.freeze_counterfactual("cf", "v1")
    made = [item.id for item in bench.releases.get("cf")[1].items if item.id not in {"mill", "brewery", "bakery"}]
    with pytest.raises(BenchError, match=r"was made for the counterfactual release cf from item .* contest item "):
        bench.contests.submit("cf", NewContest(item=made[0], kind="other", reason="It differs."))
    assert bench.contests.list_contests() == []


def test_a_correction_is_a_decision_on_the_item_and_every_decision_stays(bench: Workbench) -> None:
    one = submit(bench, answer="Eve Quill")
    assert decide(bench, one, "dismiss", reason="The deed says Ada.") == "dismissed"
    assert items.get(bench.database, "mill").revision == 1
    assert decide(bench, one, answers=["Eve Quill", "Ada Quill"], evidence=["bought by Ada Quill\n in 1902"]) == "accepted"
    item = items.get(bench.database, "mill")
    assert (item.answers, item.status, item.revision) == (("Eve Quill", "Ada Quill"), "accepted", 2)
    span = item.evidence[0]
    assert (span.document, MILL[span.start : span.end]) == (content_hash(MILL), "bought by Ada Quill in 1902")
    case = bench.contests.load_case(one[:6])
    assert [(past.decision, past.revision, past.person) for past in case.contest.decisions] == [
        ("dismiss", None, "Lea"),
        ("accept", 2, "Lea"),
    ]
    assert case.released.item.answers == ("Ada Quill",) and case.evidence == ["bought by Ada Quill in 1902"]
    assert submit(bench, person="Kim") != one and decide(bench, submit(bench, person="Kim")) == "accepted", "corrected already"


def test_an_answer_that_a_later_contest_proposes_is_not_dropped_if_the_item_was_corrected(bench: Workbench) -> None:
    decide(bench, submit(bench, answer="Eve Quill"))
    other = submit(bench, person="Kim", answer="Eva Quill")
    with pytest.raises(BenchError, match="its answer is now Eve Quill, and this contest proposes Eva Quill"):
        decide(bench, other)
    assert bench.contests.load_case(other).contest.state == "open"
    assert decide(bench, submit(bench, person="Joe", answer="Eve Quill")) == "accepted", "the correction has this answer"
    assert decide(bench, other, answers=["Eve Quill"]) == "accepted", "and it stays if the lead says so"
    assert items.get(bench.database, "mill").answers == ("Eve Quill",)


def test_a_withdrawal_discards_the_item_with_the_reason(bench: Workbench) -> None:
    one = submit(bench)
    assert decide(bench, one, withdraw=True, reason="Nobody knows.") == "accepted"
    assert items.get(bench.database, "mill").status == "discarded"
    assert bench.contests.load_case(one).contest.decisions[-1].revision is None
    assert decide(bench, one, answers=["Eve Quill"]) == "accepted", "and it can come back, corrected"
    assert items.get(bench.database, "mill").status == "accepted"


@pytest.mark.parametrize("change", [{"answers": ["Eve Quill"]}, {"withdraw": True}])
def test_an_item_is_as_released_again_if_an_accepted_contest_is_dismissed(bench: Workbench, change: dict[str, object]) -> None:
    one = submit(bench)
    decide(bench, one, **change)
    assert decide(bench, one, "dismiss", reason="It is right.") == "dismissed"
    item = items.get(bench.database, "mill")
    assert (item.status, item.answers) == ("accepted", ("Ada Quill",))
    assert bench.contests.load_case(one).contest.decisions[-1].revision == item.revision


def test_a_dismissal_leaves_what_another_accepted_contest_corrected(bench: Workbench) -> None:
    one, other = submit(bench), submit(bench, person="Kim")
    decide(bench, one, answers=["Eve Quill"])
    decide(bench, other, answers=["Eva Quill"])
    assert decide(bench, one, "dismiss", reason="It is right.") == "dismissed"
    assert items.get(bench.database, "mill").answers == ("Eva Quill",)


@pytest.mark.parametrize(
    ("ruling", "why"),
    [
        ({}, "Accepting a contest needs a correction"),
        ({"answers": ["Ada Quill"]}, "Accepting a contest needs a correction"),
        ({"answers": [""]}, "no answer"),
        ({"evidence": ["no such words"]}, "do not occur in the item's documents"),
        ({"evidence": ["a"]}, "occur 6 times"),
        ({"evidence": [""]}, "No evidence is left"),
        ({"answers": ["x"], "withdraw": True}, "A withdrawn item is not corrected"),
        ({"decision": "dismiss"}, "A dismissal needs a reason"),
        ({"decision": "dismiss", "reason": "no", "answers": ["x"]}, "A dismissed contest does not correct the item"),
        ({"person": " ", "withdraw": True}, "needs a name"),
        ({"withdraw": True, "seen": 1}, "decided on this contest in the meantime"),
        ({"withdraw": True, "revision": 2}, "was edited in the meantime"),
    ],
)
def test_a_decision_that_lacks_something_changes_nothing(bench: Workbench, ruling: dict[str, object], why: str) -> None:
    one = submit(bench)
    with pytest.raises(BenchError, match=why):
        decide(bench, one, **ruling)
    assert (items.get(bench.database, "mill").revision, bench.contests.load_case(one).contest.state) == (1, "open")


def test_evidence_comes_from_the_items_documents_alone(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="do not occur in the item's documents"):
        decide(bench, submit(bench), evidence=[BREWERY])


def test_who_may_contest_see_and_decide(bench: Workbench) -> None:
    bench.releases.freeze("v2")
    roles = (("Ada", "admin", None), ("Rex", "researcher", None), ("Ann", "annotator", None), ("Gus", "guest", "v1"))
    for name, role, release in roles:
        bench.people.give(name, role, release)  # type: ignore[arg-type]
    with actor.act_as("Gus"):
        one = submit(bench, person="Gus")
        for refused in (
            lambda: bench.contests.submit("v2", NewContest(item="mill", kind="other", reason="?")),
            lambda: bench.contests.take(file(bench, contest()), "a.json"),
            lambda: bench.contests.list_contests("v1"),
            lambda: bench.contests.load_case(one),
        ):
            with pytest.raises(NotAllowed):
                refused()
    with actor.act_as("Ann"), pytest.raises(NotAllowed):
        submit(bench, person="Ann")
    with actor.act_as("Rex"):
        assert bench.contests.page("v1").counts == {"open": 1}
        with pytest.raises(NotAllowed, match="may not decide on contests"):
            decide(bench, one, withdraw=True)
    with actor.act_as("Ada"):
        assert decide(bench, one, withdraw=True) == "accepted"
