"""`import benchwright as bw`: a workspace in Python, alone and through the app; scores without one; documented columns."""

import ast
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import benchwright as bw
from benchwright.frames import COLUMNS
from benchwright.outside_loop import call_outside_loop
from tests.app_server import Serve
from tests.house.documents import ROOT, read_page

SLUICE = ROOT / "samples" / "documents" / "tech.md"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[bw.Workspace]:
    with bw.open(tmp_path / "w.duckdb") as opened:
        yield opened


def fill(bench: bw.Workspace) -> pd.DataFrame:
    """Two accepted items on one document, and the release v1."""
    bench.add(SLUICE, domain="tech", licence="CC0-1.0")
    drafts = bench.draft("explicit_factoid", "tech", 2, seed=1)
    assert [bench.decide(item, "accept", "Ada") for item in drafts["id"]] == ["accepted", "accepted"]
    assert bench.freeze("v1")["items"] == 2
    return drafts


def test_every_frame_has_the_columns_that_the_page_describes(bench: bw.Workspace) -> None:
    drafts = fill(bench)
    added = bench.add(SLUICE)
    run = bench.run("v1", "echo", metrics=["token_f1"])
    other = bench.run("v1", lambda question: "Marta Quill", metrics=["token_f1"])
    report = bench.report(run, other, by=["level"])
    scored = bw.score([{"id": "a", "prediction": "x", "answers": ["x"]}], ["token_f1"])
    frames = {
        "documents": added,
        "items": drafts,
        "reviews": bench.reviews(),
        "runs": bench.runs(),
        "traces": run.traces(),
        "scores": run.scores(),
        "shortcuts": bench.certify("v1", shortcuts=["top_passage"]),
        "sweep": bench.sweep({"release": "v1", "system": "echo", "metrics": ["token_f1"], "factors": {"top_k": [1]}}),
        "cells": report.to_pandas().drop(columns="level"),
        "comparisons": report.comparisons(),
        "metrics": scored.to_pandas(),
    }
    page = read_page("docs/reference/python.md")
    described = {
        name: tuple(re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE))
        for name, table in re.findall(r"^### (\w+)\n(.*?)(?=^### |\Z)", page, flags=re.MULTILINE | re.DOTALL)
    }
    assert {name: tuple(frame.columns) for name, frame in frames.items()} == described
    assert described == {name: tuple(columns) for name, columns in COLUMNS.items()}
    assert list(report.to_pandas().columns)[:4] == ["run", "system", "release", "level"]
    assert all(frame.empty == (name == "documents") for name, frame in frames.items())
    assert frames["traces"]["variant"].tolist() == [None, None] and frames["traces"]["calls"].dtype == "int64"
    assert drafts["level"].tolist() == [1, 1] and frames["runs"]["agent"].tolist() == [None, None]
    assert frames["traces"]["tokens_in"].isna().all() and frames["traces"]["tokens_in"].dtype == "float64"


def test_methods_take_what_the_page_says() -> None:
    page = read_page("docs/reference/python.md")
    import inspect

    named = dict(re.findall(r"^\| `(\w+)\(([^)]*)\)` \|", page, flags=re.MULTILINE))
    public = {name: one for name, one in vars(bw.Workspace).items() if not name.startswith("_") and inspect.isfunction(one)}
    assert set(named) == set(public) - {"close"}
    for name, listed in named.items():
        takes = {parameter.lstrip("*") for parameter in listed.split(", ") if parameter}
        assert takes == set(inspect.signature(public[name]).parameters) - {"self"}, name


def test_a_function_is_run_and_its_failures_are_counted(bench: bw.Workspace) -> None:
    drafts = fill(bench)
    asked: list[str] = []

    def answer(question: Any) -> Any:
        asked.append(f"{question.language} {question.level} {question.domain} {question.task}")
        if question.id == drafts["id"][0]:
            raise ValueError("no idea")
        return {"answer": "Marta Quill", "contexts": ["a passage of no document"], "tokens": 7}

    run = bench.run("v1", answer, metrics=["token_f1"])
    assert asked == ["en 1 tech explicit_factoid"] * 2 and (run.answered, run.failed) == (1, 1)
    traces = run.traces().set_index("item")
    failed, answered = traces.loc[drafts["id"][0]], traces.loc[drafts["id"][1]]
    assert failed["error"] == "ValueError: no idea" and pd.isna(failed["answer"])
    assert answered["answer"] == "Marta Quill" and answered["seconds"] >= 0 and answered["tokens_in"] == 7
    assert run.scores()["item"].tolist() == [drafts["id"][1]]
    assert run.report(by=["domain"]).to_pandas().loc[0, "failed"] == 1


