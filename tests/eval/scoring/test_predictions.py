"""A predictions file: broken lines are told by their number, failures are counted, the JSON is the contract's."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from eval.scoring.predictions import read_predictions, score_predictions


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "predictions.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


def line(name: str, prediction: str | None, *answers: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "prediction": prediction, "answers": list(answers), **more}


async def test_failures_are_counted_and_never_zero(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        line("a", "Paris", "Paris"),
        line("b", None, "Rome"),
        line("c", "", "Oslo"),
        line("d", "Bern", "Bern", error="HTTP 500"),
        {"id": "e", "answers": ["Riga"]},
    )
    made = await score_predictions(read_predictions(path), ["exact_match"], language="en")
    figures = made["metrics"]["exact_match"]
    assert (made["n"], figures["mean"], figures["n"], figures["failed"]) == (5, 0.5, 2, 3)
    assert figures["bounds"] == [0.2, 0.8]
    assert [item["exact_match"] for item in made["items"]] == [1.0, None, 0.0, None, None]
    assert made["items"][3]["error"] == "HTTP 500"


async def test_a_broken_line_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    good = [line(f"q{i}", "x", "x") for i in range(1, 10)]
    path = written(tmp_path, *good[:6], '{"id": "q7", "prediction": "x', *good[7:])
    predictions = read_predictions(path)
    assert len(predictions.lines) == 8
    assert predictions.refused[0]["line"] == 7
    assert "Line 7 of predictions.jsonl is not JSON" in predictions.refused[0]["message"]
    made = await score_predictions(predictions, ["token_f1"])
    assert (made["n"], made["metrics"]["token_f1"]["mean"], made["refused"][0]["line"]) == (8, 1.0, 7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "is not a JSON object"),
        ('{"prediction": "x"}', "has no id"),
        ('{"id": "a", "prediction": 3}', "neither text nor null"),
        ('{"id": "a", "answers": [1]}', "not a list of texts"),
        ('{"id": "a", "language": "sv"}', "'sv': known are ar, de, en"),
        ('{"id": "a", "seconds": -1}', "not a number of at least 0"),
        ('{"id": "a", "prediction": NaN}', "NaN, which is not a JSON number"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BenchError, match=message):
        read_predictions(written(tmp_path, text))


def test_a_repeated_id_is_refused_and_a_missing_or_binary_file_is_one_sentence(tmp_path: Path) -> None:
    path = written(tmp_path, line("a", "x"), line("a", "y"))
    assert "repeats the id a" in read_predictions(path).refused[0]["message"]
    with pytest.raises(BenchError, match="cannot be read"):
        read_predictions(tmp_path / "nowhere.jsonl")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BenchError, match="not UTF-8"):
        read_predictions(path)


async def test_each_line_is_scored_in_its_own_language(tmp_path: Path) -> None:
    zh = "大桥于一八九〇年建成"
    english = line("a", "the bridge", "bridge", question="What was built?")
    path = written(tmp_path, english, line("b", zh, zh, question="什么建成了？"))
    made = await score_predictions(read_predictions(path), ["rouge_l"])
    assert made["items"][1]["rouge_l"] == 1.0


async def test_variants_of_one_parent_are_one_cluster_of_the_interval(tmp_path: Path) -> None:
    alone = [line(f"q{i}", "x" if i % 2 else "y", "x") for i in range(20)]
    together = [{**one, "parent": f"p{i % 2}"} for i, one in enumerate(alone)]
    free = await score_predictions(read_predictions(written(tmp_path, *alone)), ["exact_match"])
    bound = await score_predictions(read_predictions(written(tmp_path, *together)), ["exact_match"])
    wide, narrow = bound["metrics"]["exact_match"], free["metrics"]["exact_match"]
    assert wide["mean"] == narrow["mean"] == 0.5
    assert (wide["low"], wide["high"]) == (0.0, 1.0)
    assert 0.2 <= narrow["low"] < 0.5 < narrow["high"] <= 0.8
