"""`cli.py score` on lines that are wordings of one another: the figures of the query-variation study from the lines alone."""

import json
from pathlib import Path
from typing import Any

from tests.conftest import Bench

BRIDGE, MILL = {"answers": ["Marta Quill"]}, {"answers": ["1902"]}


def written(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def wordings(path: Path) -> Path:
    """Two questions in two kinds more: the bridge's spelling is answered wrong and searches, its rewrite failed; the counts of
    its retriever are 2, 3; the mill has no spelling."""
    return written(
        path,
        {
            "id": "b",
            "prediction": "Marta Quill",
            "question": "Who drew the bridge?",
            "retriever_calls": 2,
            "calls": 2,
            **BRIDGE,
        },
        {
            "id": "b1",
            "parent": "b",
            "kind": "spelling",
            "prediction": "nobody",
            "question": "Who derw the bridge?",
            "retriever_calls": 3,
            "calls": 1,
            **BRIDGE,
        },
        {"id": "b2", "parent": "b", "kind": "human", "prediction": None, "question": "Whose bridge?", **BRIDGE},
        {"id": "m", "prediction": "in 1902", "question": "When did the mill burn?", "retriever_calls": 0, "calls": 1, **MILL},
        {
            "id": "m2",
            "parent": "m",
            "kind": "human",
            "prediction": "in 1902",
            "question": "The fire was when?",
            "retriever_calls": 1,
            "calls": 1,
            **MILL,
        },
    )


def test_robustness_is_told_by_kind_as_worked_by_hand(bw: Bench, tmp_path: Path) -> None:
    found = bw("score", wordings(tmp_path / "w.jsonl"), "--metrics", "in_accuracy").json
    told = found["robustness"]
    assert told["kinds"] == ["original", "spelling", "human"] and (told["items"], told["complete"]) == (2, 1)
    means = {name: {kind: one["mean"] for kind, one in by_kind.items()} for name, by_kind in told["figures"].items()}
    assert means["in_accuracy"] == {"original": 1.0, "spelling": 0.0, "human": 1.0, "all rewrites": 0.5}
    assert means["re_searches"] == {"spelling": 0.5, "human": 1.0, "all rewrites": 0.75}
    assert means["flip"] == {"spelling": 0.0, "human": 1.0, "all rewrites": 0.5} and means["any_flip"] == {"items": 0.5}
    human = told["figures"]["similarity"]["human"]
    assert human["n"] == 1 and abs(human["mean"] - 1.0) < 1e-6, (
        "the mill's answers are the same text; a failed one is not a pair"
    )
    assert told["figures"]["over"]["human"]["mean"] is None and "closed_book" in told["figures"]["over"]["human"]["why"]
    assert any("1 of 5 answers failed (human 1)" in note for note in told["notes"])
    assert found["metrics"]["in_accuracy"]["n"] == 4 and found["metrics"]["in_accuracy"]["failed"] == 1


def test_lines_without_a_kind_have_no_robustness(bw: Bench, tmp_path: Path) -> None:
    path = written(
        tmp_path / "p.jsonl",
        {"id": "b", "prediction": "Marta Quill", **BRIDGE},
        {"id": "b1", "prediction": "x", "parent": "b", **BRIDGE},
    )
    assert "robustness" not in bw("score", path, "--metrics", "in_accuracy").json


def test_two_originals_of_one_question_are_one_sentence_before_anything_is_scored(bw: Bench, tmp_path: Path) -> None:
    path = written(
        tmp_path / "p.jsonl",
        {"id": "b", "prediction": "x", **BRIDGE},
        {"id": "b0", "parent": "b", "kind": "original", "prediction": "x", **BRIDGE},
        {"id": "b1", "parent": "b", "kind": "spelling", "prediction": "x", **BRIDGE},
    )
    said = bw("score", path, "--metrics", "in_accuracy")
    assert said.code == 1 and "second original question of item b" in said.sentence


def test_the_terminal_shows_the_figures_that_have_a_value(bw: Bench, tmp_path: Path) -> None:
    out = bw("score", wordings(tmp_path / "w.jsonl"), "--metrics", "in_accuracy", json_too=False).out
    assert "re_searches                  spelling 0.500 (n=1), human 1.000 (n=1)" in out and "query_loss" not in out
