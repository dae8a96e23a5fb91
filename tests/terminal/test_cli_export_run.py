"""export-run: a run as TREC files, an inspect log and promptfoo results, each with the shape that its tool reads."""

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tests.conftest import Bench


@pytest.fixture
def run(bw: Bench, world: dict[str, str]) -> str:
    return str(bw("run", "v1", "--system", "echo", "--retriever", "bm25", "--metrics", "token_f1,s_f1").json["run"])


def test_trec_has_ranks_that_fall_and_a_grade_for_every_gold_span(
    bw: Bench, run: str, world: dict[str, str], tmp_path: Path
) -> None:
    made = bw("export-run", run, "--format", "trec", tmp_path / "t").json
    assert made["files"] == ["qrels.txt", "run.txt"] and made["n"] == 2
    lines = [line.split() for line in (tmp_path / "t/run.txt").read_text().splitlines()]
    judged = [line.split() for line in (tmp_path / "t/qrels.txt").read_text().splitlines()]
    assert all(len(line) == 6 and line[1] == "Q0" and line[5] == run for line in lines)
    assert all(len(line) == 4 for line in judged) and {line[0] for line in judged} == set(world.values())
    first = [line for line in lines if line[0] == world["Marta Quill"]]
    assert [line[3] for line in first] == [str(n + 1) for n in range(len(first))]
    assert [float(line[4]) for line in first] == sorted((float(line[4]) for line in first), reverse=True)
    assert {line[2] for line in judged if line[0] == world["Marta Quill"]} & {line[2] for line in first}


def test_an_inspect_log_has_a_sample_an_answer_and_no_score_where_there_is_none(bw: Bench, run: str, tmp_path: Path) -> None:
    assert bw("export-run", run[:8], "--format", "inspect", tmp_path / "log.json").code == 0
    log = json.loads((tmp_path / "log.json").read_text(encoding="utf-8"))
    assert (log["version"], log["status"], log["results"]["total_samples"]) == (2, "success", 2)
    assert {"task", "dataset", "model", "config", "created"} <= log["eval"].keys()
    sample = log["samples"][0]
    assert {"id", "epoch", "input", "target", "scores"} <= sample.keys() and "token_f1" in sample["scores"]
    assert "s_f1" not in sample["scores"] and "no judge" in sample["metadata"]["unscored"]["s_f1"]
    assert next(s for s in log["results"]["scores"] if s["name"] == "token_f1")["metadata"]["n"] == 2


def test_promptfoo_results_count_answers_and_name_scores(bw: Bench, run: str, tmp_path: Path) -> None:
    assert bw("export-run", run, "--format", "promptfoo", tmp_path / "p.json").code == 0
    found = json.loads((tmp_path / "p.json").read_text(encoding="utf-8"))["results"]
    assert (found["version"], found["stats"]["successes"], found["stats"]["errors"]) == (3, 2, 0)
    row = found["results"][0]
    assert row["response"]["output"] == row["vars"]["question"] and 0 <= row["namedScores"]["token_f1"] <= 1


@pytest.mark.usefixtures("world")
def test_nothing_is_written_over_and_a_run_without_retrieval_is_no_trec(bw: Bench, tmp_path: Path) -> None:
    run = bw("run", "v1", "--system", "echo", "--metrics", "token_f1").json["run"]
    assert "reports no passages" in bw("export-run", run, "--format", "trec", tmp_path / "t").sentence
    assert not (tmp_path / "t").exists()
    (tmp_path / "old.json").write_text("mine", encoding="utf-8")
    assert "already" in bw("export-run", run, "--format", "inspect", tmp_path / "old.json").sentence
    assert (tmp_path / "old.json").read_text(encoding="utf-8") == "mine"
    assert bw("export-run", run, "--format", "csv", tmp_path / "x").code == 2


LOAD = """
import datasets, json, sys
found = {name: datasets.load_dataset("parquet", data_files=f"{sys.argv[1]}/{name}*", split="train") for name in sys.argv[2:]}
print(json.dumps({name: rows.to_list() for name, rows in found.items()}))
"""


def test_results_as_parquet_shards_are_read_by_duckdb_and_datasets_without_us(bw: Bench, run: str, tmp_path: Path) -> None:
    whole = bw("export-run", run, "--format", "parquet", tmp_path / "one").json
    assert whole["files"] == ["answers.parquet", "scores.parquet"] and whole["n"] == 2
    several = bw("export-run", run, "--format", "parquet", "--rows-per-file", "1", tmp_path / "several").json
    assert several["files"][:2] == ["answers-00000-of-00002.parquet", "answers-00001-of-00002.parquet"]
    for name in ("answers", "scores"):
        one, some = (duckdb.sql(f"FROM '{tmp_path}/{folder}/{name}*.parquet'").fetchall() for folder in ("one", "several"))
        assert one == some and len(one) >= 2
    home = {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "HOME": str(tmp_path)}
    command = [sys.executable, "-c", LOAD, str(tmp_path / "several"), "answers", "scores"]
    done = subprocess.run(command, env=home, cwd=tmp_path, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    traces = {trace["item"]: trace for trace in bw("traces", run).json}
    assert {row["item"]: row["answer"] for row in found["answers"]} == {name: t["answer"] for name, t in traces.items()}
    assert {row["metric"] for row in found["scores"]} == {"token_f1", "s_f1"} and found["answers"][0]["retrieved"]
    refused = bw("export-run", run, "--format", "trec", "--rows-per-file", "1", tmp_path / "t").sentence
    assert "works only with the format parquet" in refused
