"""The page Sweeps: a sweep is planned, told what it comes to, started, followed to its figures."""

import jobs
from tests.pages.conftest import Show
from tests.waiting import until
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.sweeps.sweep_plan import SweepPlan, factor

ECHO = RunRequest(release="working", system="echo", retriever="bm25", sample=6)


def done(bench: Workbench, plan: SweepPlan) -> str:
    job = bench.sweeps.plan(plan)
    jobs.start(bench).submit(job).result()
    return job


def test_a_sweep_is_planned_and_started_from_the_form(bench: Workbench, show: Show) -> None:
    at = show("evaluate/sweeps")
    at.selectbox("sweep_no_system").set_value("echo").run()
    at.number_input("sweep_sample").set_value(4).run()
    until(lambda: any("3 cells" in caption.value or "4 cells" in caption.value for caption in at.run().caption))
    at.button("sweep_start").click().run()
    until(lambda: bool(bench.sweeps.list_sweeps()) or not at.run())
    (row,) = bench.sweeps.list_sweeps()
    until(lambda: bench.upkeep.job(row.job).state == "done")
    assert bench.sweeps.list_sweeps()[0].done == row.cells


def test_one_factor_is_a_table_and_two_crossed_are_a_map(bench: Workbench, show: Show) -> None:
    k, size = factor("top-k", [1, 5], "top_k"), factor("chunk_tokens", [64, 128])
    for plan in (SweepPlan("k", ECHO, [k]), SweepPlan("both", ECHO, [k, size], "grid")):
        job = done(bench, plan)
        at = show("evaluate/sweeps", job=job)
        until(lambda at=at: any(box.label == "Metric" for box in at.run().selectbox))  # type: ignore[misc]
        assert not at.exception and not at.error


def test_a_cell_that_did_not_run_is_told_with_its_reason(bench: Workbench, show: Show) -> None:
    job = done(bench, SweepPlan("r", ECHO, [factor("retriever", ["bm25", "rerank"])]))
    at = show("evaluate/sweeps", job=job)
    until(lambda: any("encoder" in w.value for w in at.run().warning))
