"""Settings of metrics: a run's scores follow the model they name, and its answers and identity do not."""

import json
from pathlib import Path

import pytest

from tests.conftest import Bench
from tests.eval.tiny_model import tiny_model
from tests.openai_server import running
from workbench import Workbench
from workbench import settings as keys
from workbench.evaluate.running.run_request import RunRequest


def test_a_score_follows_its_model_and_nothing_is_scored_twice(bw: Bench, world: dict[str, str], tmp_path: Path) -> None:
    one, other = (tiny_model(tmp_path / name, seed=seed) for name, seed in (("one", 1), ("other", 2)))

    def run(*settings: str) -> tuple[str, int, float | None]:
        words = [word for setting in settings for word in ("--set", setting)]
        done = bw("run", "v1", "--system", "echo", "--metrics", "bertscore,length", *words)
        cells = bw("report", done.json["run"]).json["runs"][0]["cells"]
        mean = next((cell["mean"] for cell in cells if cell["metric"] == "bertscore"), None)
        return done.json["run"], "Scoring" in done.err, mean

    first = run()
    assert first[1] and first[2] is None
    assert run() == (first[0], False, None), "not run, and that is kept"
    scored = run(f"bertscore.model={one}")
    assert scored[0] == first[0] and scored[1] and scored[2] is not None
    assert run(f"bertscore.model={one}") == (first[0], False, scored[2])
    deeper = run(f"bertscore.model={one}", "bertscore.layer=1")
    assert deeper[0] == first[0] and deeper[1]
    assert run(f"bertscore.model={other}")[:2] == (first[0], True)


def test_a_predictions_file_is_scored_with_them_too(bw: Bench, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps({"id": "a", "prediction": "the mill", "answers": ["the mill"]}) + "\n", encoding="utf-8")
    model = tiny_model(tmp_path / "m")
    found = bw("score", path, "--metrics", "bertscore,exact_match", "--set", f"bertscore.model={model}").json
    assert found["items"][0]["bertscore.recall"] > 0.999999 and found["items"][0]["exact_match"] == 1.0


def test_a_setting_that_no_metric_has_or_that_is_not_asked_for_is_one_sentence(bw: Bench, world: dict[str, str]) -> None:
    for settings, metrics, words in (
        ("bertscore.depth=3", "bertscore", "The metric bertscore has no setting 'depth'; it has: layer, model."),
        ("bertscore.layer=3", "length", "belongs to the metric bertscore, which is not requested"),
        ("bleurt.layer=3", "length", "has no setting 'bleurt.layer'"),
    ):
        done = bw("run", "v1", "--system", "echo", "--metrics", metrics, "--set", settings)
        assert done.code == 1 and words in done.sentence


def test_a_setting_that_one_metric_has_needs_no_owner() -> None:
    assert keys.assign_to_metrics({"premise": "strict"}, ["crag_truthfulness", "exact_match"], ()) == {
        "crag_truthfulness.premise": "strict"
    }
    assert keys.assign_to_metrics({"premise": "strict"}, None, ()) == {"crag_truthfulness.premise": "strict"}
    assert keys.assign_to_metrics({"premise": "strict"}, ["exact_match"], ()) == {"premise": "strict"}
    assert keys.assign_to_metrics({"top_k": 3, "agent.rpm": 1}, None, ("top_k",)) == {"top_k": 3, "agent.rpm": 1}


def test_score_takes_a_setting_of_its_one_metric_without_the_metrics_name(bw: Bench, tmp_path: Path) -> None:
    line = {"id": "a", "prediction": "invalid question", "answers": ["invalid question"]}
    (tmp_path / "p.jsonl").write_text(json.dumps(line), encoding="utf-8")
    done = bw("score", tmp_path / "p.jsonl", "--metrics", "crag_truthfulness", "--set", "premise=strict")
    assert done.code == 0, done.err
    wrong = bw("score", tmp_path / "p.jsonl", "--metrics", "exact_match", "--set", "premise=strict")
    assert wrong.code == 1 and "premise" in wrong.sentence
    misspelt = bw("score", tmp_path / "p.jsonl", "--metrics", "exact_match,crag_truthfulness", "--set", "premises=strict")
    assert misspelt.code == 1 and "'premises'; it has: phrases, premise, tokenizer, tokens" in misspelt.sentence


def test_a_paid_run_takes_a_setting_without_the_metrics_name_and_keeps_it_by_name(
    bw: Bench, world: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    with running() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        asked = ("run", "v1", "--system", "echo", "--metrics", "crag_truthfulness", "--judge", "openai:m")
        done = bw(*asked, "--set", "premise=strict")
        assert done.code == 0 and "Before it starts" in done.err, done.err
        several = bw(*asked[:5], "crag_truthfulness,page_recall", *asked[6:], "--set", "tokens=100")
    assert several.code == 1 and "write crag_truthfulness.tokens for one of them" in several.sentence
    job = next(row for row in bw("jobs").json if row["result"] and row["result"]["run"] == done.json["run"])
    assert job["params"]["settings"] == {"crag_truthfulness.premise": "strict"}
    form = RunRequest(release="v1", system="echo", metrics=["crag_truthfulness"], settings={"premise": "strict"})
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        bench.runs.check(form)
