"""Sweeps: what cells a plan comes to, one job that works them in order, and that a cell which ran is found, not asked again."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from store.runs import runs
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.sweeps.sweep_plan import Factor, FactorValue, SweepPlan, factor, list_cells, plan_of
from workbench.evaluate.sweeps.sweep_presets import SWEEPS

ECHO = RunRequest(release="working", system="echo", retriever="bm25", sample=6, settings={"top_k": 5})
TOP_K = factor("top-k", [1, 5], "top_k")
WAIT = 30.0


@pytest.fixture
def bench(samples: Path, tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(Path(shutil.copy(samples, tmp_path / "w.duckdb"))) as made:
        yield made
        jobs.stop(made)


def work(bench: Workbench, plan: SweepPlan) -> dict[str, Any]:
    return jobs.start(bench).submit(bench.sweeps.plan(plan)).result()


def test_one_factor_at_a_time_leaves_the_others_as_in_the_base_and_counts_the_base_once() -> None:
    chunks = Factor(
        "chunk size", [FactorValue("64", {"chunk_tokens": 64, "top_k": 16}), FactorValue("128", {"chunk_tokens": 128})]
    )
    found = list_cells(SweepPlan("p", ECHO, [TOP_K, chunks]))
    assert [(cell.label, cell.request.settings) for cell in found] == [
        ("top-k 5", {"top_k": 5}),
        ("top-k 1", {"top_k": 1}),
        ("chunk size 64", {"top_k": 16, "chunk_tokens": 64}),
        ("chunk size 128", {"top_k": 5, "chunk_tokens": 128}),
    ]


def test_a_grid_is_every_combination() -> None:
    found = list_cells(SweepPlan("p", ECHO, [TOP_K, factor("chunk_tokens", [64, 128, 256])], "grid"))
    assert len(found) == 6 and found[0].at == [{"top-k": "1", "chunk_tokens": "64"}]


def test_what_a_cell_has_no_use_for_makes_it_no_other_run() -> None:
    base = replace(ECHO, system="vanilla", agent="offline", settings={"embedding_model": "minilm"})
    factors = [factor("system", ["vanilla", "closed_book"]), factor("retriever", ["bm25", "dense"])]
    found = list_cells(SweepPlan("p", base, factors, "grid"))
    assert [(c.request.system, c.request.retriever, c.request.settings) for c in found] == [
        ("vanilla", "bm25", {}),
        ("vanilla", "dense", {"embedding_model": "minilm"}),
        ("closed_book", None, {}),
    ]
    assert len(found[2].at) == 2


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (SweepPlan("p", ECHO, []), "at least one factor"),
        (SweepPlan("p", ECHO, [TOP_K, TOP_K]), "'top-k' is named twice"),
        (SweepPlan("p", ECHO, [factor("topk", [1])]), "has the setting 'topk'"),
        (SweepPlan("p", ECHO, [factor("top_k", range(401))], "grid"), "401 cells"),
        (SweepPlan("p", ECHO, [factor("system", ["no_such"])]), "no_such"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_a_sentence(plan: SweepPlan, message: str) -> None:
    with pytest.raises(BenchError, match=message):
        list_cells(plan)


def test_a_plan_survives_its_record() -> None:
    plan = SWEEPS["crud_rag"].make(ECHO, ["offline", "recorded"], ["minilm", "lexical_vectors"])
    again = plan_of(plan.record())
    assert again.record() == plan.record() and len(list_cells(again)) == len(list_cells(plan))


def test_the_grid_of_crud_rag_is_the_papers() -> None:
    plan = SWEEPS["crud_rag"].make(replace(ECHO, agent="offline"), ["offline"], ["minilm"])
    found = {factor.name: [dict(step.changes) for step in factor.steps] for factor in plan.factors}
    assert found["chunk size"] == [{"chunk_tokens": c, "top_k": k} for c, k in ((64, 16), (128, 8), (256, 4), (512, 2))]
    assert found["overlap"] == [{"chunk_overlap": n} for n in (0, 13, 38, 64, 90)]
    assert found["top-k"] == [{"top_k": k} for k in (2, 4, 6, 8, 10)]
    assert [c["retriever"] for c in found["retriever"]] == ["dense", "bm25", "hybrid", "rerank"]
    assert len(list_cells(plan)) == 1 + 3 + 4 + 3 + 4, "the base is a value of every factor"


def test_every_cell_is_an_ordinary_run_and_one_that_ran_is_found_again(bench: Workbench) -> None:
    alone = jobs.start(bench).submit(bench.runs.plan(ECHO)).result()
    before = bench.sweeps.estimate(SweepPlan("p", ECHO, [TOP_K]), wait=WAIT).value
    assert before and before.complete == 1 and before.total.questions == 6
    made = work(bench, SweepPlan("p", ECHO, [TOP_K]))
    assert (made["cells"], made["done"], made["stopped"], made["reused"]) == (2, 2, None, 6)
    assert made["runs"][0] == alone["run"]
    again = work(bench, SweepPlan("p", ECHO, [TOP_K]))
    assert again["runs"] == made["runs"] and again["reused"] == 12
    assert len(runs.list_runs(bench.database)) == 2


def test_its_outcome_has_a_figure_with_its_interval_for_each_cell_and_metric(bench: Workbench) -> None:
    plan = SweepPlan("p", ECHO, [TOP_K])
    job = bench.sweeps.plan(plan)
    jobs.start(bench).submit(job).result()
    found = bench.sweeps.outcome(job, wait=WAIT).value
    assert found and [cell.at for cell in found.cells] == [[{}, {"top-k": "5"}], [{"top-k": "1"}]]
    few = next(cell for cell in found.cells if {"top-k": "1"} in cell.at)
    figure = few.figures.by_metric["evidence_recall@1"]
    assert figure.low is not None and figure.mean is not None and figure.high is not None
    assert figure.n > 0 and figure.low <= figure.mean <= figure.high
    assert "evidence_recall@5" in found.metrics and bench.sweeps.load_plan(job).record() == plan.record()
    (line,) = bench.sweeps.list_sweeps()
    assert (line.cells, line.done, line.state) == (2, 2, "done")


def test_a_cell_that_cannot_run_says_why_and_the_others_go_on(bench: Workbench) -> None:
    made = work(bench, SweepPlan("p", ECHO, [factor("retriever", ["rerank", "given_pages"])]))
    assert (made["done"], made["cells"], made["stopped"]) == (2, 3, None)
    assert "1 of 3 cells did not run" in made["message"] and "cross-encoder" in made["not_run"][0]


def test_a_stopped_sweep_goes_on_where_it_was(bench: Workbench) -> None:
    plan = SweepPlan("p", ECHO, [factor("top_k", [1, 2, 3, 5])])
    job = bench.sweeps.plan(plan)
    runner = jobs.start(bench)
    first: list[str] = []

    def hear(said: str) -> None:
        first.append(said)
        if said.startswith("Cell 2 of 4"):
            runner.pause(job)

    stopped = runner.submit(job, hear).result()
    assert stopped["stopped"] == "cancelled" and stopped["done"] < 4
    assert bench.upkeep.job(job).state == "paused"
    assert bench.sweeps.plan(plan) == job, "the same plan is the same job while it is unfinished"
    ended = runner.resume(job).result()
    assert (ended["done"], ended["stopped"]) == (4, None)
    assert any(said.startswith("Cell 1 of 4 (") for said in first)
