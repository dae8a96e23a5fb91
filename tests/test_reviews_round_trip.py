"""Reviews from workspace to workspace: exported, imported and exported again they are the same, and the state follows."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from store.state import differences
from workbench import Workbench

Lines = list[dict[str, Any]]
Take = Callable[[Lines], dict[str, Any]]


@pytest.fixture
def two(samples: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Two workspaces of the same items."""
    return tuple(Path(shutil.copy(samples, tmp_path / name)) for name in ("one.duckdb", "two.duckdb"))  # type: ignore[return-value]


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def decided(bench: Workbench) -> list[str]:
    """Ada and Bo go through the items; the last three are discarded, and the release is frozen."""
    ids = [item["id"] for item in bench.reviews.items()]
    bench.guidelines.save("explicit_factoid", "Ask one thing.", by="Ada")
    for place, id_ in enumerate(ids):
        bench.reviews.decide(id_, "discard", person="Bo", reason="too *easy*, $5")
        if place < len(ids) - 3:
            bench.reviews.decide(id_, "accept", person="Ada")
    bench.releases.freeze("v1")
    return ids


def test_exported_imported_and_exported_again_every_byte_is_the_same(two: tuple[Path, Path], tmp_path: Path) -> None:
    with Workbench.open(two[0]) as bench:
        ids = decided(bench)
        bench.releases.export("v1", "reviews", tmp_path / "out")
    with Workbench.open(two[1]) as other:
        found = other.releases.import_(tmp_path / "out", "reviews")
        assert (found["reviews"], found["already"], found["refused"]) == (2 * (len(ids) - 3), 0, [])
        assert differences(other.database) == []
        for id_ in ids[-3:]:  # what was discarded is in no release, and so in no export
            other.reviews.decide(id_, "discard", person="Cy", reason="too easy")
        other.releases.freeze("v1")
        other.releases.export("v1", "reviews", tmp_path / "again")
        assert tree(tmp_path / "again") == tree(tmp_path / "out")

        repeated = other.releases.import_(tmp_path / "out", "reviews")
        assert (repeated["reviews"], repeated["already"], repeated["refused"]) == (0, 2 * (len(ids) - 3), [])
        assert differences(other.database) == []


def test_what_comes_in_counts_from_now_on(two: tuple[Path, Path], tmp_path: Path) -> None:
    with Workbench.open(two[0]) as bench:
        decided(bench)
        bench.releases.export("v1", "reviews", tmp_path / "out")
    with Workbench.open(two[1]) as other:
        first = other.reviews.items()[0]["id"]
        other.reviews.decide(first, "discard", person="Cy", reason="wrong")
        other.releases.import_(tmp_path / "out", "reviews")
        assert other.reviews.items()[0]["status"] == "accepted"
        assert {one["person"] for one in other.reviews.history(first, "Cy")["decisions"]} == {"Cy", "Ada"}
        assert differences(other.database) == []


def line(item: str, **fields: Any) -> dict[str, Any]:
    return {"id": "r", "item": item, "revision": 1, "person": "Ada", "decision": "discard", "reason": "easy", "comment": "",
            "seconds": 2, "at": "2026-01-02T03:04:05+00:00", "details": {}} | fields  # fmt: skip


@pytest.fixture
def take(two: tuple[Path, Path], tmp_path: Path) -> Take:
    def take(lines: Lines) -> dict[str, Any]:
        path = tmp_path / "mine.jsonl"
        path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
        with Workbench.open(two[0]) as bench:
            found = bench.releases.import_(path, "reviews")
            assert differences(bench.database) == []
            return found

    return take


ITEM = "sample-en-l1-novel-01"


def test_an_unknown_item_is_refused_by_its_line_and_the_others_come_in(take: Take) -> None:
    found = take([line("nowhere", id="a"), line(ITEM, id="b"), line(ITEM, id="c", revision=7)])
    assert found["reviews"] == 1
    assert [(row["line"], row["message"]) for row in found["refused"]] == [
        (1, "Line 1 of mine.jsonl is on nowhere, which is not in this workspace: import the items first."),
        (3, f"Line 3 of mine.jsonl is on revision 7 of {ITEM}, which is at revision 1 here."),
    ]


@pytest.mark.parametrize(("fields", "why"), [
    ({"decision": "undo"}, "neither accept nor discard"), ({"person": " "}, "no usable person"), ({"id": 3}, "no usable id"),
    ({"revision": True}, "no revision"), ({"revision": 0}, "no revision"), ({"seconds": -1}, "seconds that are no number"),
    ({"at": "yesterday"}, "no time"), ({"at": "2026-01-02T03:04:05"}, "no time"), ({"details": []}, "details that are none"),
    ({"details": {"guideline": "new"}}, "details that are none"),
    ({"reason": None}, "its item was withheld"), ({"reason": 5}, "a reason or a comment"),
])  # fmt: skip
@pytest.mark.fault(12)
def test_a_line_that_is_no_review_is_refused(take: Take, fields: dict[str, Any], why: str) -> None:
    found = take([line(ITEM, **fields), line(ITEM, id="good")])
    assert found["reviews"] == 1 and why in found["refused"][0]["message"] and found["refused"][0]["line"] == 1


@pytest.mark.fault(13)
def test_an_id_that_comes_twice_or_belongs_to_another_decision_is_refused(take: Take) -> None:
    found = take([line(ITEM), line(ITEM)])
    assert found["reviews"] == 1 and "repeats the id of line 1" in found["refused"][0]["message"]
    again = take([line(ITEM, person="Bo")])
    assert again["reviews"] == 0 and "another decision here" in again["refused"][0]["message"]


def test_a_file_without_reviews_is_told(two: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    with Workbench.open(two[0]) as bench:
        for path in (tmp_path / "empty.jsonl", tmp_path / "folder"):
            if path.suffix == "":
                path.mkdir()
            with pytest.raises(BenchError, match="holds no reviews"):
                bench.releases.import_(path, "reviews")
