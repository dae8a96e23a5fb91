"""Label questions and agreement on the command line."""

import json
from pathlib import Path

import pytest

import cli
from core.label_questions import LABEL_ANSWERS
from store.items import items
from store.reviews import reviews
from tests.store.sample_items import item
from workbench import Workbench


@pytest.fixture
def workspace(tmp_path: Path) -> str:
    file = tmp_path / "w.duckdb"
    with Workbench.open(file) as bench:
        items.add(bench.database, [item("a"), item("b")])
    return str(file)


def test_a_question_is_asked_answered_retired_and_measured(workspace: str, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*words: str, code: int = 0) -> str:
        assert cli.main([*words, "--workspace", workspace]) == code
        told = capsys.readouterr()
        return told.out if code == 0 else told.err

    assert "No label questions" in run("labels")
    asked = ("--text", "Which tone?", "--kind", "one", "--choice", "dry", "--choice", "warm", "--required", "--as", "Lea")
    assert json.loads(run("labels", "tone", *asked, "--json")) == {
        "labels": [
            {
                "name": "tone",
                "text": "Which tone?",
                "kind": "one",
                "choices": ["dry", "warm"],
                "top": 0,
                "required": True,
                "tasks": [],
                "retired": False,
                "answers": 0,
            }
        ]
    }
    run("labels", "clarity", "--text", "How clear?", "--kind", "rating", "--top", "5", "--task", "explicit_factoid")
    assert "tone is required" in run("decide", "a", "accept", "--as", "Ada", code=1)
    assert "give NAME=ANSWER" in run("decide", "a", "accept", "--as", "Ada", "--label", "mood=dry", code=1)
    for person, tone in (("Ada", "dry"), ("Bo", "warm")):
        run("decide", "a", "accept", "--as", person, "--label", f"tone={tone}", "--label", "clarity=4")
    with Workbench.open(workspace) as bench:
        assert reviews.load_effective(bench.database, ["a"])[0].details[LABEL_ANSWERS] == {"tone": "dry", "clarity": 4}
    assert "so its kind cannot change" in run("labels", "tone", "--kind", "text", code=1)
    assert "tone  one: dry, warm  (required, retired, of all tasks; 2 answers)" in run("labels", "tone", "--retire")
    assert "clarity  rating 1 to 5  (of explicit_factoid; 2 answers)" in run("labels", "clarity", "--optional")
    assert "accepted" in run("decide", "b", "accept", "--as", "Ada")
    lines = json.loads(run("agreement", "--json"))["lines"]
    assert {one["what"]: one["items"] for one in lines if one["what"].startswith("Label")} == {
        "Label: tone": 1,
        "Label: clarity": 1,
    }
    assert "Label: tone, pairs of one answer, everybody: 0.000" in run("agreement")
    assert "Which label question?" in run("labels", "--text", "x", code=1)
