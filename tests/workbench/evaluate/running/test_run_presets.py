"""CRAG's tasks as runs by name: which pages they search, what they are told of the time, and what stands in their way."""

import bz2
import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.installation import COMMAND
from eval.workflows.answering import date_question_text
from store.engine.database import Database
from store.items import items
from store.runs import runs
from tests.conftest import Bench
from tests.openai_server import running
from tests.store.formats.test_formats_crag import page, record
from workbench import Workbench
from workbench.evaluate.running.questions import build_question
from workbench.evaluate.running.run_presets import PRESETS, apply_preset
from workbench.evaluate.running.run_request import RunRequest

ASKED = RunRequest(release="r", system="", agent="offline")


def html(words: str) -> str:
    return f"<html><body><article><p>{words} It was written for a test of a search over pages.</p></article></body></html>"


def crag_file(path: Path) -> Path:
    """Two questions; the answer of the second stands on its sixth page, and on a page of the first."""
    pages = [page(html(f"Page {n} tells of ferry {n} and harbour {n}."), page_url=f"https://e.test/{n}") for n in range(7)]
    lines = [
        record("q1", query="where is ferry 6?", answer="harbour 6", search_results=pages[5:]),
        record("q2", query="where is ferry 6 now?", answer="harbour 6", search_results=pages),
    ]
    path.write_bytes(bz2.compress("\n".join(map(json.dumps, lines)).encode()))
    return path


def test_the_tasks_are_there_by_name() -> None:
    assert list(PRESETS) == ["crag_task1", "crag_task2", "crag_task3", "crag_open"]


def test_what_is_given_goes_over_what_the_name_stands_for() -> None:
    made = apply_preset(
        "crag_task1", RunRequest(release="r", system="", agent="offline", settings={"top_k": 20}, metrics=["length"])
    )
    assert (made.system, made.retriever, made.metrics) == ("vanilla", "given_pages", ["length"])
    assert made.settings == {"pages": 5, "order": "rank", "top_k": 20}


def test_a_name_that_is_none_is_told_with_those_there_are() -> None:
    with pytest.raises(BenchError, match="crag_task3"):
        apply_preset("crag_task4", ASKED)


def test_a_run_by_name_searches_its_pages_and_no_others(bw: Bench, tmp_path: Path) -> None:
    bw("import", crag_file(tmp_path / "a.jsonl.bz2"), "--format", "crag")
    bw("freeze", "r", "--allow-unlicensed", "a test")

    def found(preset: str) -> dict[str, Any]:
        said = bw("run", "r", "--preset", preset, "--agent", "offline", "--judge", "offline", "--set", "top_k=9")
        assert said.code == 0, said.err
        out = tmp_path / f"{preset}.json"
        assert bw("export-run", said.json["run"], "--format", "promptfoo", out).code == 0
        return {
            str(row["vars"]["question"]): row["response"]["output"] for row in json.loads(out.read_text())["results"]["results"]
        }

    first, every = found("crag_task1"), found("crag_open")
    assert "6" not in first["where is ferry 6 now?"] and "harbour 6" in every["where is ferry 6 now?"]
    assert "harbour 6" in first["where is ferry 6?"]


def test_a_task_without_its_tables_is_refused_before_anything_is_stored(bw: Bench, tmp_path: Path) -> None:
    bw("import", crag_file(tmp_path / "a.jsonl.bz2"), "--format", "crag")
    bw("freeze", "r", "--allow-unlicensed", "a test")
    refused = bw("run", "r", "--preset", "crag_task2", "--agent", "offline")
    assert refused.code == 1 and f"{COMMAND} tables FOLDER" in refused.sentence and "release r" in refused.sentence
    assert bw("jobs").json == []
    with Workbench.open(tmp_path / "w.duckdb") as bench, pytest.raises(BenchError, match="tables FOLDER"):
        bench.runs.estimate(apply_preset("crag_task2", ASKED), wait=30)
    pages = bw("run", "r", "--preset", "crag_task2", "--agent", "offline", "--set", "environment=documents")
    assert pages.code == 0 and pages.json["answered"] == 2, pages.err


def test_a_workflow_that_searches_other_questions_pages_says_so_before_it_starts(bw: Bench, tmp_path: Path) -> None:
    bw("import", crag_file(tmp_path / "a.jsonl.bz2"), "--format", "crag")
    bw("freeze", "r", "--allow-unlicensed", "a test")
    react = ("run", "r", "--system", "react", "--agent", "offline")
    wide, own = bw(*react), bw(*react, "--retriever", "given_pages")
    assert "also those of other questions: add --retriever given_pages" in wide.err and wide.code == 0
    assert "other questions" not in own.err and own.code == 0
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        made = bench.runs.estimate(RunRequest(release="r", system="react", agent="offline"), wait=30).value
    assert made is not None and any("given_pages" in note for note in made.notes)


