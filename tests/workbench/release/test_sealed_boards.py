"""Sealed releases and their boards: what an export tells, what a submitter sees, and what a changed seal or record cannot hide."""

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.errors import BenchError, NotAllowed
from core.ids import canonical_json, content_hash
from core.sealing import chain, commit
from store.format import formats
from store.formats.shipped.verify import verify
from store.releases import board_entries, seals
from workbench import Workbench, actor
from workbench.release.boards import submissions
from workbench.setup.log import LogFilter

SPLIT = "dev=0.25,test=0.75"


@pytest.fixture
def bench(samples: Path, tmp_path: Path) -> Iterator[Workbench]:
    (tmp_path / "w.duckdb").write_bytes(samples.read_bytes())
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        yield bench
        jobs.stop(bench, seconds=0)


@pytest.fixture
def sealed(bench: Workbench) -> Workbench:
    bench.releases.freeze("v1", split=SPLIT, seed=7, sealed=True, open_splits=["dev"])
    return bench


def export(bench: Workbench, folder: Path, form: str = "jsonl") -> Path:
    bench.releases.export("v1", form, folder)
    return folder


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def write_lines(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")


def find_golds(bench: Workbench) -> dict[str, str]:
    """The first gold answer of each sealed item, by its public id."""
    release, content = bench.releases.get("v1")
    seal = seals.find(bench.database, release.hash)
    assert seal is not None
    public = seal.public_ids
    return {public[item.id]: item.answers[0] for item in content.items if item.id in public}


def predict(answers: dict[str, str | None]) -> bytes:
    lines = ({"id": id_, "prediction": answer} for id_, answer in answers.items())
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def submit(bench: Workbench, raw: bytes, person: str = "Zoe", system: str = "mine") -> Any:
    taken = bench.sealed_boards.submit("v1", raw, "p.jsonl", system, person)
    jobs.start(bench).submit(taken.job).result()
    return taken


def test_a_commitment_is_the_sha256_of_three_lines() -> None:
    salt, content = "ab" * 32, {"id": "x", "item": {"answers": ["潮", 'a"b']}}
    lines = f"benchwright-seal-1\n{salt}\n" + '{"id":"x","item":{"answers":["潮","a\\"b"]}}'
    assert commit(salt, content) == "sha256:" + hashlib.sha256(lines.encode()).hexdigest()
    assert chain({"b": 1, "a": ""}) == "sha256:" + hashlib.sha256(b'benchwright-board-1\n{"a":"","b":1}').hexdigest()


def test_a_sealed_export_holds_before_and_after_it_was_opened(sealed: Workbench, tmp_path: Path) -> None:
    folder = export(sealed, tmp_path / "out")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert content_hash(manifest) == sealed.release_browser.find_header("v1").hash and verify(folder)[1] == []
    assert {row["split"] for row in manifest["items"] if "commitment" in row} == {"test"} == set(manifest["seal"]["splits"])
    assert sealed.releases.verify("v1").ok
    hidden = [row for row in read_lines(folder / "items.jsonl") if row.get("withheld")]
    assert hidden and all(not row["answers"] and not row["evidence"] and row["question"] for row in hidden)
    sealed.sealed_boards.open("v1", folder)
    assert verify(folder)[1] == [] and sealed.sealed_boards.verify("v1") == []
    done = subprocess.run([sys.executable, "-I", folder / "verify.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and f"{len(hidden)} items were sealed, and are compared" in done.stdout
    again = export(sealed, tmp_path / "again")
    assert verify(again)[1] == [] and (again / "opened.jsonl").read_bytes() == (folder / "opened.jsonl").read_bytes()
    golds = find_golds(sealed)
    (tmp_path / "p.jsonl").write_bytes(predict(dict(golds)))
    words = [sys.executable, "-I", again / "score.py", tmp_path / "p.jsonl", "--metrics", "exact_match"]
    said = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    assert (said["metrics"]["exact_match"]["n"], said["metrics"]["exact_match"]["mean"]) == (len(golds), 1.0)
