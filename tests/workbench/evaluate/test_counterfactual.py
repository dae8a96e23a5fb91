"""A run on a counterfactual release tells what its system read from what it remembers, beside its run in the real world."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import jobs
from core.errors import BenchError
from tests.workbench.evaluate.test_absence import program
from tests.workbench.release.test_counterfactual import fill
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest

MEMORY = """
def answer(question, retrieve, ask):
    for word, gold in {"mill": "Ada Quill", "brewery": "1911", "Who bought the bakery": "Cleo Marsh"}.items():
        if word in question.query:
            return gold
    return "yes"
"""
READER = r"""
import re

def answer(question, retrieve, ask):
    texts = [passage["text"] for passage in retrieve(question.query, 3)]
    if "year" in question.query:
        return next((re.search(r" in (\d{4})", text)[1] for text in texts if "brewery" in text), "I don't know")
    word = "mill" if "mill" in question.query else "bakery"
    return next((re.search(r"by (\w+ \w+) in", text)[1] for text in texts if word in text), "I don't know")
"""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        fill(bench)
        bench.releases.freeze("v1")
        bench.releases.freeze_counterfactual("cf", "v1")
        jobs.start(bench)
        yield bench
        jobs.stop(bench)


def run(bench: Workbench, release: str, **fields: object) -> str:
    request = RunRequest(release=release, retriever="bm25", metrics=["exact_match"], **fields)  # type: ignore[arg-type]
    return str(jobs.start(bench).submit(bench.runs.plan(request)).result()["run"])


def outcomes(bench: Workbench, name: str) -> dict[str, tuple[str, str]]:
    [row] = json.loads(bench.counterfactual.report([name], "json"))["runs"]
    return {pair["of"]: (pair["real"], pair["outcome"]) for pair in row["items"]}


def test_a_system_that_reads_is_right_in_both_worlds(bench: Workbench, tmp_path: Path) -> None:
    fields = program(tmp_path, READER)
    run(bench, "v1", **fields)
    name = run(bench, "cf", **fields)
    assert outcomes(bench, name) == dict.fromkeys(("mill", "brewery", "bakery"), ("gold", "reads"))


def test_a_system_that_answers_from_memory_remembers_and_its_score_falls(bench: Workbench, tmp_path: Path) -> None:
    fields = program(tmp_path, MEMORY)
    real, name = run(bench, "v1", **fields), run(bench, "cf", **fields)
    assert outcomes(bench, name) == dict.fromkeys(("mill", "brewery", "bakery"), ("gold", "remembers"))
    cells = [json.loads(bench.reports.report([one], form="json"))["runs"][0]["cells"] for one in (real, name)]
    means = [next(cell["mean"] for cell in found if cell["metric"] == "exact_match") for found in cells]
    assert means == [1.0, 0.25]  # only the item that was not replaced is still right


def test_a_run_without_its_twin_in_the_real_world_says_so(bench: Workbench, tmp_path: Path) -> None:
    run(bench, "v1", **program(tmp_path, MEMORY))  # another system
    name = run(bench, "cf", **program(tmp_path, READER))
    assert set(outcomes(bench, name).values()) == {(None, "reads")}
    text = bench.counterfactual.report([name])
    assert "no run of the same system" in text
    assert "1 runs on both releases together, and the model needs 10" in text


def test_runs_on_other_releases_are_refused(bench: Workbench, tmp_path: Path) -> None:
    name = run(bench, "v1", **program(tmp_path, READER))
    with pytest.raises(BenchError, match="v1 is not counterfactual: make one with freeze --counterfactual-of"):
        bench.counterfactual.report([name])
    with pytest.raises(BenchError, match="v1 is not counterfactual"):
        bench.counterfactual.find_real("v1")
    with pytest.raises(BenchError, match="needs a run"):
        bench.counterfactual.report([])
    assert bench.counterfactual.find_real("cf") == "v1"


def test_the_table_is_computed_in_the_background_for_a_screen(bench: Workbench, tmp_path: Path) -> None:
    name = run(bench, "cf", **program(tmp_path, READER))
    assert asyncio.run(_wait(bench, name)) == ["Read or remembered", "Rates", "Difficulty of replaced items"]


async def _wait(bench: Workbench, name: str) -> list[str]:
    while (page := bench.counterfactual.page([name]).value) is None:
        await asyncio.sleep(0.05)
    return [table.title for table in page.tables]


def test_results_has_a_view_on_memory_only_for_a_counterfactual_release(bench: Workbench, tmp_path: Path) -> None:
    fields = program(tmp_path, READER)
    real, other = run(bench, "v1", **fields), run(bench, "cf", **fields)
    assert bench.reports.list_special_views([real]) == set()
    assert bench.reports.list_special_views([real, other]) == {"counterfactual"}
