"""The reviews of a release: every decision and every revision, names as they are."""

import json
from pathlib import Path

from store.formats import reviews
from tests.store.released import EVIL, bundle, items


def records(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_decisions_and_revisions_are_told(tmp_path):
    reviews.write(bundle(), tmp_path, frozenset())
    [review] = records(tmp_path / "reviews.jsonl")
    assert (review["item"], review["person"], review["decision"]) == ("i1", "Ada <b>", "accept")
    assert (review["comment"], review["seconds"]) == (EVIL, 12.5)
    assert [(r["revision"], r["by"], r["question"]) for r in records(tmp_path / "revisions.jsonl")] == [
        (1, "offline", "Who made it?"),
        (2, "Ada", items()[0].question),
    ]


def test_words_on_withheld_items_are_left_out(tmp_path):
    reviews.write(bundle(splits={"i1": "dev"}), tmp_path, frozenset({"dev"}))
    [review] = records(tmp_path / "reviews.jsonl")
    assert review["decision"] == "accept" and review["comment"] is None
    assert [r["answers"] for r in records(tmp_path / "revisions.jsonl")] == [None, None]
