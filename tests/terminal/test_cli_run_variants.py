"""`cli.py run --variants`: every wording is asked, once; its trace names it, its failure is its own, and all wordings of an
item are one cluster."""

import json
from pathlib import Path
from typing import Any

import pytest

from store.runs import runs
from tests.conftest import Bench
from workbench import Workbench

REWRITES = ("Which person drew up the plans for the crossing at Orvel?", "The bridge of Orvel goes back to whose design?")


@pytest.fixture
def release(bw: Bench, world: dict[str, str]) -> list[dict[str, Any]]:
    """v2: two items, the first with rewrites by two people; gives the rewrites."""
    made = [
        bw("rewrite", world["Marta Quill"], "--as", who, "--text", text).json[0]
        for who, text in zip(("Ada", "Bo"), REWRITES, strict=True)
    ]
    assert bw("freeze", "v2", "--allow-unlicensed", "a test").json["variants"] == 2
    return made


def predictions(path: Path, lines: dict[str, str | None]) -> Path:
    rows = (json.dumps({"id": id_, "prediction": text}) + "\n" for id_, text in lines.items())
    path.write_text("".join(rows), encoding="utf-8")
    return path


def test_originals_and_variants_are_asked_once_and_traces_name_the_variant(
    bw: Bench, release: list[dict[str, Any]], tmp_path: Path
) -> None:
    asked = ("run", "v2", "--system", "vanilla", "--agent", "offline", "--retriever", "bm25", "--variants")
    first, again = bw(*asked).json, bw(*asked).json
    assert (first["answered"], first["reused"]) == (4, 0)
    assert (again["run"], again["reused"], again["answered"]) == (first["run"], 4, 4)
    plain = bw(*asked[:-1]).json
    assert plain["run"] != first["run"] and plain["answered"] == 2
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        found = [(t.item, t.variant) for t in runs.load_traces(bench.database, first["run"])]
        assert {variant for _, variant in found} == {None, *(one["id"] for one in release)} and len(set(found)) == 4
        query = [
            step.text
            for t in runs.load_traces(bench.database, first["run"])
            if t.variant == release[0]["id"]
            for step in t.steps
            if step.kind == "retrieve" or step.kind == "query"
        ]
        assert any("crossing" in text for text in query) or not any(query), "it searches by the words of the variant"


def test_a_failed_wording_is_missing_and_the_others_count(
    bw: Bench, world: dict[str, str], release: list[dict[str, Any]], tmp_path: Path
) -> None:
    lines = {world["Marta Quill"]: "Marta Quill", release[0]["id"]: None, release[1]["id"]: "nobody", world["1902"]: "1902"}
    ran = bw(
        "run",
        "v2",
        "--system",
        "recorded",
        "--metrics",
        "in_accuracy",
        "--variants",
        "--set",
        f"predictions={predictions(tmp_path / 'p.jsonl', lines)}",
    ).json
    assert (ran["answered"], ran["failed"]) == (3, 1)
    cells = {
        cell["kind"]: cell
        for cell in bw("report", ran["run"], "--by", "kind").json["runs"][0]["cells"]
        if cell["metric"] == "in_accuracy"
    }
    assert (cells["original"]["mean"], cells["original"]["n"], cells["original"]["failed"]) == (1.0, 2, 0)
    assert (cells["human"]["mean"], cells["human"]["n"], cells["human"]["failed"]) == (0.0, 1, 1)


def test_all_wordings_of_an_item_are_one_cluster_of_the_interval(bw: Bench, tmp_path: Path) -> None:
    rows = [
        {"id": id_, "question": f"Who drew the {id_}?", "answer": "Marta Quill", "contexts": [{"text": text, "gold": True}]}
        for id_, text in (("bridge", "Marta Quill drew the bridge."), ("mill", "The mill burnt in 1902."))
    ]
    (tmp_path / "qa.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    bw("import", tmp_path / "qa.jsonl", "--format", "jsonl")
    made = [
        bw("rewrite", "bridge", "--as", who, "--text", text).json[0]["id"]
        for who, text in zip(("Ada", "Bo"), REWRITES, strict=True)
    ]
    bw("freeze", "v2", "--allow-unlicensed", "a test")
    lines: dict[str, str | None] = {"bridge": "Marta Quill", made[0]: "Marta Quill", made[1]: "no", "mill": "no"}
    ran = bw(
        "run",
        "v2",
        "--system",
        "recorded",
        "--metrics",
        "in_accuracy",
        "--variants",
        "--set",
        f"predictions={predictions(tmp_path / 'p.jsonl', lines)}",
    ).json
    cells = bw("report", ran["run"], "--by", "task,kind").json["runs"][0]["cells"]
    human = next(cell for cell in cells if cell["kind"] == "human" and cell["metric"] == "in_accuracy")
    assert (human["mean"], human["n"], human["low"], human["high"]) == (0.5, 2, None, None), "two answers, one item"
    by_task = bw("report", ran["run"], "--by", "task").json["runs"][0]["cells"]
    every = next(cell for cell in by_task if cell["metric"] == "in_accuracy")
    assert (every["mean"], every["n"]) == (0.5, 4)
    assert (every["low"], every["high"]) == (0.0, pytest.approx(2 / 3)), "drawn whole: both, the one or the other item"
