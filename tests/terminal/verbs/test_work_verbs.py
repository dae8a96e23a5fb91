"""Verbs for what the pages do: each works on one workspace of samples, through the words of the command line."""

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchwright.frames import COLUMNS
from benchwright.verb_session import VerbCaller
from benchwright.workspace import Workspace
from core.errors import BenchError
from tests.house.documents import find_shown
from tests.house.test_docs import compare_shapes
from tests.openai_server import running

ROOT = Path(__file__).parents[3]
SWEEPS, TABLES = ROOT / "docs" / "examples" / "sweeps", ROOT / "samples" / "tables"


@pytest.fixture(scope="module")
def caller(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VerbCaller]:
    path = tmp_path_factory.mktemp("verbs") / "w.duckdb"
    shutil.copy(samples, path)
    made = VerbCaller(str(path))
    yield made
    made.close()


@pytest.fixture(scope="module")
def run(caller: VerbCaller) -> str:
    """A run of six questions."""
    result: dict[str, Any] = caller.call("run", "working", "--system=echo", "--sample=6")
    return str(result["run"])


def test_a_grid_of_one_file_runs_each_cell_once_and_its_figures_are_shown(caller: VerbCaller) -> None:
    estimate = caller.call("sweeps", "start", str(SWEEPS / "passages.yaml"), "--estimate")
    labels = [cell["label"] for cell in estimate["cells"]]
    assert labels[0] == "chunk_overlap 0, chunk size small" and len(labels) == 4 and estimate["complete"] == 0
    done = caller.call("sweeps", "start", str(SWEEPS / "passages.yaml"))
    assert (done["cells"], done["done"], done["not_run"], done["name"]) == (4, 4, [], "Passages")
    assert all(cell["metrics"]["evidence_recall@1"]["n"] > 0 for cell in done["table"])
    again = caller.call("sweeps", "start", str(SWEEPS / "passages.yaml"))
    assert again["reused"] == 24 and again["runs"] == done["runs"]
    shown = caller.call("sweeps", "show", done["job"])
    assert shown["table"] == done["table"]
    assert caller.call("sweeps", "list")["sweeps"][0]["done"] == 4


def test_the_sweeps_of_crud_rag_come_from_one_file(caller: VerbCaller) -> None:
    estimate = caller.call("sweeps", "start", str(SWEEPS / "crud_rag.yaml"), "--estimate")
    labels = [cell["label"] for cell in estimate["cells"]]
    assert len(labels) == 15 and {"chunk size 64", "overlap 10 %", "retriever rerank", "top-k 10"} <= set(labels)
    assert {cell["questions"] for cell in estimate["cells"]} == {6}


