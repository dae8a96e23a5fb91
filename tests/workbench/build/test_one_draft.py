"""Drafting one at a time: what a person looked at is what is drafted, once; what died half-way leaves the ledger and nothing
else."""

from collections.abc import Iterator

import pytest

import jobs
from core.errors import BenchError
from core.nouns import Document
from store.corpus import documents
from store.items import items
from store.jobs.jobs import load_pieces
from tests.openai_server import Running, running
from tests.orvel import NAMES, TEXT
from tests.waiting import until
from workbench import Workbench
from workbench.build.drafting.sampling import WindowRequest
from workbench.build.trials.one_draft import DraftState

WISH = WindowRequest("explicit_factoid", "tech", None, 7)
ARTS = WindowRequest("explicit_factoid", "arts", "en", 7)
AGENT = "mock"


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as bench:
        bench.corpus.load_samples()
        yield bench
        jobs.stop(bench)


@pytest.fixture(scope="module")
def one_server() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture
def server(one_server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    one_server.script([])
    one_server.reset()
    return one_server


@pytest.fixture
def orvel(server: Running) -> Iterator[Workbench]:
    """Six small documents, and an agent at the test endpoint."""
    texts = [TEXT.format(name=name, year=1931 + n, begun=1929 + n, length=212 + 17 * n) for n, name in enumerate(NAMES)]
    with Workbench.open(":memory:") as bench:
        documents.add(bench.database, [Document(f"d{n}", text, NAMES[n], "arts") for n, text in enumerate(texts)])
        bench.agent_list.save({"name": AGENT, "model": "m", "base_url": server.url})
        yield bench
        jobs.stop(bench)


def drafted(bench: Workbench, job: str) -> DraftState:
    """How the draft stands once its job is over."""
    jobs.start(bench).submit(job).result()
    return bench.one_draft.look(job)


def test_another_window_is_the_next_one_and_a_tried_one_is_not_offered(bench: Workbench) -> None:
    one = bench.one_draft
    first = one.sample(WISH, "recorded")
    second = one.sample(WISH, "recorded", first)
    assert first != second and one.sample(WISH, "recorded") == first
    drafted(bench, one.plan(WISH, "recorded", second))
    third = one.sample(WISH, "recorded", first)
    assert third not in (first, second)
    shown = one.window(WISH, "recorded", second)  # a tried one can still be looked at
    assert shown.tokens > 0 and shown.sentences == len(one.lines(second, 0, 10_000))
    assert [line.n for line in one.lines(second, 2, 3)] == [3, 4, 5]


def test_no_window_left_is_a_sentence(bench: Workbench) -> None:
    wish = WindowRequest("implicit_factoid", "tech", None, 7)
    key = bench.one_draft.sample(wish, "recorded")
    assert bench.one_draft.window(wish, "recorded", key).source.question
    with pytest.raises(BenchError, match="No window of domain tech is left"):
        bench.one_draft.sample(wish, "recorded", key)


@pytest.mark.fault(30)
def test_two_presses_are_one_job_whether_or_not_it_is_over(bench: Workbench) -> None:
    window = bench.one_draft.sample(WISH, "recorded")
    job = bench.one_draft.plan(WISH, "recorded", window)
    assert bench.one_draft.plan(WISH, "recorded", window) == job
    assert drafted(bench, job).state == "drafted"
    assert bench.one_draft.plan(WISH, "recorded", window) == job
    assert bench.one_draft.plan(WISH, "recorded", window, after=job) != job


def test_the_draft_is_the_window_s_and_its_waiting_time_is_known(bench: Workbench) -> None:
    window = bench.one_draft.sample(WISH, "recorded")
    seen = drafted(bench, bench.one_draft.plan(WISH, "recorded", window))
    assert seen.item.steps[0]["key"] == window and seen.item.status == "drafted"
    assert {part.prompt.skill for part in seen.parts} == {"draft", "answer", "judge"}
    assert seen.seconds > 0
    assert {v.gate for v in seen.verdicts} >= {"evidence", "rag_check"}


def test_regenerating_discards_with_the_reason_and_asks_with_it(orvel: Workbench, server: Running) -> None:
    window = orvel.one_draft.sample(ARTS, AGENT)
    first = drafted(orvel, orvel.one_draft.plan(ARTS, AGENT, window, rag_check=False))
    again = orvel.one_draft.regenerate(first.job, "Ada", "too easy")
    assert orvel.one_draft.regenerate(first.job, "Ada", "too easy") == again
    second = drafted(orvel, again)
    assert second.window == window and second.item.question != first.item.question
    assert second.item.steps[1] == {"kind": "regeneration", "reason": "too easy", "previous": first.item.question}
    assert "too easy" in str(server.last()["messages"])
    assert items.get(orvel.database, first.item.id).status == "discarded"
    reviews = orvel.database.rows("SELECT person, decision, reason FROM review")
    assert reviews == [("Ada", "discard", "regenerated: too easy")]


def test_regenerating_needs_a_reason_and_a_name_and_leaves_saved_words_alone(bench: Workbench) -> None:
    seen = drafted(bench, bench.one_draft.plan(WISH, "recorded", bench.one_draft.sample(WISH, "recorded")))
    with pytest.raises(BenchError, match="Say why"):
        bench.one_draft.regenerate(seen.job, "Ada", " ")
    with pytest.raises(BenchError, match="name"):
        bench.one_draft.regenerate(seen.job, "", "too easy")
    bench.reviews.decide(seen.item.id, "accept", person="Ada")
    with pytest.raises(BenchError, match="saved already"):
        bench.one_draft.regenerate(seen.job, "Ada", "too easy")


def test_nothing_worth_asking_is_said_in_the_agent_s_words(bench: Workbench) -> None:
    science = WindowRequest("implicit_factoid", "science", None, 7)
    seen = drafted(bench, bench.one_draft.plan(science, "recorded", bench.one_draft.sample(science, "recorded")))
    assert (seen.state, seen.item) == ("none", None) and "藤壶" in seen.none


@pytest.mark.parametrize(
    ("fault", "state", "raw"),
    [
        ({"fault": "status", "status": 429, "retry_after": 0.01}, "endpoint", False),
        ({"fault": "status", "status": 500}, "failed", False),
        ({"fault": "cut"}, "failed", True),
        ({"fault": "stall"}, "failed", True),
        ({"fault": "hang"}, "failed", False),
        ({"fault": "malformed"}, "unreadable", True),
        ({"fault": "prose"}, "unreadable", True),
        ({"fault": "empty"}, "unreadable", False),
    ],
    ids=lambda value: value["fault"] if isinstance(value, dict) else None,
)
def test_what_dies_half_way_leaves_its_text_and_its_calls_and_no_item(
    orvel: Workbench, server: Running, monkeypatch: pytest.MonkeyPatch, fault: dict, state: str, raw: bool
) -> None:
    monkeypatch.setattr("agents.openai.openai.random.uniform", lambda low, high: 0.01)
    server.script([fault])
    if fault["fault"] in ("stall", "hang"):
        orvel.agent_list.save({"name": AGENT, "model": "m", "base_url": server.url, "timeout": 3.0}, AGENT)
    window = orvel.one_draft.sample(ARTS, AGENT)
    seen = drafted(orvel, orvel.one_draft.plan(ARTS, AGENT, window, rag_check=False))
    assert seen.state == state and seen.message and bool(seen.text) == raw
    assert seen.item is None and not items.list_items(orvel.database)
    assert orvel.agents.ledger.sum_spending().attempts == server.count()["requests"] > 1
    server.script([])
    orvel.agent_list.save({"name": AGENT, "model": "m", "base_url": server.url}, AGENT)
    better = drafted(
        orvel, orvel.one_draft.plan(ARTS, AGENT, window, rag_check=False, after=seen.job, attempt=int(state == "unreadable"))
    )
    assert better.state == "drafted" and len(items.list_items(orvel.database)) == 1


def test_a_stopped_draft_ends_its_job_and_can_be_asked_again(orvel: Workbench, server: Running) -> None:
    server.script([{"fault": "stall"}])
    orvel.agent_list.save({"name": "patient", "model": "m", "base_url": server.url, "timeout": 600.0})
    window = orvel.one_draft.sample(ARTS, "patient")
    job = orvel.one_draft.plan(ARTS, "patient", window)
    working = jobs.start(orvel).submit(job)
    until(lambda: orvel.one_draft.look(job).parts)
    jobs.start(orvel).cancel(job)
    working.result()
    seen = orvel.one_draft.look(job)
    assert (seen.state, seen.job_state, seen.item) == ("cancelled", "cancelled", None)
    server.script([])
    assert drafted(orvel, orvel.one_draft.plan(ARTS, AGENT, window, after=job)).state == "drafted"


def test_a_job_that_had_stored_its_draft_is_not_worked_twice(bench: Workbench) -> None:
    job = bench.one_draft.plan(WISH, "recorded", bench.one_draft.sample(WISH, "recorded"))
    first = drafted(bench, job)
    bench.database.write(lambda cursor: cursor.execute("UPDATE job SET state = 'queued', result = NULL").fetchall())
    again = drafted(bench, job)
    assert again.item == first.item and again.state == "drafted" and len(load_pieces(bench.database, job)) == 1


def test_work_in_the_background_is_done_once_for_each_key_and_its_error_is_kept(bench: Workbench) -> None:
    calls: list[str] = []

    def fail() -> str:
        calls.append("failed")
        raise BenchError("No.")

    until(lambda: bench.one_draft.run_in_background("a", lambda: calls.append("made") or "done").value == "done")
    assert bench.one_draft.run_in_background("a", fail).value == "done"
    for _ in range(3):
        with pytest.raises(BenchError, match="No"):
            until(lambda: bench.one_draft.run_in_background("b", fail).value)
    assert calls == ["made", "failed"]


def test_a_failure_is_drafted_again_with_another_seed_where_its_reply_would_come_again(
    orvel: Workbench, server: Running
) -> None:
    server.script([{"fault": "prose"}])
    window = orvel.one_draft.sample(ARTS, AGENT)
    first = drafted(orvel, orvel.one_draft.plan(ARTS, AGENT, window, rag_check=False))
    server.script([])
    job = orvel.one_draft.plan_again(first.job)
    assert (first.state, drafted(orvel, job).state) == ("unreadable", "drafted")
    assert orvel.upkeep.job(job).params["attempt"] == 1