def test_nothing_but_text_is_an_answer() -> None:
    from benchwright.asking import AskedQuestion, ask_once

    fields = {"task": "", "level": None, "domain": "", "language": "en", "inputs": {}, "given": []}
    question = AskedQuestion({"id": "q", "question": "Who?", **fields})
    assert ask_once(lambda q: None, question)["error"] == "The function returned no answer."
    assert ask_once(lambda q: 3, question)["error"] == "The function returned an answer of type int instead of text."
    assert ask_once(lambda q: "", question)["prediction"] == ""


def test_runs_are_compared_in_pairs_of_the_same_questions(bench: bw.Workspace) -> None:
    drafts = fill(bench)
    gold = dict(zip(drafts["question"], drafts["answers"].str[0], strict=True))
    right = bench.run("v1", lambda question: gold[question], metrics=["exact_match"])
    wrong = bench.run("v1", lambda question: "nothing", metrics=["exact_match"])
    [row] = bw.compare(right, wrong).to_dict("records")
    assert (row["a"], row["b"], row["metric"]) == (right.id, wrong.id, "exact_match")
    assert (row["difference"], row["n"], row["wins"]) == (1.0, 2, 2)
    assert bw.compare(wrong, right)["difference"].tolist() == [-1.0]
    planned = bench.next_marks(right, wrong, metric="exact_match")
    assert (planned["verdict"], planned["questions"], sum(one["next"] for one in planned["strata"])) == ("too few", 2, 2)
    assert bench.next_marks(right)["metric"] == ""
    with pytest.raises(bw.BenchError, match="A run cannot be compared with a result of `score`"):
        bw.compare(right, bw.score([{"id": "a", "prediction": "x", "answers": ["x"]}], ["exact_match"]))


def test_a_half_life_check_is_made_and_shown(bench: bw.Workspace, tmp_path: Path) -> None:
    drafts = fill(bench)
    (tmp_path / "page.html").write_text("<p>The sluice.</p>", encoding="utf-8")
    made = bench.check_half_life("v1", pages=tmp_path / "page.html", at="2040-01-01")
    assert made["outcomes"]["not_asked"] == len(drafts) and list(made["reasons"].values()) == [len(drafts)]
    shown = bench.half_life("v1", tolerance=0.2)
    assert (shown["tolerance"], [one["check"] for one in shown["checks"]]) == (0.2, [made["check"]])
    with pytest.raises(bw.BenchError, match="'soon' is not a date"):
        bench.check_half_life("v1", pages=[tmp_path / "page.html"], at="soon")


def test_errors_are_the_sentences_of_the_verbs(bench: bw.Workspace, tmp_path: Path) -> None:
    with pytest.raises(bw.BenchError, match=r"^No release v9 in this workspace"):
        bench.run("v9", "echo")
    with pytest.raises(bw.BenchError, match=r"^argument --status: invalid choice: 'odd'"):
        bench.items(status="odd")
    with pytest.raises(bw.BenchError, match="nowhere"):
        bench.add(tmp_path / "nowhere.md")
    with pytest.raises(bw.BenchError, match="answers every question of the release"):
        bench.run("working", print, sample=3)
    with pytest.raises(bw.BenchError, match="is not UTF-8"):
        bench.decide("one", "accept", "Ad\ud800a")
    assert bench.items().empty and bench.items()["overlap"].dtype == "float64"


def test_the_file_is_free_after_the_end_of_the_with(tmp_path: Path) -> None:
    path = tmp_path / "w.duckdb"
    with bw.open(path) as first:
        command = [sys.executable, "cli.py", "items", "--workspace", str(path)]
        assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 3
        assert not first.is_through_app
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0


@pytest.mark.fault(62)
def test_a_notebook_that_opens_a_workspace_that_the_app_holds_works_through_it(serve: Serve, tmp_path: Path) -> None:
    workspace = tmp_path / "w.duckdb"
    serve(workspace)

    async def work() -> None:  # the loop of a kernel runs while a cell does
        with bw.open(workspace) as bench:
            assert bench.is_through_app and "through the app" in repr(bench)
            drafts = fill(bench)
            run = bench.run("v1", lambda question: "Marta Quill", metrics=["token_f1"])
            assert set(run.traces()["item"]) == set(drafts["id"]) == set(bench.reviews()["item"])
            with pytest.raises(bw.BenchError, match=r"^No release v9 in this workspace"):
                bench.run("v9", "echo")

    asyncio.run(work())


@pytest.mark.fault(62)
def test_a_file_that_another_program_holds_is_named(tmp_path: Path) -> None:
    path = tmp_path / "w.duckdb"
    code = "import benchwright as bw, sys\nwith bw.open(sys.argv[1]): print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout and holder.stdin and holder.stdout.readline() == b"open\n"
        with pytest.raises(bw.WorkspaceHeld):
            bw.open(path)
        holder.stdin.close()


