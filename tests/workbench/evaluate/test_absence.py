"""A run on a release with absence twins asks them too: without the evidence, apart from all means, and told in a table."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import jobs
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document
from store.corpus import documents
from store.runs import gathering, runs, twin_traces
from tests.workbench.proven import BREWERY, MILL, open_bought
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest

MEMORY = """
def answer(question, retrieve, ask):
    retrieve(question.query, 3)
    return {"mill": "Ada Quill", "brewery": "Bert Vane"}.get(question.id, "yes")
"""
READER = """
def answer(question, retrieve, ask):
    texts = " ".join(passage["text"] for passage in retrieve(question.query, 3))
    gold = {"mill": "Ada Quill"}.get(question.id, "Bert Vane")
    return gold if gold in texts else "I don't know"
"""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with open_bought(tmp_path / "w.duckdb") as bench:
        bench.releases.freeze("v1", absence_share=1.0)
        jobs.start(bench)
        yield bench
        jobs.stop(bench)


def run(bench: Workbench, **fields: object) -> dict[str, object]:
    request = RunRequest(**({"release": "v1", "retriever": "bm25", "metrics": ["exact_match"]} | fields))  # type: ignore[arg-type]
    result: dict[str, object] = jobs.start(bench).submit(bench.runs.plan(request)).result()
    return result


def program(folder: Path, code: str) -> dict[str, object]:
    (folder / "system.py").write_text(code, encoding="utf-8")
    return {"system": "program", "settings": {"program": str(folder / "system.py")}}


def outcomes(bench: Workbench, ids: Sequence[object]) -> dict[str, tuple[object, ...]]:
    [row] = json.loads(bench.absence.report([str(id_) for id_ in ids], "json"))["runs"]
    return {pair["item"]: (pair["original"], pair["twin"], pair["source"]) for pair in row["items"]}


def test_a_system_that_reads_is_right_on_both_sides_and_no_search_shows_the_evidence(bench: Workbench, tmp_path: Path) -> None:
    result = run(bench, **program(tmp_path, READER))
    assert result["absence"] == {"twins": 2, "answered": 2, "failed": 0, "why": ""}
    assert outcomes(bench, [result["run"]]) == {"mill": ("gold", "refused", None), "brewery": ("gold", "refused", None)}
    own = {trace.item: trace for trace in runs.load_traces(bench.database, str(result["run"]))}
    twins = twin_traces.load_traces(bench.database, str(result["run"]))
    for name, text in (("mill", MILL), ("brewery", BREWERY)):
        [seen] = [{span.document for span in step.spans} for step in own[name].steps if step.kind == "retrieve"]
        [shown] = [[span.document for span in step.spans] for step in twins[name].steps if step.kind == "retrieve"]
        assert content_hash(text) in seen and content_hash(text) not in shown and len(shown) == 3


def test_a_system_that_answers_from_memory_is_shown_as_such(bench: Workbench, tmp_path: Path) -> None:
    result = run(bench, **program(tmp_path, MEMORY))
    assert outcomes(bench, [result["run"]]) == {"mill": ("gold", "gold", "neither"), "brewery": ("gold", "gold", "neither")}
    text = bench.absence.report([str(result["run"])])
    assert "of 2 gold answers without evidence, 0 are in a passage" in text


def test_twins_are_in_no_mean_count_list_or_progress_of_the_run_itself(bench: Workbench, tmp_path: Path) -> None:
    result = run(bench, **program(tmp_path, READER))
    name = str(result["run"])
    assert (result["answered"], result["failed"]) == (3, 0)
    assert len(runs.load_traces(bench.database, name)) == 3 and len(bench.run_exports.list_traces(name)) == 3
    cells = json.loads(bench.reports.report([name], by=["task"], form="json"))["runs"][0]["cells"]
    assert [cell["n"] for cell in cells if cell["metric"] == "exact_match"] == [3]
    [line] = bench.reports.runs("v1")
    assert (line.tally.asked, line.tally.answered) == (3, 3)
    again = run(bench, **program(tmp_path, READER))
    assert (again["run"], again["reused"], again["calls"]) == (name, 3, 0)


def test_a_run_on_the_same_items_without_twins_asks_none(bench: Workbench, tmp_path: Path) -> None:
    bench.releases.freeze("plain")
    result = run(bench, release="plain", **program(tmp_path, READER))
    assert "absence" not in result
    with pytest.raises(BenchError, match="plain has no absence twins"):
        bench.absence.report([str(result["run"])])


def test_twins_of_a_system_from_which_nothing_can_be_hidden_are_not_asked_with_the_reason(bench: Workbench) -> None:
    result = run(bench, system="oracle", retriever=None, agent="offline")
    why = "the run has no retriever, so passages cannot be hidden from the system"
    assert result["absence"] == {"twins": 2, "answered": 0, "failed": 0, "why": why}
    assert why in bench.absence.report([str(result["run"])])
    assert gathering.find_missing(bench.database, str(result["run"])) == (3, 0, [])


def test_unasked_twins_are_missing_answers_of_a_run(bench: Workbench, tmp_path: Path) -> None:
    name = str(run(bench, **program(tmp_path, READER))["run"])
    assert gathering.find_missing(bench.database, name) == (5, 0, [])
    key = twin_traces.name_key(name)
    bench.database.write(lambda cursor: cursor.execute("DELETE FROM trace WHERE run = ? AND item = 'mill'", [key]))
    assert gathering.find_missing(bench.database, name) == (5, 1, ["mill"])
    assert outcomes(bench, [name])["mill"] == ("gold", None, None)
    assert run(bench, **program(tmp_path, READER))["absence"] == {"twins": 2, "answered": 2, "failed": 0, "why": ""}
    assert gathering.find_missing(bench.database, name) == (5, 0, [])


def test_a_passage_that_should_have_been_hidden_is_told_as_a_leak(bench: Workbench, tmp_path: Path) -> None:
    name = str(run(bench, **program(tmp_path, MEMORY))["run"])
    leak = "Quill, Ada: buyer."
    documents.add(bench.database, [Document(content_hash(leak), leak, "Leak")])
    key = twin_traces.name_key(name)
    spans = json.dumps([[content_hash(MILL), 0, len(MILL)]])
    sql = "UPDATE trace SET retrieved = ? WHERE run = ? AND item = 'mill'"
    bench.database.write(lambda cursor: cursor.execute(sql, [spans, key]))
    assert outcomes(bench, [name])["mill"] == ("gold", "gold", "passage")


def test_one_twin_is_shown_with_what_was_hidden_and_what_the_system_got(bench: Workbench, tmp_path: Path) -> None:
    name = str(run(bench, **program(tmp_path, READER))["run"])
    shown = bench.absence.twin(name, "mill")
    assert shown is not None and shown.outcome == "Refused" and shown.trace.answer == "I don't know"
    assert [(passage.title, passage.why) for passage in shown.hidden] == [(MILL[:12], "evidence")]
    assert bench.absence.twin(name, "yes") is None


def test_the_table_is_computed_in_the_background_for_a_screen(bench: Workbench, tmp_path: Path) -> None:
    name = str(run(bench, **program(tmp_path, READER))["run"])
    page = asyncio.run(_wait(bench, name))
    assert page == ["Answers with and without evidence", "Rates"]


async def _wait(bench: Workbench, name: str) -> list[str]:
    while (page := bench.absence.page([name]).value) is None:
        await asyncio.sleep(0.05)
    return [table.title for table in page.tables][:2]


def test_progress_and_estimate_count_twins_apart(bench: Workbench, tmp_path: Path) -> None:
    request = RunRequest(release="v1", system="vanilla", agent="offline", retriever="bm25", metrics=["exact_match"])
    while (estimate := bench.runs.estimate(request).value) is None:
        pass
    assert (estimate.questions, estimate.calls) == (3, 5)
    assert "2 absence twins are asked too: calls, tokens, price and seconds include them, questions do not." in estimate.notes
    job = bench.runs.plan(request)
    jobs.start(bench).submit(job).result()
    progress = bench.runs.progress(job)
    assert (progress.answered, progress.failed, progress.total) == (3, 0, 3)
    assert progress.twins == (2, 2, 0)


def test_an_export_as_parquet_has_twins_in_a_file_of_their_own(bench: Workbench, tmp_path: Path) -> None:
    import pyarrow.parquet

    name = str(run(bench, **program(tmp_path, READER))["run"])
    written = bench.run_exports.write(name, "parquet", tmp_path / "out")
    assert written.files == ["absence.parquet", "answers.parquet", "scores.parquet"] and written.n == 3
    rows = pyarrow.parquet.read_table(tmp_path / "out" / "absence.parquet").to_pylist()
    assert sorted((row["run"], row["item"], row["answer"]) for row in rows) == [
        (name, "brewery", "I don't know"),
        (name, "mill", "I don't know"),
    ]
