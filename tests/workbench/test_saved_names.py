"""Saved agents on the command line: their names work wherever --agent and --judge do."""

import json
from pathlib import Path

from tests.conftest import Bench
from workbench import Workbench


def test_a_saved_name_judges_a_file_of_predictions(bw: Bench, tmp_path: Path) -> None:
    replies = tmp_path / "replies.jsonl"
    replies.write_text('{"text": "{\\"contained\\": 1}"}\n' * 8, encoding="utf-8")
    workspace = tmp_path / "saved.duckdb"
    with Workbench.open(workspace) as bench:
        bench.agent_list.save({"name": "strict", "kind": "scripted", "model": str(replies)})
    predictions = tmp_path / "p.jsonl"
    predictions.write_text(json.dumps({"id": "1", "prediction": "Yes it is.", "answers": ["It is so."]}), encoding="utf-8")
    found = bw("score", predictions, "--metrics", "s_f1", "--judge", "strict", workspace=workspace)
    assert found.code == 0 and found.json["metrics"]["s_f1"]["mean"] == 1.0
    nowhere = tmp_path / "nowhere.duckdb"
    refused = bw("score", predictions, "--metrics", "s_f1", "--judge", "nobody", workspace=nowhere)
    assert not nowhere.exists()
    assert refused.code == 1 and "No agent named 'nobody'" in refused.sentence


def test_a_saved_name_drafts_and_its_items_say_what_it_is(bw: Bench, tmp_path: Path) -> None:
    workspace, replies = tmp_path / "saved.duckdb", tmp_path / "none.jsonl"
    reply = json.dumps({"text": json.dumps({"question": "", "answer": "", "evidence": [], "none": "Nothing here."})})
    replies.write_text(f"{reply}\n" * 8, encoding="utf-8")
    with Workbench.open(workspace) as bench:
        bench.corpus.load_samples()
        bench.agent_list.save({"name": "shy", "kind": "scripted", "model": str(replies)})
    made = bw("draft", "--task", "explicit_factoid", "--domain", "law", "--count", 1, "--agent", "shy", workspace=workspace)
    assert made.code == 0 and made.json["calls"] > 0
    with Workbench.open(workspace) as bench:
        assert bench.database.rows("SELECT DISTINCT agent FROM call") == [(f"scripted:{replies}",)]
