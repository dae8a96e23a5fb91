"""Where answers are lost, with the runs that it takes; and what two releases' labels moved."""

from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

import jobs
from core.errors import BenchError
from eval.reports.attribution import STATES, Attribution
from store.items import items
from store.runs import runs
from tests.pages.runs import freeze, run
from tests.waiting import until
from workbench import Workbench
from workbench.background_cache import RunningWork
from workbench.evaluate.running.companions import find_companions
from workbench.evaluate.running.run_request import RunRequest

T = TypeVar("T")


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench.open(":memory:") as made:
        made.corpus.load_samples()
        yield made
        jobs.stop(made)


def waited(ask: Callable[[], RunningWork[T]]) -> T:
    until(lambda: ask().is_ready)
    found = ask().value
    assert found is not None
    return found


def test_losses_need_two_more_runs_and_name_them(bench: Workbench) -> None:
    freeze(bench)
    base = run(bench, "vanilla", "offline", retriever="bm25", sample=8)
    told = waited(lambda: bench.reports.attributions([base], "token_f1"))
    assert "oracle and closed_book are not there yet" in str(told[base])
    asked = bench.reports.request_missing_companions(base)
    assert [one.system for one in asked] == ["oracle", "closed_book"]
    for one in asked:
        jobs.start(bench).submit(bench.runs.plan(one)).result()
    assert bench.reports.request_missing_companions(base) == []
    found = waited(lambda: bench.reports.attributions([base], "token_f1"))[base]
    assert isinstance(found, Attribution) and found.n == 8
    assert set(found.of.values()) <= set(STATES) and dict(found.by_level)[2].get("not known") is None


def test_the_newest_run_of_a_companion_counts(bench: Workbench) -> None:
    freeze(bench)
    base = run(bench, "vanilla", "offline", retriever="bm25", sample=2)
    _, newest = (run(bench, "oracle", "offline", sample=2, temperature=degree) for degree in (0.5, 0.0))
    companions = find_companions(bench.database, runs.get(bench.database, base))
    assert {system: companion.id for system, companion in companions.items()} == {"oracle": newest}


def test_labels_that_changed_are_told_from_systems(bench: Workbench) -> None:
    freeze(bench)
    first = run(bench, "echo", retriever="bm25")
    changed = items.get(bench.database, "sample-en-l1-tech-01")
    bench.reviews.decide(changed.id, "accept", person="Ada", answer=changed.question)
    bench.releases.freeze("later")
    job = bench.runs.plan(RunRequest(release="later", system="echo", retriever="bm25", seed=7))
    second = str(jobs.start(bench).submit(job).result()["run"])
    found = waited(lambda: bench.reports.compare_labels(first, second, "token_f1"))
    moved = [one for one in found.questions if one.is_relabelled]
    assert [(one.item, one.relabelled) for one in moved] == [(changed.id, 1.0)] and moved[0].before != 1.0
    assert found.labels.mean and found.labels.mean > 0 and found.systems.mean == 0
    assert found.all.mean == pytest.approx(found.labels.mean)
    assert found.only == (0, 0)
    with pytest.raises(BenchError, match="without asking a judge or a model"):
        waited(lambda: bench.reports.compare_labels(first, second, "s_f1"))