def test_predictions_are_scored_from_records_frames_and_files(tmp_path: Path) -> None:
    records = [
        {"id": "a", "prediction": "Marta Quill", "answers": ["Marta Quill"]},
        {"id": "b", "prediction": None, "answers": ["1902"]},
        {"id": "c", "prediction": "in 1903", "answers": ["1902"]},
    ]
    file = tmp_path / "predictions.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    results = [bw.score(given, ["exact_match"]) for given in (records, pd.DataFrame(records), file, str(file))]
    assert all(result.data == results[0].data for result in results)
    [row] = results[0].to_pandas().to_dict("records")
    assert (row["mean"], row["n"], row["failed"]) == (0.5, 2, 1)
    items = results[0].items().set_index("id")
    assert items["exact_match"].tolist()[::2] == [1.0, 0.0] and pd.isna(items.loc["b", "exact_match"])
    assert items.loc["b", "error"] == "no prediction" and "<table" in results[0]._repr_html_()
    with pytest.raises(bw.BenchError, match="No metric named 'exact_macth'; did you mean exact_match"):
        bw.score(records, ["exact_macth"])


def test_scored_predictions_are_compared_by_id_and_failures_left_out() -> None:
    def score(*answers: str | None) -> bw.ScoredPredictions:
        lines = [{"id": str(n), "prediction": text, "answers": ["yes"]} for n, text in enumerate(answers)]
        return bw.score(lines, ["exact_match", "length"])

    [row] = bw.compare(score("yes", "yes", "no", None), score("no", "yes", None, "yes")).to_dict("records")
    assert (row["metric"], row["n"], row["difference"], row["wins"], row["ties"]) == ("exact_match", 2, 0.5, 1, 1)
    assert row["low"] == 0.0 and row["high"] == 1.0 and 0 < row["p"] <= row["p_corrected"] <= 1
    other = bw.score([{"id": "z", "prediction": "x", "answers": ["x"]}], ["exact_match"])
    with pytest.raises(bw.BenchError, match="The two results have no prediction id in common"):
        bw.compare(score("yes"), other)


def test_variants_of_one_question_count_as_one_for_the_interval() -> None:
    lines = [{"id": str(n), "parent": "q", "prediction": "yes", "answers": ["yes"]} for n in range(4)]
    first = bw.score(lines, ["exact_match"])
    second = bw.score([{**line, "prediction": "no"} for line in lines], ["exact_match"])
    [row] = bw.compare(first, second).to_dict("records")
    assert row["difference"] == 1.0 and pd.isna(row["low"]) and row["why"] == "one cluster: no interval"


def test_all_public_names_are_there_and_typed() -> None:
    assert all(getattr(bw, name) is not None for name in bw.__all__) and set(dir(bw)) == set(bw.__all__)
    tree = ast.parse((ROOT / "benchwright" / "__init__.py").read_text(encoding="utf-8"))
    typed = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if node.col_offset
    }
    assert typed | {"__version__"} == set(bw.__all__)
    with pytest.raises(AttributeError, match="benchwright has no 'sweeeep'"):
        bw.sweeeep  # noqa: B018


def test_importing_it_loads_no_heavy_library() -> None:
    code = "import sys, benchwright; print(sorted({'pandas', 'duckdb', 'streamlit', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_ctrl_c_in_a_notebook_stops_the_work_and_waits_for_its_end() -> None:
    stopping, done = threading.Event(), []

    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        assert stopping.wait(60)
        done.append("the calls in flight")

    async def run_cell() -> None:
        call_outside_loop(work, stopping.set)

    loop = asyncio.new_event_loop()  # asyncio.run would handle Ctrl-C itself
    with pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(run_cell())
    loop.close()
    assert done == ["the calls in flight"]


NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run_from_top_to_bottom(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each cell is run, and the value of its last line is shown, as Jupyter does."""
    monkeypatch.chdir(tmp_path)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4 and all(
        set(cell) >= {"cell_type", "id", "metadata", "source"} for cell in notebook["cells"]
    )
    names: dict[str, Any] = {}
    shown: list[str] = []

    async def work() -> None:  # the loop of a kernel runs while a cell does
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            assert cell["outputs"] == [] and cell["execution_count"] is None, "keep outputs out of the repository"
            tree = ast.parse("".join(cell["source"]))
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, path.name, "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), path.name, "eval"), names)
                shown.append(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))

    asyncio.run(work())
    assert len(shown) >= 4 and sum("<table" in text for text in shown) >= 3


def test_there_are_two_notebooks_and_the_page_names_them() -> None:
    page = read_page("docs/reference/python.md")
    assert len(NOTEBOOKS) == 2 and all(f"`docs/notebooks/{path.name}`" in page for path in NOTEBOOKS)
