"""Nuggets are frozen with a release: its hash covers them, a folder carries them, another workspace and a run take them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.ids import Shard, content_hash
from store.runs import nugget_sets, runs
from store.runs.nugget_sets import Nugget, NuggetSet
from tests.workbench.proven import open_proven
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest
from workbench.release.checking import verify_folder

TEXT = "The mill of Orvel burnt down in 1902. Ada Quill bought the ruin for 4,200 crowns."
GOLD = "It burnt down in 1902. Ada Quill bought the ruin."
ROWS: list[dict[str, Any]] = [
    {"text": "It burnt down in 1902.", "importance": "vital", "evidence": [[content_hash(TEXT), 0, 37]]}
]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    golds = {"mill": (TEXT, GOLD), "ruin": (TEXT.replace("mill", "brewery"), GOLD)}
    with open_proven(tmp_path / "w.duckdb", "What became of the {}?", golds) as bench:
        yield bench


def test_a_release_without_nuggets_keeps_its_hash_and_says_nothing_of_them(bench: Workbench) -> None:
    made = bench.releases.freeze("v1")
    offline = NuggetSet("mill", GOLD, "en", (Nugget("A fact.", "okay"),), "offline", ("p@b2:1",), is_offline=True)
    bench.database.write(lambda cursor: nugget_sets.TABLE.insert_sets(cursor, [offline]))
    again = bench.releases.freeze("again")
    assert made.hash == again.hash and made.nugget_sets == 0, "what the offline agent drafted is not frozen"
    assert "nugget_sets" not in bench.releases.get("v1")[0].manifest


def test_the_hash_covers_the_nuggets_and_a_later_change_leaves_the_release_as_it_is(bench: Workbench) -> None:
    bench.releases.freeze("v1")
    working = bench.releases.get("working")[0].hash
    saved = bench.nuggets.save("mill", ROWS, seen=0, by="Ada")
    made = bench.releases.freeze("v2")
    assert made.nugget_sets == 1 and made.hash != bench.releases.get("v1")[0].hash
    assert bench.releases.get("v2")[0].manifest["nugget_sets"] == [{"item": "mill", "gold": saved.gold, "hash": saved.hash}]
    assert bench.releases.get("working")[0].hash == working, "runs of what is accepted now take the newest nuggets"
    bench.nuggets.save("mill", [{"text": "It burnt."}], seen=1, by="Bob")
    assert [problem for problem in bench.releases.verify("v2").problems if problem.file == "nuggets"] == []
    assert bench.releases.freeze("v3").hash != made.hash
    assert (bench.releases.diff("v1", "v2").nuggets, bench.releases.diff("v2", "v3").nuggets) == (["mill"], ["mill"])
    bench.database.write(lambda cursor: cursor.execute("UPDATE nugget_set SET made_by = 'Eve' WHERE number = 1"))
    assert [p.message for p in bench.releases.verify("v2").problems if p.file == "nuggets"] == ["has other nuggets here."]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_folder_carries_the_nuggets_to_another_workspace(bench: Workbench, form: str, tmp_path: Path) -> None:
    saved = bench.nuggets.save("mill", ROWS, seen=0, by="Ada")
    bench.releases.freeze("v1")
    folder = tmp_path / "out"
    bench.releases.export("v1", form, folder)
    [record] = [json.loads(line) for line in (folder / "nuggets.jsonl").read_text().splitlines()]
    assert record == nugget_sets.encode_set(saved) and "nuggets.jsonl" in (folder / "README.md").read_text()
    assert [p for p in verify_folder(folder).problems if p.file == "nuggets.jsonl"] == []
    with Workbench.open(":memory:") as other:
        other.releases.import_(folder, form)
        came = other.nuggets.card("mill").current
        assert came is not None and came.nuggets == saved.nuggets and came.by == "Ada" and came.is_written
        assert not [p for p in other.releases.verify("v1").problems if p.file == "nuggets"]
        other.releases.import_(folder, form)
        assert len(other.nuggets.card("mill").versions) == 1
    (folder / "nuggets.jsonl").write_text(json.dumps(record | {"by": "Eve"}) + "\nno JSON\n")
    messages = [p.message for p in verify_folder(folder).problems if p.file == "nuggets.jsonl"]
    assert messages == [
        "was changed: its checksum differs.",
        "was changed: its content hash is not in the manifest.",
        "cannot be read (it is not JSON at line 1, character 1).",
        "is missing.",
    ]
    with Workbench.open(":memory:") as other:
        report = other.releases.import_(folder, form)
        assert report.release is None and len([row for row in report.refused if "nuggets.jsonl" in row.message]) == 2


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_line_taken_out_of_an_export_is_missed(bench: Workbench, form: str, tmp_path: Path) -> None:
    for name in ("mill", "ruin"):
        bench.nuggets.save(name, ROWS, seen=0, by="Ada")
    bench.releases.freeze("v1")
    bench.releases.export("v1", form, tmp_path / "out")
    file = tmp_path / "out" / "nuggets.jsonl"
    assert verify_folder(tmp_path / "out").ok
    file.write_text(file.read_text().splitlines(keepends=True)[0])
    problems = [(p.id, p.message) for p in verify_folder(tmp_path / "out").problems if p.file == "nuggets.jsonl"]
    assert problems == [(None, "was changed: its checksum differs."), ("ruin", "is missing.")]
    file.unlink()
    assert [p.id for p in verify_folder(tmp_path / "out").problems if p.id] == ["mill", "ruin"]


def test_a_freeze_and_its_preview_count_the_nuggets_that_only_the_offline_agent_drafted(bench: Workbench) -> None:
    def count() -> tuple[int, int, int, int]:
        preview, made = bench.release_browser.preview(), bench.releases.freeze("v1")
        return preview.nugget_sets, preview.nugget_sets_left_out, made.nugget_sets, made.nugget_sets_left_out

    assert count() == (0, 0, 0, 0)
    offline = NuggetSet("mill", GOLD, "en", (Nugget("A fact.", "okay"),), "offline", ("p@b2:1",), is_offline=True)
    other = replace(offline, answer="Another answer.")
    bench.database.write(lambda cursor: nugget_sets.TABLE.insert_sets(cursor, [offline, other]))
    assert count() == (0, 1, 0, 1)
    assert bench.release_browser.preview(["summary"]).nugget_sets_left_out == 0
    bench.nuggets.save("mill", ROWS, seen=1, by="Ada")
    preview = bench.release_browser.preview()
    assert (preview.nugget_sets, preview.nugget_sets_left_out) == (1, 0)


def test_the_release_shows_the_nuggets_that_it_was_frozen_with(bench: Workbench) -> None:
    saved = bench.nuggets.save("mill", ROWS, seen=0, by="Ada")
    bench.releases.freeze("v1")
    bench.nuggets.save("mill", [{"text": "It burnt."}], seen=1, by="Bob")
    shown = bench.release_browser.item("v1", "mill").nuggets
    assert shown is not None and shown.nuggets == saved.nuggets
    assert bench.release_browser.item("v1", "ruin").nuggets is None


def test_nuggets_of_a_withheld_split_stay_at_home(bench: Workbench, tmp_path: Path) -> None:
    for name in ("mill", "ruin"):
        bench.nuggets.save(name, ROWS, seen=0, by="Ada")
    bench.releases.freeze("v1", split="dev=0.5,test=0.5")
    bench.releases.export("v1", "jsonl", tmp_path / "out", withhold=["test"])
    rows = bench.releases.get("v1")[0].manifest["items"]
    open_ = [row["id"] for row in rows if row["split"] == "dev"]
    file = tmp_path / "out" / "nuggets.jsonl"
    found = [json.loads(line)["item"] for line in file.read_text().splitlines()] if file.is_file() else []
    assert found == open_ and len(open_) < 2
    assert verify_folder(tmp_path / "out").ok


def test_a_run_is_scored_with_the_nuggets_of_its_release(bench: Workbench) -> None:
    bench.nuggets.save("mill", ROWS, seen=0, by="Ada")
    bench.releases.freeze("v1")
    bench.nuggets.save("mill", [{"text": "It burnt."}], seen=1, by="Bob")
    jobs.start(bench)
    asked = RunRequest(release="v1", system="oracle", agent="offline", metrics=["nuggets"], judges=["offline"])
    run = str(jobs.start(bench).submit(bench.runs.plan(asked)).result()["run"])
    jobs.stop(bench)
    said = {j.item: j for j in runs.load_judgements(bench.database, run)}
    assert [one["sentence"] for one in said["mill"].details["verdicts"]] == ["It burnt down in 1902."]
    assert " with set of the release " in said["mill"].version and "release" not in said["ruin"].version
    assert bench.nuggets.card("ruin").current is not None


def test_a_shard_takes_the_nuggets_of_the_folder(bench: Workbench, tmp_path: Path) -> None:
    bench.nuggets.save("mill", ROWS, seen=0, by="Ada")
    bench.releases.freeze("v1")
    bench.releases.export("v1", "jsonl", tmp_path / "out")
    with Workbench.open(":memory:") as shard:
        shard.shards.open_release(tmp_path / "out", Shard(0, 2), None)
        rows = bench.releases.get("v1")[0].manifest["nugget_sets"]
        [found] = nugget_sets.load_frozen(shard.database, rows).values()
        assert found.nuggets[0].text == "It burnt down in 1902." and found.is_written
