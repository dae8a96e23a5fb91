"""Absence twins are frozen with a release: its hash covers them, a folder carries them, another workspace takes them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BenchError
from core.ids import Shard, content_hash
from store.releases import absence_twins
from tests.workbench.proven import MILL, open_bought
from workbench import Workbench
from workbench.release.checking import verify_folder


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with open_bought(tmp_path / "w.duckdb") as bench:
        yield bench


def test_a_release_without_twins_keeps_its_hash_and_says_nothing_of_them(bench: Workbench) -> None:
    made = bench.releases.freeze("v1")
    assert made.absence_twins == 0 and "absence_twins" not in bench.releases.get("v1")[0].manifest
    twinned = bench.releases.freeze("v2", absence_share=1.0)
    assert twinned.hash != made.hash and bench.releases.freeze("v1").hash == made.hash
    assert bench.releases.get("working")[0].hash == made.hash


def test_the_manifest_counts_what_got_no_twin_and_the_same_seed_gives_the_same_hash(bench: Workbench) -> None:
    made = bench.releases.freeze("v1", absence_share=1.0)
    assert made.absence_twins == 2 and made.absence_obstacles == {"yes": "general answer"}
    release, content = bench.releases.get("v1")
    rows = [{"item": twin.item, "hash": twin.hash} for twin in content.twins]
    assert release.manifest["absence_twins"] == {
        "share": 1.0,
        "seed": 13,
        "most": 50,
        "obstacles": {"general answer": 1},
        "twins": rows,
    }
    assert [row["item"] for row in rows] == ["brewery", "mill"]
    assert [passage.span.document for passage in content.twins[1].hidden] == [content_hash(MILL)]
    assert bench.releases.freeze("again", absence_share=1.0).hash == made.hash
    assert bench.releases.freeze("other", absence_share=1.0, absence_most=49).hash != made.hash
    bench.releases.freeze("plain")
    assert (bench.releases.diff("v1", "plain").twins, bench.releases.diff("v1", "again").twins) == (["brewery", "mill"], [])
    with pytest.raises(BenchError, match="share of absence twins is 2"):
        bench.releases.freeze("bad", absence_share=2.0)


def test_a_folder_carries_twins_to_another_workspace_and_to_a_shard(bench: Workbench, tmp_path: Path) -> None:
    bench.releases.freeze("v1", absence_share=1.0)
    for form in ("jsonl", "huggingface"):
        bench.releases.export("v1", form, tmp_path / form)
        assert verify_folder(tmp_path / form).ok
    lines = (tmp_path / "jsonl" / "absence.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["absence:brewery", "absence:mill"]
    with Workbench.open(tmp_path / "other.duckdb") as other:
        assert other.releases.import_(tmp_path / "jsonl", "jsonl").release == "v1"
        assert other.releases.verify("v1").ok
        assert other.releases.get("v1")[1].twins == bench.releases.get("v1")[1].twins
    with Workbench.open(tmp_path / "shard.duckdb") as own:
        own.shards.open_release(tmp_path / "jsonl", Shard(0, 2), None)
        manifest = bench.releases.get("v1")[0].manifest
        assert tuple(absence_twins.load(own.database, manifest)) == bench.releases.get("v1")[1].twins


def test_a_changed_or_lost_twin_is_a_problem(bench: Workbench, tmp_path: Path) -> None:
    bench.releases.freeze("v1", absence_share=1.0)
    bench.releases.export("v1", "jsonl", tmp_path / "out")
    file = tmp_path / "out" / "absence.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace('"start": 0', '"start": 1', 1), encoding="utf-8")
    assert any(problem.file == "absence.jsonl" and problem.line == 1 for problem in verify_folder(tmp_path / "out").problems)
    with Workbench.open(tmp_path / "other.duckdb") as other:
        report = other.releases.import_(tmp_path / "out", "jsonl")
        assert report.release is None and "content hash" in report.refused[0].message
    bench.database.write(lambda cursor: cursor.execute("DELETE FROM absence_twin WHERE item = 'mill'"))
    assert [(p.file, p.id) for p in bench.releases.verify("v1").problems] == [("absence", "mill")]


def test_withheld_items_keep_their_twins_at_home(bench: Workbench, tmp_path: Path) -> None:
    bench.releases.freeze("v1", absence_share=1.0, split="dev=0.5,test=0.5")
    splits = {row["id"]: row["split"] for row in bench.releases.get("v1")[0].manifest["items"]}
    bench.releases.export("v1", "jsonl", tmp_path / "out", withhold=["test"])
    file = tmp_path / "out" / "absence.jsonl"
    shown = {json.loads(line)["item"] for line in file.read_text(encoding="utf-8").splitlines()} if file.exists() else set()
    assert shown == {name for name in ("brewery", "mill") if splits[name] != "test"} and len(shown) == 1
