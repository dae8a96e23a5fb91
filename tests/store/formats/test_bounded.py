"""A benchmark is read in a process of its own: whatever is in it, this process goes on, and a stop is heard."""

import json
import pickle
import shlex
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from core.cancellation import Cancelled, cancel_when
from core.errors import BenchError
from store.format import Bundle, formats
from store.formats import _bounded
from tests.app_server import ROOT

SENTENCES = 12_000


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """A SQuAD file that takes some seconds to read: each of its paragraphs has thousands of sentences."""
    paragraphs = []
    for n in range(30):
        text = " ".join(f"The house {place} of Orvel was built in {1000 + place} by council {n}." for place in range(SENTENCES))
        qas = [{"id": f"q{n}", "question": "When was house 0 built?", "answers": [{"text": "1000", "answer_start": -1}]}]
        paragraphs.append({"context": text, "qas": qas})
    path = tmp_path / "slow.json"
    path.write_text(json.dumps({"version": "1.1", "data": [{"title": "Orvel", "paragraphs": paragraphs}]}))
    return path


def list_fields(bundle: Bundle) -> dict[str, Any]:
    values = {field.name: getattr(bundle, field.name) for field in fields(bundle)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


@pytest.mark.parametrize("form", ["jsonl", "parquet", "huggingface"])
def test_what_comes_from_the_other_process_is_what_is_read_here(form: str, samples: Path, tmp_path: Path) -> None:
    from workbench import Workbench

    with Workbench.open(samples) as bench:
        bench.releases.export("working", form, tmp_path / "out")
    kind = formats()[form]
    here = list(kind.pieces(tmp_path / "out")) if kind.pieces else [kind.read(tmp_path / "out")] if kind.read else []
    there = list(_bounded.read_bundles(form, tmp_path / "out"))
    assert list(map(list_fields, there)) == list(map(list_fields, here)) and sum(len(bundle.items) for bundle in there) == 40


def test_what_asks_for_too_much_time_or_memory_is_one_sentence(slow: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_bounded, "CPU_SECONDS", 0.01)
    monkeypatch.setattr(_bounded, "BYTES_A_SECOND", 10**12)
    with pytest.raises(BenchError, match=r"slow\.json takes more than 0 seconds of computing to read: split it"):
        list(_bounded.read_bundles("squad", slow))
    monkeypatch.undo()
    monkeypatch.setattr(_bounded, "MEMORY_BYTES", 50_000_000)
    monkeypatch.setattr(_bounded, "MEMORY_PER_BYTE", 0)
    with pytest.raises(BenchError, match=r"slow\.json (takes too much memory to read|is damaged or asks for too much memory)"):
        list(_bounded.read_bundles("squad", slow))
    monkeypatch.undo()
    slow.write_text("{")
    with pytest.raises(BenchError, match=r"^(?!.*broke its reader)"):
        list(_bounded.read_bundles("squad", slow))


def test_a_lower_limit_of_the_shell_stays(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"question": "Q?", "answer": "A", "contexts": [{"text": "A is here.", "gold": true}]}\n')
    path = f"Path({str(tmp_path / 'q.jsonl')!r})"
    read = f"from pathlib import Path; from store.formats import _bounded; print(*_bounded.read_bundles('jsonl', {path}))"
    command = f"ulimit -v {_bounded.MEMORY_BYTES // 1024 - 200_000}; exec {sys.executable} -c {shlex.quote(read)}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0 and "Q?" in done.stdout, done.stderr


def test_a_stop_is_heard_while_a_file_is_read(slow: Path) -> None:
    asked: Counter[str] = Counter()

    def is_over() -> bool:
        asked["times"] += 1
        return asked["times"] > 2

    with cancel_when(is_over), pytest.raises(Cancelled):
        list(_bounded.read_bundles("squad", slow))
    assert asked["times"] == 3 and threading.active_count() < 50


def test_no_object_of_another_kind_is_made_from_what_the_process_sends() -> None:
    with pytest.raises(pickle.UnpicklingError, match="is not a class that a benchmark file may contain"):
        _bounded._CHILDREN._decode(pickle.dumps(Path("x")))
