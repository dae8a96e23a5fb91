"""--batch and the verbs `batch`: commands leave their requests in files, wait, and go on from the replies to the same end."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.batches import run_batch
from tests.conftest import Bench, Said
from tests.house.documents import find_shown
from tests.house.test_docs import compare_shapes
from tests.openai_replies import completion
from tests.openai_server import Running
from workbench import Workbench

AGENT = "openai:test-model"
PRICES = [word for who in ("agent", "judge") for word in ("--set", f"{who}.price_in=2", "--set", f"{who}.price_out=10")]
RUN = ("run", "v1", "--agent", AGENT, "--judge", AGENT, "--metrics", "token_f1,s_f1,length,calls,tokens", *PRICES)


@pytest.fixture(autouse=True)
def endpoint(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")


@pytest.fixture
def other(bw: Bench, world: dict[str, str], tmp_path: Path) -> Path:
    """A copy of the workspace."""
    path = tmp_path / "other.duckdb"
    assert bw("backup", path).code == 0
    return path


def go_on(bw: Bench, out: Path, most: int = 9, **options: Any) -> tuple[Said, int]:
    """Send and collect until nothing waits; the last collection and the number of rounds."""
    for turn in range(1, most + 1):
        sent = bw("batch", "submit", out, **options)
        assert sent.code == 0
        compare_shapes(find_shown("docs/reference/json-shapes.md", "batch", "submit"), sent.json, "batch submit")
        said = bw("batch", "collect", out, **options)
        if said.code == 0:
            return said, turn
    raise AssertionError(said)


def report(bw: Bench, run: str, workspace: Path | None = None) -> str:
    """The report of a run without its times, which nobody measured in a batch."""
    found = json.loads(bw("report", run, "--format", "json", workspace=workspace).out)
    [run_] = found["runs"]
    assert run_.pop("latency") and (run_.pop("build_seconds") or True)
    return json.dumps(found, ensure_ascii=False)


def test_a_run_through_batch_files_and_in_one_process_give_byte_equal_reports(
    bw: Bench, other: Path, server: Running, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    at_once = bw(*RUN, "--system", "vanilla", workspace=other).json
    asked = server.count()["requests"]
    server.reset()
    waits = bw(*RUN, "--system", "vanilla", "--batch", out)
    assert waits.code == 1 and waits.json["stopped"] == "batch" and waits.json["answered"] == 0
    batch = waits.json["batch"]
    assert (batch["folder"], batch["files"], batch["waiting"]) == (str(out), ["requests.jsonl"], 2)
    assert batch["price_usd"] == pytest.approx(batch["price_now_usd"] / 2)
    assert "2 of 2 questions wait for their batch." in waits.json["message"] and f"batch submit {out}" in waits.json["message"]
    assert bw(*RUN, "--system", "vanilla", "--batch", out).json["batch"]["files"] == []
    said, turns = go_on(bw, out)
    [result] = said.json["jobs"]
    assert (result["stopped"], result["answered"], result["run"], turns) == (None, 2, at_once["run"], 2)
    assert result["cost_usd"] == pytest.approx(at_once["cost_usd"] / 2)
    assert result["calls"] == at_once["calls"] == asked
    count = server.count()
    assert (count["requests"], count["lines"], count["files"]) == (0, asked, 2)
    assert report(bw, at_once["run"]) == report(bw, at_once["run"], other)
    again = bw(*RUN, "--system", "vanilla")
    assert (again.code, again.json["reused"], server.count()["requests"]) == (0, 2, 0)


def test_vllm_run_batch_answers_the_files_and_the_same_command_goes_on(bw: Bench, other: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = (*RUN, "--system", "vanilla", "--batch", out)
    assert bw(*command).code == 1
    run_batch(out / "requests.jsonl", out / "replies.jsonl", lambda asked: (200, completion(asked, 1), {}))
    said = bw("batch", "collect", out, json_too=False)
    assert said.code == 1 and "Replies: 2 taken." in said.err and "new in requests-2.jsonl" in said.out
    away = tmp_path / "elsewhere.jsonl"
    run_batch(out / "requests-2.jsonl", away, lambda asked: (200, completion(asked, 1), {}))
    assert bw("batch", "collect", out, "--replies", away).code == 0
    done, at_once = bw(*command), bw(*RUN, "--system", "vanilla", workspace=other)
    assert done.code == 0 and done.json["stopped"] is None and done.json["run"] == at_once.json["run"]
    scores = [bw("scores", done.json["run"], workspace=path).json for path in (None, other)]
    assert [[row["value"] for row in rows] for rows in scores[:1]] == [[row["value"] for row in rows] for rows in scores[1:]]


def test_a_system_that_asks_in_turns_goes_in_rounds(bw: Bench, other: Path, server: Running, tmp_path: Path) -> None:
    out, system = tmp_path / "out", ("--system", "query_decomposition", "--retriever", "bm25")
    at_once = bw(*RUN, *system, workspace=other).json
    assert bw(*RUN, *system, "--batch", out).code == 1
    said, turns = go_on(bw, out)
    [result] = said.json["jobs"]
    assert (result["run"], result["calls"], result["failed"]) == (at_once["run"], at_once["calls"], 0) and turns == 3
    assert sorted(path.name for path in out.glob("requests*")) == ["requests-2.jsonl", "requests-3.jsonl", "requests.jsonl"]
    assert report(bw, at_once["run"]) == report(bw, at_once["run"], other)


def test_the_command_without_batch_asks_what_waits_at_once(
    bw: Bench, world: dict[str, str], server: Running, tmp_path: Path
) -> None:
    first = bw(*RUN, "--system", "closed_book", "--batch", tmp_path / "out").json
    now = bw(*RUN, "--system", "closed_book")
    assert now.code == 0 and now.json["run"] == first["run"] and server.count()["requests"] == now.json["calls"]
    [job] = [job for job in bw("jobs").json if job["kind"] == "run"]
    assert job["state"] == "done"


@pytest.mark.fault(27)
def test_questions_that_fail_in_their_batch_are_failed_answers_and_the_others_go_on(
    bw: Bench, world: dict[str, str], server: Running, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run = (*RUN, "--system", "closed_book", "--batch", out)
    assert bw(*run).code == 1
    server.script([{"fault": "status", "status": 400, "code": "content_filter", "message": "No.", "contains": "burn"}])
    said, _ = go_on(bw, out)
    [result] = said.json["jobs"]
    assert (result["answered"], result["failed"], result["stopped"]) == (1, 1, None) and "No." in result["first_failure"]


@pytest.mark.fault(27)
def test_agents_without_an_endpoint_and_folders_without_a_batch_are_one_sentence(
    bw: Bench, world: dict[str, str], tmp_path: Path
) -> None:
    offline = bw("run", "v1", "--system", "closed_book", "--agent", "offline", "--batch", tmp_path / "out")
    assert offline.code == 1 and offline.sentence.startswith("--batch needs an agent at an endpoint")
    assert [job["state"] for job in bw("jobs").json] == ["cancelled"], "no job waits that nobody starts"
    for verb in ("submit", "status", "collect"):
        assert bw("batch", verb, tmp_path / "none").sentence.startswith(f"{tmp_path}/none has no batch of this workspace")


def test_drafts_and_variants_wait_and_go_on(bw: Bench, town: Path, server: Running, tmp_path: Path) -> None:
    assert bw("add", town, "--domain", "arts", "--licence", "CC0-1.0").code == 0
    draft = ("draft", "--task", "explicit_factoid", "--domain", "arts", "--count", 1, "--agent", AGENT)
    waits = bw(*draft, "--batch", tmp_path / "drafts")
    assert waits.code == 1 and (waits.json["stopped"], waits.json["drafted"], waits.json["batch"]["waiting"]) == ("batch", 0, 1)
    said, _ = go_on(bw, tmp_path / "drafts")
    [result] = said.json["jobs"]
    assert (result["drafted"], result["stopped"], server.count()["requests"]) == (1, None, 0)
    vary = ("vary", "--kinds", "formality,keyboard", "--status", "drafted", "--agent", AGENT, "--set", "embedding_model=none")
    waits = bw(*vary, "--batch", tmp_path / "variants").json
    assert waits["stopped"] == "batch" and waits["batch"]["waiting"] == 1 and {v["kind"] for v in waits["made"]} == {"keyboard"}
    said, _ = go_on(bw, tmp_path / "variants")
    assert said.json["jobs"][0]["n_made"] + said.json["jobs"][0]["n_refused"] == 2 and server.count()["requests"] == 0


def test_scores_of_a_file_wait_in_a_folder_with_a_ledger_of_its_own(bw: Bench, server: Running, tmp_path: Path) -> None:
    rows = [{"id": f"q{n}", "prediction": f"Ada Quill bought mill {n}.", "answers": ["Ada Quill bought it."]} for n in range(3)]
    file, out = tmp_path / "predictions.jsonl", tmp_path / "out"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    score = ("score", file, "--metrics", "token_f1,s_f1", "--judge", AGENT)
    at_once, asked = bw(*score).json, server.count()["requests"]
    server.reset()
    waits = bw(*score, "--batch", out)
    assert waits.code == 1 and waits.json["stopped"] == "batch" and "wait for a judge's batch" in waits.sentence
    submit = bw("batch", "submit", out, workspace=out / "ledger.duckdb")
    assert submit.json["files"][0]["requests"] == asked
    said = bw("batch", "collect", out, workspace=out / "ledger.duckdb")
    assert (said.code, said.json, server.count()["requests"]) == (0, at_once, 0)
    assert bw(*score, "--batch", out).json == at_once
    offline = bw("score", file, "--metrics", "token_f1", "--batch", tmp_path / "no")
    assert offline.code == 1 and offline.sentence.startswith("--batch needs an agent at an endpoint")


def test_a_folder_has_the_scores_of_one_file(bw: Bench, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for name, code in (("first", "batch"), ("second", None)):
        file = tmp_path / f"{name}.jsonl"
        file.write_text(json.dumps({"id": "q", "prediction": name, "answers": ["Ada"]}) + "\n", encoding="utf-8")
        said = bw("score", file, "--metrics", "s_f1", "--judge", AGENT, "--batch", out)
        assert said.code == 1 and (said.json["stopped"] == code if code else "has the batch for" in said.sentence)


@pytest.mark.parametrize("budget", [None, 0.75], ids=["cut off", "budget"])
def test_a_job_goes_on_though_an_earlier_collect_was_cut_off_or_its_budget_was_met(
    bw: Bench, other: Path, tmp_path: Path, budget: float | None
) -> None:
    out = tmp_path / "out"
    words = ("run", "v1", "--agent", AGENT, "--metrics", "token_f1", *PRICES[:4], "--system", "closed_book")
    priced = bw(*words, "--batch", tmp_path / "priced", workspace=other)
    assert priced.code == 1 and priced.out, priced.err
    price = priced.json["batch"]["price_usd"]
    waits = bw(*words, "--batch", out, *(("--budget", str(price * budget)) if budget else ()))
    assert waits.code == 1 and waits.json["stopped"] == ("budget" if budget else "batch")
    assert bw("batch", "submit", out).code == 0
    if budget is None:
        with Workbench.open(tmp_path / "w.duckdb") as bench:  # takes the replies, and ends before the job goes on
            assert bench.batches.collect(str(out)).has_news
    [job] = bw("batch", "collect", out).json["jobs"]
    assert job["answered"] == (1 if budget else 2)