def test_lookup_tasks_open_the_questions_own_pages_and_no_others(
    bw: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(title: str) -> list[dict[str, Any]]:
        acts = {"fault": "text", "text": f"Thought: I look.\nAction: Search[{title}]", "contains": "where is ferry 6 now?"}
        return [acts | {"times": 1}, {"fault": "text", "text": "Thought: Enough.\nAction: Finish[nowhere]"}]

    titles = [f"Ferry {n}" for n in range(9)]
    pages = [
        page(html(f"Page {n} tells of {title}."), page_url=f"https://e.test/{n}", page_name=title)
        for n, title in enumerate(titles)
    ]
    lines = [
        record("q1", query="where is ferry 8?", answer="8", search_results=pages[7:]),
        record("q2", query="where is ferry 6 now?", answer="6", search_results=pages[:7]),
        record("q3", query="where is no ferry?", answer="9", search_results=[]),
    ]
    path = tmp_path / "a.jsonl.bz2"
    path.write_bytes(bz2.compress("\n".join(map(json.dumps, lines)).encode()))
    bw("import", path, "--format", "crag")
    bw("freeze", "r", "--allow-unlicensed", "a test")
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.tables.load_samples()
    with running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "test-key")

        def seen(preset: str, title: str) -> tuple[str, dict[str, Any]]:
            server.script(look(title))
            done = bw("run", "r", "--preset", preset, "--agent", f"openai:{preset}{title}", "--metrics", "length").json
            assert (done["answered"], done["failed"]) == (3, 0)
            with Database.open(tmp_path / "w.duckdb") as database:
                traces = {trace.item: trace for trace in runs.load_traces(database, done["run"])}
                ids = {item.question: item.id for item in items.load_items(database, traces)}
                config = dict(runs.get(database, done["run"]).config)
            (told,) = [s.text for s in traces[ids["where is ferry 6 now?"]].steps if s.kind == "observation"]
            return told, config

        assert "tells of Ferry 4" in seen("crag_task2", "Ferry 4")[0]
        told, config = seen("crag_task2", "Ferry 6")
        assert told.startswith("There is no page") and "Ferry 6" not in told[30:] and config["of_question"] == ["pages", "time"]
        assert "tells of Ferry 6" in seen("crag_task3", "Ferry 6")[0]
        assert "tells of" not in seen("crag_task3", "Ferry 8")[0], "a page of another question is not offered"


def test_a_run_by_name_is_reported_overall_and_by_every_label(bw: Bench, tmp_path: Path) -> None:
    traps = [
        record("q1", answer="nan", popularity="", domain="finance"),
        record("q2", answer="i don't know", static_or_dynamic="static", search_results=[page("", page_snippet="")]),
        record("q3", answer="at nine and at five", question_type="set", query="when does the ferry of port ellery leave?"),
        record("q4", answer="invalid question", question_type="false_premise", popularity="tail"),
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, traps)))
    assert bw("import", path, "--format", "crag").code == 0
    assert bw("freeze", "r", "--allow-unlicensed", "a test").code == 0
    said = bw("run", "r", "--preset", "crag_task1", "--agent", "offline", "--judge", "offline")
    assert said.code == 0 and (said.json["answered"], said.json["failed"]) == (4, 0)

    def rows(preset: str) -> list[dict[str, Any]]:
        table = bw("report", said.json["run"], "--preset", preset).json["tables"][0]
        return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]

    (judged,) = rows("crag_systems")
    assert (judged["n"], judged["not scored"]) == (4, 0) and judged["missing"] >= 25, "an empty page answers nothing"
    assert judged["accuracy"] + judged["hallucination"] + judged["missing"] == pytest.approx(100)
    slices = {(row["by"], row["value"]): row for row in rows("crag_slices")}
    assert {by for by, _ in slices} == {"Domain", "Dynamism", "Popularity", "Question type"}
    assert {value: row["n"] for (by, value), row in slices.items() if by == "Popularity"} == {"tail": 1, "web": 3}
    for row in slices.values():
        assert row["truthfulness"] == pytest.approx(row["accuracy"] - row["hallucination"])


def test_neither_a_system_nor_a_name_is_wrong_usage(bw: Bench) -> None:
    assert bw("run", "r", "--agent", "offline").code == 2
    assert bw("run", "r", "--preset", "crag_open", "--system", "echo").code == 2


def test_every_system_is_told_when_a_question_is_asked(tmp_path: Path) -> None:
    from store.formats import crag

    (item,) = crag.read(bzipped(tmp_path, record())).items
    met = build_question(item)
    assert (met.now, met.moment) == ("02/28/2024, 08:35:24 PT", "2024-02-28T08:35:24")
    assert date_question_text(met).endswith("\n\nAsked at: 02/28/2024, 08:35:24 PT") and met.fills["now"] == met.now
    assert met.prompt is not None and "now" in met.prompt.inputs


def bzipped(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / "one.jsonl.bz2"
    path.write_bytes(bz2.compress("\n".join(map(json.dumps, records)).encode()))
    return path
