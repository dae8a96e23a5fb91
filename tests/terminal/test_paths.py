"""Words that are paths start in the folder that the command was given in; without one they stay as typed."""

import os
from pathlib import Path

import pytest

from core.errors import BenchError
from terminal import paths
from tests.conftest import Bench


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


def test_a_file_that_a_verb_reads_whole_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link to a device without an end took all memory."""
    monkeypatch.setattr(paths, "MAX_READ_BYTES", 2**20)
    (tmp_path / "zero").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(bytes(2**20))
    assert len(paths.read_bytes(tmp_path, "file")) == 2**20
    for name, sentence in (("zero", "larger than 1 MB"), ("pipe", "a named pipe"), ("none", "No such file")):
        with pytest.raises(BenchError, match=f"^{name} .*{sentence}"):
            paths.read_bytes(tmp_path, name)


@pytest.mark.parametrize(
    "words",
    [
        ("board", "submit", "v1", "big", "--system", "s", "--as", "Z"),
        ("contests", "import", "big"),
        ("gradings", "import", "b", "big", "--as", "Z"),
    ],
)
def test_verbs_refuse_a_large_file_before_they_read_it(
    bw: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr(paths, "MAX_READ_BYTES", 2**20)
    (tmp_path / "big").write_bytes(bytes(2**20 + 1))
    said = bw(*(str(tmp_path / word) if word == "big" else word for word in words))
    assert said.code == 1 and "big is larger than 1 MB" in said.sentence
