"""People mark single nuggets in three grades, and the judge of nuggets is held against their marks."""

import shutil
from pathlib import Path

import pytest

import jobs
from core.errors import BenchError
from store.runs import runs
from tests.pages.runs import freeze, run
from tests.waiting import until
from tests.workbench.graded import begin, grade_all
from workbench import Workbench
from workbench.evaluate.grading.calibrations import Calibrations
from workbench.evaluate.grading.grading_desk import GradingSheet
from workbench.evaluate.scoring.human_marks import count_marks_by_judge

OF = "nuggets.offline"


@pytest.fixture(scope="module")
def ready(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples with a run whose answers the offline agent judged by nuggets."""
    path = Path(shutil.copy(samples, tmp_path_factory.mktemp("nuggets") / "w.duckdb"))
    with Workbench.open(path) as bench:
        freeze(bench)
        run(bench, "oracle", "offline", judges=("offline",), metrics=["nuggets"])
        jobs.stop(bench)
    return path


def the_run(bench: Workbench) -> str:
    [one] = runs.list_runs(bench.database)
    return one.id


def table(bench: Workbench) -> Calibrations:
    until(lambda: bench.calibrations.table().is_ready)
    return bench.calibrations.table().value  # type: ignore[return-value]


def mark(shown: GradingSheet) -> str:
    """support if the answer has the nugget's words, else none."""
    claim = shown.claim
    assert claim is not None
    return "support" if claim.sentence.strip(".。") in claim.text else "no support"


def test_nuggets_are_marked_one_by_one_in_three_grades_and_kappa_is_per_nugget(bench: Workbench) -> None:
    one = the_run(bench)
    assert bench.grading.verdicts([one]) == {OF: "offline"}
    for scheme in ("right_wrong", "four_grades"):
        with pytest.raises(BenchError, match=f"Choose a scale: nugget_support for verdicts of {OF}"):
            begin(bench, [one], of=OF, scheme=scheme)
    with pytest.raises(BenchError, match="four grades, or right or wrong"):
        begin(bench, [one], scheme="nugget_support")
    batch = begin(bench, [one], of=OF, scheme="nugget_support", by="", each=20, graders=1)
    shown = bench.grading_desk.load_sheet(batch, f"{batch}/1", "Bob")
    assert [name for name, _ in shown.marks] == ["support", "partial support", "no support"]
    assert shown.claim is not None and (shown.claim.asks, shown.claim.unit) == ("Does the answer contain the nugget?", "Nugget")
    assert shown.claim.text == shown.answer and not shown.claim.passages
    with pytest.raises(BenchError, match="'right' is not a mark of this batch"):
        bench.grading_desk.mark(batch, f"{batch}/1", "Bob", "k", "right")
    assert grade_all(bench, batch, "Ann", mark) == 20
    bench.grading.close_batch(batch, "Lea")
    [system] = bench.grading.result(batch).systems
    assert list(system.counts) == ["support", "partial support", "no support"] and sum(system.counts.values()) == 20
    found = table(bench)
    [line] = found.runs
    assert (line["metric"], line["per"], line["scheme"], line["n"]) == (OF, "nugget", "nugget_support", 20)
    assert list(line["confusion"]) == ["support", "partial support", "no support"] and "value" in line["kappa"]
    assert sum(judge["n"] for judge in found.judges) == 20
    assert all(judge["prompt"].startswith("judge/nuggets.") for judge in found.judges)


def test_a_trace_shows_each_nugget_with_its_importance_and_verdict(bench: Workbench) -> None:
    one = the_run(bench)
    item = next(said.item for said in runs.load_judgements(bench.database, one) if len(said.details["verdicts"]) > 1)
    [record] = bench.traces.judges(one, item, None)
    assert {judged.side for judged in record.sentences} == {"nugget, vital", "nugget, okay"}
    assert {str(judged.value) for judged in record.sentences} <= {"1", "0.5", "0"}
    assert record.prompt.startswith("judge/nuggets.")


def test_a_mark_stays_with_its_nugget_when_people_change_the_set(bench: Workbench) -> None:
    one = the_run(bench)
    batch = begin(bench, [one], of=OF, scheme="nugget_support", by="", each=400, graders=1)
    n = grade_all(bench, batch, "Ann", mark)
    bench.grading.close_batch(batch, "Lea")
    [before] = table(bench).runs
    assert before["n"] == n == before["raw"]["n"]
    marked = sum(count_marks_by_judge(bench.database).values())
    every = [said for said in runs.load_judgements(bench.database, one) if said.metric == OF]
    longest = max(every, key=lambda said: len(said.details["verdicts"]))
    first, *others = longest.details["verdicts"]
    new = [*reversed(others), {**first, "sentence": "A nugget that a person wrote."}]
    changed = longest._replace(version=f"{longest.version} with set 0002", details={**longest.details, "verdicts": new})
    bench.database.write(lambda cursor: runs.insert_judgements(cursor, [changed]))
    assert len(runs.load_newest_judgements(bench.database, one)) == len(runs.load_judgements(bench.database, one)) - 1
    [after] = table(bench).runs
    assert (after["n"], after["raw"]["n"]) == (n - 1, n), "the nugget that was taken out is in no pair, and none is moved"
    counts = [[count for row in line["confusion"].values() for count in row.values()] for line in (before, after)]
    lost = [was - now for was, now in zip(*counts, strict=True)]
    assert sorted(lost) == [0] * 8 + [1]
    assert sum(count_marks_by_judge(bench.database).values()) == marked, "two versions of a judgement are one"
