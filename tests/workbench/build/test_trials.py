"""A prompt trial from its start to its end: the same windows on both sides, decisions without knowing, items when it is
closed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from prompts.prompt import read_delivered
from store.drafting import trials, tried_windows
from store.items import draft_costs, items
from store.ledger.calls import Ledger
from tests.openai_server import Running, running
from tests.orvel import write_corpus
from workbench import Workbench
from workbench.annotate.progress.makers import count_by_agent
from workbench.build.trials.trial_work import choose_left_side
from workbench.build.trials.trials import TrialPlan, TrialSide

NAME = "draft/explicit_factoid"
A = TrialSide("openai:m", None)


@pytest.fixture(scope="module")
def one_server() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture
def server(one_server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setenv("OPENAI_BASE_URL", one_server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    one_server.script([])
    one_server.reset()
    return one_server


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """Six documents, and a second version of the prompt, which stands."""
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        for n, path in enumerate(sorted(write_corpus(tmp_path / "in").iterdir())):  # a window never leaves its domain
            bench.corpus.add([path], domain=f"arts{n}", language="en", licence="CC0-1.0")
        words = read_delivered(NAME).replace("## user (en)", "Ask about the SECOND version.\n\n## user (en)", 1)
        bench.prompts.save(NAME, words, by="Lea", note="other words")
        yield bench
        jobs.stop(bench)


def plan(bench: Workbench, windows: int = 4, **more: Any) -> TrialPlan:
    [version] = [hash for hash in bench.trials.versions("explicit_factoid") if hash]
    given = {
        "task": "explicit_factoid",
        "domain": "all",
        "language": None,
        "windows": windows,
        "seed": 1,
        "a": A,
        "b": TrialSide("openai:m", version),
    }
    return TrialPlan(**(given | more))


def drafted(bench: Workbench, windows: int = 4, budget: float | None = None) -> str:
    job = bench.trials.start(plan(bench, windows), budget, "Lea")
    jobs.start(bench).submit(job).result()
    return str(bench.upkeep.job(job).params["trial"])


def decide(bench: Workbench, trial: str, pair: str, one: str, two: str, person: str = "Ann", **more: Any) -> None:
    data = bench.trial_desk.open_pair(trial, pair, person)
    given = {
        place: draft and {"decision": word, "question": draft.question, "answer": draft.answer}
        for place, draft, word in (("left", data.left, one), ("right", data.right, two))
    }
    for place in ("left", "right"):
        if given[place] and place in more:
            given[place] |= more.pop(place)
    key = more.pop("key", f"{pair}-{person}")
    bench.trial_desk.decide(trial, pair, person, key, left=given["left"], right=given["right"], **more)


def test_both_sides_draft_the_same_windows_each_in_its_words_and_no_draft_is_an_item_yet(
    bench: Workbench, server: Running
) -> None:
    trial = drafted(bench)
    pairs = trials.load_pairs(bench.database, trial)
    assert len(pairs) == 4 and server.count()["requests"] == 8 and not items.list_items(bench.database)
    identities = {side: {p.drafts[side]["item"]["provenance"]["prompt"] for p in pairs} for side in ("a", "b")}
    card = bench.prompts.card(NAME)
    assert identities["b"] == {card.versions[0].identities["en"]} and identities["a"].isdisjoint(identities["b"])
    assert all(p.drafts[side]["state"] == "drafted" for p in pairs for side in ("a", "b")), "none is a duplicate of its pair"
    assert tried_windows.load_windows(bench.database, "explicit_factoid") == {p.window for p in pairs}


def test_what_is_shown_tells_nothing_of_who_made_it_and_its_order_is_the_seeds(bench: Workbench, server: Running) -> None:
    trial = drafted(bench, 6)
    pairs = trials.load_pairs(bench.database, trial)
    assert [p.first for p in pairs] == [choose_left_side(1, p.window) for p in pairs]
    assert {choose_left_side(1, str(n)) for n in range(30)} == {"a", "b"}
    assert 35 < sum(choose_left_side(n, "w") == "a" for n in range(100)) < 65
    shown = bench.trial_desk.open_pair(trial, pairs[0].key, "Ann")
    said = repr(shown)
    for secret in ("openai:m", "@b2:", "provenance", "trial_side", pairs[0].drafts["a"]["item"]["id"]):
        assert secret not in said
    left = pairs[0].drafts[pairs[0].first]["item"]
    assert shown.left.question == left["question"] and any(line.marks for line in shown.text)
    with pytest.raises(BenchError, match="open"):
        bench.trials.result(trial)


def test_a_closed_trial_tells_its_sides_and_its_drafts_are_items_with_what_was_decided(
    bench: Workbench, server: Running
) -> None:
    trial = drafted(bench)
    a_b = {p.key: p for p in trials.load_pairs(bench.database, trial)}
    keys = list(a_b)

    def by_side(key: str, a: str, b: str, **more: Any) -> None:
        pair = a_b[key]
        decide(bench, trial, key, *((a, b) if pair.first == "a" else (b, a)), seconds=10.0, **more)

    place = "left" if a_b[keys[0]].first == "b" else "right"
    by_side(keys[0], "discard", "accept", preference=place, **{place: {"question": "Who designed the old bridge, then?"}})
    by_side(keys[1], "discard", "accept")
    by_side(keys[2], "accept", "accept", preference="same")
    entered = bench.trials.close_trial(trial, "Lea")
    assert bench.trials.close_trial(trial, "Lea") == entered, "twice is once"
    found = bench.trials.result(trial)
    assert found.labels == ("delivered words with openai:m", "version 1, other words with openai:m")
    c = found.compared
    assert (c.accept.n, c.accept.wins, c.accept.losses, c.prefers_b, c.alike) == (3, 2, 0, 1, 1)
    assert (c.b.edited, c.a.undecided, c.b.undecided) == (1, 1, 1) and c.b.characters > 0 and c.a.cost is None
    made = items.list_items(bench.database)
    assert sum(entered.values()) == 8 and len(made) == 8 - entered["alike"]
    edited = next(item for item in made if item.question == "Who designed the old bridge, then?")
    assert (edited.status, edited.labels["trial"], edited.labels["trial_side"]) == ("accepted", trial, "b")
    assert {item.status for item in made} <= {"accepted", "discarded", "drafted"}
    with pytest.raises(BenchError, match="closed"):
        decide(bench, trial, keys[3], "accept", "accept")


def test_an_accepted_item_of_a_version_costs_what_came_to_nothing_too_and_an_open_trial_is_not_told(
    bench: Workbench, server: Running
) -> None:
    bench.agent_list.save({"name": "priced", "model": "m", "base_url": server.url, "price_in": 1.0, "price_out": 1.0})
    server.script([{"contains": "Kesh", "fault": "prose"}])
    [version] = [hash for hash in bench.trials.versions("explicit_factoid") if hash]
    given = plan(bench, 6, a=TrialSide("priced", None), b=TrialSide("priced", version))
    trial = jobs.start(bench).submit(bench.trials.start(given, None, "Lea")).result()["trial"]
    assert draft_costs.load_lost(bench.database) == []
    while key := bench.trial_desk.find_next(trial, "Ann"):
        decide(bench, trial, key, "accept", "accept")
    bench.trials.close_trial(trial, "Lea")
    found = bench.trials.result(trial).compared
    spent = Ledger(bench.database).sum_spending()
    for maker in count_by_agent(draft_costs.load_drafts(bench.database), {}, draft_costs.load_lost(bench.database)):
        side = found.b if maker.prompt in bench.prompts.card(NAME).versions[0].identities.values() else found.a
        assert maker.lost >= 2 and maker.cost == pytest.approx(side.cost)  # asked again for the one that is prose
        assert maker.cost_each == pytest.approx(side.cost / maker.line.saved)
    assert spent.cost == pytest.approx(found.a.cost + found.b.cost), "every cent is on one of the sides"


def test_two_that_say_the_same_enter_once_and_the_preferred_one_it_is(bench: Workbench, server: Running) -> None:
    trial = drafted(bench, 1)
    [pair] = trials.load_pairs(bench.database, trial)
    words = pair.drafts["a"]["item"]
    other = "right" if pair.first == "a" else "left"
    decide(
        bench,
        trial,
        pair.key,
        "accept",
        "accept",
        preference=other,
        **{other: {"question": words["question"], "answer": words["answers"][0]}},
    )
    same = pair.drafts["b"]["item"]["question"] == words["question"]
    entered = bench.trials.close_trial(trial, "Lea")
    assert entered["accepted"] + entered["alike"] == 2
    assert not same or [i.labels["trial_side"] for i in items.list_items(bench.database)] == ["b"]


def test_a_budget_stops_it_and_a_higher_one_goes_on_paying_nothing_twice(bench: Workbench, server: Running) -> None:
    for name in ("one", "two"):
        bench.agent_list.save({"name": name, "model": f"m-{name}", "base_url": server.url, "price_in": 1.0, "price_out": 1.0})
    given = plan(bench, 6, a=TrialSide("one", None), b=TrialSide("two", None))
    job = bench.trials.start(given, 0.012, "Lea")
    stopped = jobs.start(bench).submit(job).result()
    assert stopped["stopped"] == "budget" and stopped["cost_usd"] <= 0.012 and "Stopped (budget)" in stopped["message"]
    assert bench.upkeep.job(job).state == "budget"
    bench.upkeep.raise_budget(job, 1.0)
    done = jobs.start(bench).resume(job).result()
    assert done["stopped"] is None and done["windows"] == 6
    assert server.count()["asked_again"] == 0
    assert Ledger(bench.database).sum_spending(job).attempts == server.count()["requests"]


def test_what_failed_on_one_side_is_told_and_the_other_is_decided_on_alone(bench: Workbench, server: Running) -> None:
    server.script([{"contains": "SECOND version", "fault": "prose"}])
    job = bench.trials.start(plan(bench, 2), None, "Lea")
    done = jobs.start(bench).submit(job).result()
    assert done["message"] == "asked 2 windows, drafted 0 on both sides: 2 with A drafted and B unreadable."
    trial = done["trial"]
    key = bench.trial_desk.find_next(trial, "Ann")
    shown = bench.trial_desk.open_pair(trial, key, "Ann")
    assert [shown.left, shown.right].count(None) == 1
    with pytest.raises(BenchError, match="only one draft"):
        decide(bench, trial, key, "accept", "accept", preference="left")
    decide(bench, trial, key, "accept", "accept")
    bench.trials.close_trial(trial, "Lea")
    found = bench.trials.result(trial)
    assert (found.compared.accept.n, found.compared.b.unreadable, found.compared.gain.n) == (0, 2, 1)


def test_two_people_meet_different_pairs_and_whoever_is_first_decides(bench: Workbench, server: Running) -> None:
    trial = drafted(bench, 3)
    ann, bob = bench.trial_desk.find_next(trial, "Ann"), bench.trial_desk.find_next(trial, "Bob")
    assert ann != bob and bench.trial_desk.find_next(trial, "Ann") == ann
    decide(bench, trial, ann, "accept", "discard", right={"reason": "ambiguous"})
    with pytest.raises(BenchError, match="Somebody else"):
        decide(bench, trial, ann, "discard", "discard", person="Bob")
    decide(bench, trial, ann, "accept", "discard", key=f"{ann}-Ann")
    assert bench.trial_desk.undo(trial, "Ann", "u1") == ann and not trials.load_answers(bench.database, trial)
    decide(bench, trial, ann, "discard", "discard", person="Bob", key="b1")
    with pytest.raises(BenchError, match="nothing to undo"):
        bench.trial_desk.undo(trial, "Ann", "u2")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"b": A}, "Both sides are the same"),
        ({"windows": 0}, "ask for 1 to 2,000"),
        ({"b": TrialSide("openai:m", "b2:no")}, "no version"),
        ({"task": "nothing"}, "nothing"),
        ({"domain": "law"}, "No document"),
    ],
)
def test_a_trial_that_cannot_begin_says_why(bench: Workbench, server: Running, more: dict[str, Any], why: str) -> None:
    with pytest.raises(BenchError, match=why):
        bench.trials.start(plan(bench)._replace(**more), None, "Lea")
    assert not bench.trials.list_trials()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"decision": ""}, "has no decision"),
        ({"question": " "}, "empty"),
        ({"question": "a\0"}, "no file can store"),
    ],
)
def test_a_decision_that_cannot_be_stored_says_why(bench: Workbench, server: Running, given: dict[str, Any], why: str) -> None:
    trial = drafted(bench, 1)
    key = bench.trial_desk.find_next(trial, "Ann")
    with pytest.raises(BenchError, match=why):
        decide(bench, trial, key, "accept", "accept", left=given)
    assert not trials.load_answers(bench.database, trial)


def test_the_estimate_sends_nothing_and_has_a_row_a_side(bench: Workbench, server: Running) -> None:
    found = bench.trials.estimate(plan(bench, 5), None)
    assert [job.title.partition(":")[0] for job in found.jobs] == ["A", "B"]
    assert (
        found.least == found.most and (found.least.calls, found.least.price) == (10.0, None) and server.count()["requests"] == 0
    )
