"""Words that are paths start in the folder that the command was given in; without one they stay as typed."""

from pathlib import Path

import pytest

from terminal import paths


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model").mkdir()
    (tmp_path / "replies.jsonl").write_text("")
    return tmp_path


def test_settings_that_are_files_get_a_whole_path(folder):
    given = ["predictions=p.jsonl", "program=a/b.py", "embedding_model=model", "top_k=5"]
    assert paths.settings(folder, given) == {
        "predictions": str(folder / "p.jsonl"),
        "program": str(folder / "a/b.py"),
        "embedding_model": str(folder / "model"),
        "top_k": 5,
    }


def test_names_that_are_no_paths_stay(folder):
    assert paths.settings(folder, ["embedding_model=minilm", "program=3"]) == {"embedding_model": "minilm", "program": 3}
    names = ["offline", "openai:model", "huggingface:org/name", "mine"]
    assert paths.agents(folder, names) == names


def test_an_agent_made_of_a_file_gets_a_whole_path(folder):
    assert paths.agent(folder, "scripted:replies.jsonl") == f"scripted:{folder}/replies.jsonl"
    assert paths.agent(folder, "huggingface:model") == f"huggingface:{folder}/model"
    judge = "scripted:replies.jsonl"
    assert paths.settings(folder, [f"grammar.judge={judge}"]) == {"grammar.judge": f"scripted:{folder}/replies.jsonl"}


def test_in_the_process_itself_every_word_stays_as_typed():
    assert paths.settings(Path(), ["predictions=./p.jsonl"]) == {"predictions": "./p.jsonl"}
    assert paths.agent(Path(), "scripted:./r.jsonl") == "scripted:./r.jsonl"