def test_the_matrix_of_r_eval_runs_from_one_file(caller: VerbCaller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "r_eval.yaml"
    file.write_text((SWEEPS / "r_eval.yaml").read_text(encoding="utf-8") + "sample: 2\n", encoding="utf-8")
    caller.call("tables", str(TABLES / "academic"))
    with running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        done = caller.call("sweeps", "start", str(file))
    assert (done["cells"], done["done"], done["not_run"]) == (8, 8, [])
    assert {(cell["at"][0]["system"], cell["at"][0]["agent"]) for cell in done["table"]} == {
        (system, f"openai:model-{end}") for system in ("react", "pal", "dfsdt", "function_calling") for end in "ab"
    }
    assert done["answered"] + done["failed"] == 16


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("- 1", "is not a sweep"),
        ("a: [", "is not YAML at line"),
        ("release: working\nsystem: echo", "needs factors"),
        ("release: working\nfactors: {top_k: [1]}", "needs the field system"),
        ("release: working\nsystem: echo\nfactors: {top_k: 3}", "has no values"),
        ("release: working\nsystem: echo\nfactors: {topk: [3]}", "has the setting 'topk'"),
        ("release: working\nsytem: echo\nfactors: {top_k: [3]}", "no field 'sytem'"),
        ("release: working\nsystem: echo\nseed: x\nfactors: {top_k: [3]}", "is a whole number"),
        ("release: working\npreset: crud_rag\nfactors: {top_k: [3]}", "leave out factors"),
        ("release: working\npreset: nothing", "No sweep preset named"),
        ("release: [a]\nsystem: echo\nfactors: {top_k: [3]}", "list the names under factors"),
    ],
)
def test_a_file_that_is_no_sweep_is_refused_in_a_sentence(caller: VerbCaller, tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "sweep.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BenchError, match=sentence):
        caller.call("sweeps", "start", str(file))


def test_a_batch_goes_out_as_a_blind_table_and_its_marks_come_in(caller: VerbCaller, run: str, tmp_path: Path) -> None:
    batch = caller.call("gradings", "start", run, "--as=Lea", "--graders=1", "--each=2")
    sheet = tmp_path / "sheet.csv"
    caller.call("gradings", "export", batch["id"], str(sheet))
    text = sheet.read_text(encoding="utf-8-sig")
    assert "echo" not in text.splitlines()[0] and run not in text
    with pytest.raises(BenchError, match="exists already"):
        caller.call("gradings", "export", batch["id"], str(sheet))
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == batch["places"] > 0
    filled = tmp_path / "filled.jsonl"
    filled.write_text("".join(json.dumps({"number": row["number"], "mark": "perfect"}) + "\n" for row in rows))
    assert caller.call("gradings", "import", batch["id"], str(filled), "--as=Ann")["stored"] == len(rows)
    with pytest.raises(BenchError, match="is open"):
        caller.call("gradings", "show", batch["id"])
    caller.call("gradings", "close", batch["id"], "--as=Lea")
    shown = caller.call("gradings", "show", batch["id"])
    assert shown["people"] == {"Ann": len(rows)} and shown["systems"][0]["counts"]["perfect"] == len(rows)
    assert caller.call("gradings", "list")["gradings"][0]["closed"] == "Lea"


def test_the_next_answers_to_mark_are_planned_and_started(caller: VerbCaller, run: str) -> None:
    planned = caller.call("gradings", "next", run[:8], "--metric=token_f1", "--size=12")
    assert (planned["verdict"], planned["marked"], planned["batch"]) == ("too few", 0, None)
    assert sum(stratum["next"] for stratum in planned["strata"]) == min(12, planned["questions"]) and not planned["forecast"]
    started = caller.call("gradings", "next", run, "--metric=token_f1", "--size=12", "--start", "--as=Lea")
    batch = caller.call("gradings", "list")["gradings"][0]
    assert batch["id"] == started["batch"] and batch["places"] == min(12, planned["questions"])
    assert caller.call("gradings", "next", run, "--metric=token_f1")["is_open"]
    with pytest.raises(BenchError, match="two different runs"):
        caller.call("gradings", "next", run, "--against", run)


def test_gates_run_on_the_items_that_filters_choose(caller: VerbCaller) -> None:
    item = caller.call("items")[0]["id"]
    done = caller.call("gates", "run", "--gates=evidence,level", f"--item={item}")
    assert done["looked"] == 1 and done["gates"]["evidence"] == {"pass": 1}
    report = caller.call("gates", "report", "--by=task")
    assert {row["gate"] for row in report["findings"]} >= {"evidence", "level"}
    listed = caller.call("gates", "choose", "--gates=closed_book", "--agent=offline", "--samples=2")
    assert listed["chosen"] == {"gates": ["closed_book"], "agents": ["offline"], "samples": 2}
    assert caller.call("gates", "choose", "--default")["chosen"] is None
    with pytest.raises(BenchError, match="no item nothing"):
        caller.call("gates", "run", "--gates=evidence", "--item=nothing")


def test_coverage_and_difficulty_are_printed(caller: VerbCaller, run: str) -> None:
    coverage = caller.call("coverage", "--order=title", "--limit=3")
    assert len(coverage["documents"]) == 3 and coverage["totals"][-1]["with_items"] == 8
    assert coverage["documents"][0]["items"] > 0 and sum(row["items"] for row in coverage["levels"]) <= 40
    before = caller.call("difficulty")
    assert before["metric"] == "token_f1" and sum(row["items"] for row in before["rows"]) > 0
    after = caller.call("difficulty", "--least=0.7", "--system=echo", "--system=vanilla")
    assert (after["least"], after["panel"]) == (0.7, ["echo", "vanilla"])
    with pytest.raises(BenchError, match=r"2 cannot be the lowest .* at which an answer counts as right"):
        caller.call("difficulty", "--least=2")


def test_the_rules_of_the_queue_come_from_a_file_in_the_form_that_is_shown(caller: VerbCaller, tmp_path: Path) -> None:
    file = tmp_path / "queue.yaml"
    file.write_text("overlaps:\n  - {level: 2, wanted: 2, share: 0.5}\nfirst:\n  - {domain: law}\nseed: 3\n")
    shown = caller.call("queue", str(file), "--as=Lea")
    assert shown["overlaps"] == [{"level": 2, "wanted": 2, "share": 0.5}] and shown["first"] == [{"domain": "law"}]
    assert (shown["version"], shown["by"], shown["seed"]) == (1, "Lea", 3)
    assert caller.call("queue")["version"] == 1
    for text, sentence in (
        ("overlaps: [{wanted: x}]", "a whole number"),
        ("overlaps: [{wnated: 2}]", "no field 'wnated'"),
        ("overlaps: 3", "write lists"),
        ("a: [", "not YAML"),
    ):
        file.write_text(text)
        with pytest.raises(BenchError, match=sentence):
            caller.call("queue", str(file), "--as=Lea")
    file.write_text("seed: 0\n")
    assert caller.call("queue", str(file), "--as=Lea")["overlaps"] == []


def test_a_target_is_set_for_a_cell_and_removed(caller: VerbCaller) -> None:
    def find() -> int | None:
        rows = caller.call("targets")["targets"]
        return next(r["target"] for r in rows if (r["task"], r["domain"]) == ("explicit_factoid", "law"))

    caller.call("targets", "12", "--task=explicit_factoid", "--domain=law")
    assert find() == 12
    caller.call("targets", "none", "--task=explicit_factoid", "--domain=law")
    assert find() is None
    with pytest.raises(BenchError, match="whole number or none"):
        caller.call("targets", "many", "--task=explicit_factoid", "--domain=law")


def test_a_decision_is_taken_back_and_items_have_comments(caller: VerbCaller) -> None:
    item = caller.call("items", "--status=accepted")[0]["id"]
    caller.call("decide", item, "discard", "--as=Ann", "--reason=unclear")
    assert caller.call("undo", item, "--as=Ann")[0]["status"] == "accepted"
    thread = caller.call("comment", item, "--as=Ann", "--text=Look at the date.")["comments"]
    assert thread[-1]["text"] == "Look at the date."
    thread = caller.call("comment", item, "--as=Ann", f"--withdraw={thread[-1]['id']}")["comments"]
    assert thread[-1]["taken_back"]


def test_people_decide_between_opinions(caller: VerbCaller, tmp_path: Path) -> None:
    item = caller.call("draft", "--task=explicit_factoid", "--domain=finance", "--count=1", "--agent=offline")["items"][0]["id"]
    file = tmp_path / "queue.yaml"
    file.write_text("overlaps: [{wanted: 2}]\n")
    caller.call("queue", str(file), "--as=Lea")
    caller.call("decide", item, "accept", "--as=Ann")
    caller.call("decide", item, "discard", "--as=Ben", "--reason=unclear")
    assert [one["id"] for one in caller.call("adjudicate", "--as=Lea")] == [item]
    opinions = caller.call("adjudicate", item, "--as=Lea")["opinions"]
    assert {one["decision"] for one in opinions} == {"accept", "discard"} and {one["person"] for one in opinions} == {None}
    with pytest.raises(BenchError, match="more than a pasted page: nothing was stored"):
        caller.call("adjudicate", item, "accept", "--as=Lea", f"--answer={'word ' * 10_000}")
    assert caller.call("adjudicate", item, "discard", "--as=Lea", "--reason=unclear")[0]["status"] == "discarded"
    file.write_text("seed: 0\n")
    caller.call("queue", str(file), "--as=Lea")


def test_a_bulk_action_is_shown_before_it_is_done(caller: VerbCaller) -> None:
    words = ("bulk", "discard", "--as=Lea", "--reason=too easy", "--domain=law", "--level=1")
    before = caller.call(*words)
    assert before["will"] > 0 and caller.call("items", "--domain=law", "--level=1")[0]["status"] == "accepted"
    done = caller.call(*words, "--yes")
    assert done["changed"] == before["will"]
    undone = caller.call("bulk", "undo", "--as=Lea", f"--of={done['job']}", "--yes")
    assert undone["changed"] == before["will"]


def test_documents_change_leave_and_return(caller: VerbCaller, tmp_path: Path) -> None:
    file = tmp_path / "lone.txt"
    file.write_text("A text on which no item stands, about a bridge of three arches.")
    [document] = caller.call("add", str(file))["added"]
    for words in ([], [document["id"], "--unlicensed"]):
        with pytest.raises(BenchError, match="the ids of documents, or --unlicensed"):
            caller.call("documents", "change", *words, "--licence=CC0", "--as=Lea")
    for count in (1, 0):
        changed = caller.call("documents", "change", "--unlicensed", "--licence=CC-BY-4.0", "--as=Lea")["changed"]
        assert changed == {"licence": count}
    changed = caller.call("documents", "change", document["id"], "--licence=CC0", "--domain=law", "--as=Lea")["changed"]
    assert changed == {"licence": 1, "domain": 1}
    assert caller.call("documents", "remove", document["id"], "--as=Lea") == {"removed": 1}
    listed = {row["id"] for row in caller.call("documents", "list")["documents"]}
    assert document["id"] not in listed and len(listed) == 8
    assert caller.call("documents", "restore", document["id"], "--as=Lea") == {"restored": 1}
    assert caller.call("documents", "count")["counted"] == 0


def test_agents_prompts_guidelines_and_rules_have_verbs(caller: VerbCaller, tmp_path: Path) -> None:
    caller.call("agents", "save", "mine", "--model=m", "--url=https://models.example/v1", "--set=price_in=1.5")
    saved = next(card for card in caller.call("agents", "list")["agents"] if card["name"] == "mine")
    assert saved["saved"]["settings"]["price_in"] == 1.5
    caller.call("agents", "remove", "mine")
    with pytest.raises(BenchError, match="No agent is saved"):
        caller.call("agents", "remove", "mine")
    file = tmp_path / "prompt.md"
    file.write_text(caller.call("prompts", "show", "draft/explicit_factoid")["text"].replace("question", "Question", 1))
    version = caller.call("prompts", "save", "draft/explicit_factoid", str(file), "--as=Lea")["version"]
    assert version["number"] == 1
    caller.call("prompts", "use", "draft/explicit_factoid", "delivered", "--as=Lea")
    assert caller.call("prompts", "show", "draft/explicit_factoid")["delivered"]
    file.write_text("Accept what stands in the text.")
    assert caller.call("guidelines", "save", str(file), "--as=Lea")["version"] == 1
    assert caller.call("guidelines", "show")["text"] == "Accept what stands in the text."
    rules = caller.call("rules", "--own-opinions=on", "--rewriters=3", "--weight=simple=2", "--as=Lea")
    assert (rules["own_opinions"], rules["rewriters"], rules["weights"]["simple"]) == (True, 3, 2)


def test_the_models_of_an_endpoint_are_listed(caller: VerbCaller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with running() as server:
        listed = caller.call("agents", "models", server.url)
    assert listed["models"]
    compare_shapes(find_shown("docs/reference/json-shapes.md", "agents", "models"), listed, "agents models")


def test_a_trial_is_started_and_closed(caller: VerbCaller) -> None:
    words = ("--task=explicit_factoid", "--domain=science", "--windows=1", "--agent-a=offline", "--as=Lea")
    with pytest.raises(BenchError, match="Both sides are the same"):
        caller.call("trials", "start", *words, "--agent-b=offline")
    started = caller.call("trials", "start", *words, "--agent-b=recorded")
    assert caller.call("trials", "list")["trials"][0]["id"] == started["trial"]
    with pytest.raises(BenchError, match="is open"):
        caller.call("trials", "show", started["trial"])
    closed = caller.call("trials", "close", started["trial"], "--as=Lea")
    assert set(closed["drafts"]) == {"accepted", "discarded", "queue", "refused", "alike"}
    assert caller.call("trials", "show", started["trial"])["labels"][0].endswith("with offline")


def test_people_leave_and_return_and_roles_end(caller: VerbCaller) -> None:
    caller.call("people", "role", "Boss", "admin")
    caller.call("people", "role", "Rae", "annotator")
    caller.call("people", "remove", "Rae")
    assert next(p for p in caller.call("people", "list")["people"] if p["person"] == "Rae")["has_ended"]
    caller.call("people", "bring-back", "Rae")
    assert not next(p for p in caller.call("people", "list")["people"] if p["person"] == "Rae")["has_ended"]
    caller.call("people", "without-roles")
    assert caller.call("jobs") and caller.call("templates", "list")["seasons"] == []
    with pytest.raises(BenchError, match="is not running, so it cannot be paused"):
        caller.call("jobs", f"--pause={caller.call('jobs')[0]['id']}")


def test_a_sweep_in_python_is_a_frame_of_cells_and_metrics(caller: VerbCaller, monkeypatch: pytest.MonkeyPatch) -> None:
    made = object.__new__(Workspace)
    made._caller = caller
    frame = made.sweep({"release": "working", "system": "echo", "retriever": "bm25", "sample": 6, "factors": {"top_k": [1, 2]}})
    assert list(frame.columns) == list(COLUMNS["sweep"])
    assert set(frame["label"]) == {"top_k 1", "top_k 2", "base"} and set(frame["state"]) == {"done"}
    assert frame.set_index(["label", "metric"]).loc[("top_k 1", "evidence_recall@1"), "n"] > 0
    assert len(made.sweep(SWEEPS / "passages.yaml")["label"].unique()) == 4


def test_a_certificate_is_made_shown_and_left_out_of_a_report(caller: VerbCaller) -> None:
    caller.call("freeze", "certified", "--task=explicit_factoid")
    run = caller.call("run", "certified", "--system=echo", "--metrics=length")["run"]
    with pytest.raises(BenchError, match="has no certificate of its shortcuts"):
        caller.call("report", run, "--without-shortcuts")
    made = caller.call("certificate", "make", "certified", "--probe=top_passage", "--seed=7")
    assert made["stopped"] is None and 0 < made["flagged"] < made["items"]
    shown = caller.call("certificate", "show", "certified", "--by=language")
    assert shown["certificate"] == made["certificate"] and shown["seed"] == 7 and shown["total"] == made["flagged"]
    assert {rate["language"] for rate in shown["rates"]} == {"en", "zh"}
    assert all(item["right_answers"][0]["label"] == "Top passage" for item in shown["flagged"])
    [listed] = caller.call("certificate", "list", "certified")["certificates"]
    assert listed["certificate"] == made["certificate"]
    left_out = caller.call("report", run, "--without-shortcuts")["without_shortcuts"]
    assert (left_out["left_out"], left_out["runs"][0]["n"]) == (made["flagged"], made["items"] - made["flagged"])
    assert caller.call("report", run, "--without-shortcuts", "--probe=top_passage")["without_shortcuts"] == left_out
    with pytest.raises(BenchError, match="give both, or leave out --probe"):
        caller.call("report", run, "--probe=top_passage")
    with pytest.raises(BenchError, match="closed_book asks agents"):
        caller.call("certificate", "make", "certified", "--probe=closed_book")
