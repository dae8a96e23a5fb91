"""The quick check: a handful on the floors, the ceiling and one system."""

from collections.abc import Iterator

import pytest

import jobs
from core.errors import BenchError
from tests.openai_server import running
from workbench import Workbench
from workbench.evaluate.running.questions import draw_stratified

WAIT = 30.0


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as made:
        made.corpus.load_samples()
        yield made
        jobs.stop(made)


def finish(bench: Workbench, agent: str | None, size: int = 6, seed: int = 0) -> list[str]:
    """A quick check worked to its end; its jobs."""
    asked = bench.quick_check.build_requests("working", agent=agent, system="vanilla", size=size, seed=seed)
    found = [bench.runs.plan(one) for one in asked]
    for job in found:
        jobs.start(bench).submit(job)
    for job in found:
        jobs.start(bench).submit(job).result()
    return found


def test_without_an_agent_it_measures_retrieval(bench: Workbench) -> None:
    (row,) = bench.quick_check.compare(finish(bench, None, size=12)).rows
    assert row.label == "Echo" and row.figures.answered == 12 and row.figures.offline == []
    figure = row.figures.by_metric["evidence_recall@5"]
    assert figure.n == 12 and figure.mean is not None and figure.mean > 0


def test_the_items_shown_are_the_items_asked(bench: Workbench) -> None:
    asked = bench.quick_check.build_requests("working", agent=None, system="vanilla", size=7, seed=5)
    made = bench.quick_check.preview(asked, wait=WAIT).value
    job = bench.runs.plan(asked[0])
    jobs.start(bench).submit(job).result()
    assert made is not None
    answered = {row.item for row in bench.runs.progress(job, last=50).last}
    assert {item.id for item in made.items} == answered and len(answered) == 7


def test_the_handful_is_spread_over_the_strata(bench: Workbench) -> None:
    asked = bench.quick_check.build_requests("working", agent=None, system="vanilla", size=12, seed=0)
    made = bench.quick_check.preview(asked, wait=WAIT).value
    assert made is not None
    strata = {(item.level, item.domain, item.language) for item in made.items}
    assert len(strata) == 12


def test_a_sample_is_the_same_for_the_same_seed_alone(bench: Workbench) -> None:
    items = bench.releases.get("working")[1].items
    first, again, other = (draw_stratified(items, 9, seed) for seed in (1, 1, 2))
    assert first == again != other and len(other) == 9


def test_an_offline_agent_marks_what_it_answered(bench: Workbench) -> None:
    rows = bench.quick_check.compare(finish(bench, "offline")).rows
    assert {row.label: row.figures.offline for row in rows} == {
        "Echo": [],
        "Closed book": ["answer"],
        "Oracle": ["answer"],
        "Vanilla RAG": ["answer"],
    }


def test_a_mean_says_its_n_and_a_missing_one_says_why(bench: Workbench) -> None:
    (row,) = bench.quick_check.compare(finish(bench, None, size=12)).rows
    figures = row.figures.by_metric
    assert figures["s_f1"].mean is None and figures["s_f1"].why == "not run: no judge"
    assert figures["exact_match"].n < 12 and figures["rouge_l"].n == 12


def test_the_same_check_again_asks_nothing(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with running() as endpoint:
        bench.agent_list.save({"name": "test", "model": "m", "base_url": endpoint.url, "price_in": 1.0, "price_out": 1.0})
        first = finish(bench, "test")
        calls, cost = bench.quick_check.cost(first)
        assert calls == endpoint.count()["requests"] == 18 and cost is not None and cost > 0
        assert bench.quick_check.cost(finish(bench, "test")) == (0, 0)
        assert endpoint.count()["requests"] == 18


def test_an_endpoint_that_dies_leaves_what_came_and_goes_on(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with running() as endpoint:
        bench.agent_list.save({"name": "test", "model": "m", "base_url": endpoint.url, "concurrency": 1})
        endpoint.script([{"from": 3, "fault": "status", "status": 401}])
        asked = bench.quick_check.build_requests("working", agent="test", system="vanilla", size=6, seed=0)[1]
        job = bench.runs.plan(asked)
        jobs.start(bench).submit(job).result()
        row = bench.upkeep.job(job)
        assert row.state == "endpoint" and "401" in row.end
        assert bench.quick_check.count_answers([job]) == {job: (2, 0)}
        endpoint.script([])
        jobs.start(bench).resume(job).result()
        assert bench.upkeep.job(job).state == "done" and bench.quick_check.count_answers([job]) == {job: (6, 0)}


@pytest.mark.parametrize(
    ("size", "system", "sentence"), [(0, "vanilla", "cannot have 0 questions"), (12, "nothing", "No system named")]
)
def test_what_cannot_be_checked_is_a_sentence(bench: Workbench, size: int, system: str, sentence: str) -> None:
    with pytest.raises(BenchError, match=sentence):
        bench.quick_check.build_requests("working", agent="offline", system=system, size=size, seed=0)
