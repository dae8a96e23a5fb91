"""The verbs on comments: who says what, who takes it back, what was typed, and the way to another workspace."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import BenchError
from store.engine.columns import current_time
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions
from workbench import Workbench
from workbench.annotate.desk.desk_data import CommentThread

ITEM = "sample-en-l1-novel-01"


@pytest.fixture
def bench(samples: Path, tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(shutil.copy(samples, tmp_path / "w.duckdb")) as bench:
        yield bench


def seen(bench: Workbench, person: str) -> list[tuple[str, str, bool]]:
    return [(one.person, one.text, one.taken_back) for one in bench.comments.thread(ITEM, person)]


def test_a_thread_is_told_in_order_and_the_same_press_is_one_comment(bench: Workbench) -> None:
    for _ in range(2):
        bench.comments.say("Ada", ITEM, " Is it?\r\nReally ", "k1")
    bench.comments.say("Bo", ITEM, "It is.", "k2")
    assert seen(bench, "Cy") == [("Ada", "Is it?\nReally", False), ("Bo", "It is.", False)]
    with pytest.raises(BenchError, match="same request key as another comment"):
        bench.comments.say("Bo", ITEM, "Something else.", "k1")


def test_while_several_are_wanted_who_has_not_decided_sees_only_their_own(bench: Workbench) -> None:
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "lead", current_time())
    items.add(bench.database, [replace(items.get(bench.database, ITEM), id="draft", status="drafted")])
    for name in ("Ada", "Bo"):
        bench.comments.say(name, "draft", f"{name} speaks.", name)
    assert [one.person for one in bench.comments.thread("draft", "Ada")] == ["Ada"]
    assert bench.reviews.desk("draft", "Cy").comments.thread == bench.comments.thread("draft", "") == []
    bench.reviews.decide("draft", "accept", person="Ada")
    assert [one.person for one in bench.comments.thread("draft", "Ada")] == ["Ada", "Bo"]
    assert [one.person for one in bench.comments.thread("draft", "Bo")] == ["Bo"]


def test_only_its_own_writer_takes_a_comment_back(bench: Workbench) -> None:
    bench.comments.say("Ada", ITEM, "Is it?", "k1")
    with pytest.raises(BenchError, match="Only its writer"):
        bench.comments.take_back("Bo", "k1")
    assert bench.comments.take_back("Ada", "k1") == ITEM
    assert seen(bench, "Bo") == [("Ada", "Is it?", True)]


def test_half_a_comment_is_beside_its_item_for_its_writer_alone(bench: Workbench) -> None:
    bench.comments.keep("Ada", ITEM, 1, "Half a sent")
    assert bench.reviews.desk(ITEM, "Ada").comments.scratch.question == "Half a sent"
    assert bench.reviews.desk(ITEM, "Bo").comments == CommentThread([], None)
    assert bench.reviews.desk(ITEM, "Ada").scratch is None
    bench.comments.say("Ada", ITEM, "Half a sentence.", "k1")
    assert bench.reviews.desk(ITEM, "Ada").comments.scratch is None


@pytest.mark.parametrize(
    ("person", "item", "text", "why"),
    [
        ("", ITEM, "x", "without a name"),
        ("Ada", "nowhere", "x", "No item nowhere"),
        ("Ada", ITEM, " \n", "is empty"),
        ("Ada", ITEM, "x" * 20_001, "at most 20,000"),
        ("Ada", ITEM, "a\0", "no file can store"),
    ],
)
def test_what_is_no_comment_is_told(bench: Workbench, person: str, item: str, text: str, why: str) -> None:
    with pytest.raises(BenchError, match=why):
        bench.comments.say(person, item, text, "k")


def test_comments_go_to_another_workspace_and_back_without_loss(bench: Workbench, samples: Path, tmp_path: Path) -> None:
    bench.comments.say("Ada", ITEM, "Is <b>it</b>?", "k1")
    bench.comments.say("Bo", ITEM, "It is.", "k2")
    bench.comments.take_back("Ada", "k1")
    bench.releases.freeze("v1")
    bench.releases.export("v1", "reviews", tmp_path / "out")
    with Workbench.open(shutil.copy(samples, tmp_path / "two.duckdb")) as other:
        found = other.releases.import_(tmp_path / "out", "reviews")
        assert (found.comments, found.refused) == (2, [])
        assert seen(other, "Cy") == seen(bench, "Cy") == [("Ada", "Is <b>it</b>?", True), ("Bo", "It is.", False)]
        assert other.releases.import_(tmp_path / "out", "reviews").comments == 0
        other.releases.freeze("v1")
        other.releases.export("v1", "reviews", tmp_path / "again")
        assert (tmp_path / "again/comments.jsonl").read_bytes() == (tmp_path / "out/comments.jsonl").read_bytes()


def test_a_line_that_is_no_comment_is_refused_by_its_place(bench: Workbench, tmp_path: Path) -> None:
    bench.comments.say("Ada", ITEM, "Is it?", "k1")
    bench.releases.freeze("v1")
    bench.releases.export("v1", "reviews", tmp_path / "out")
    with (tmp_path / "out/comments.jsonl").open("a") as file:
        file.write('{"id": "k2", "item": "nowhere", "person": "Bo", "at": "2026-01-02T03:04:05+00:00", "text": "x"}\n')
        file.write('{"id": "k3"}\n')
    (tmp_path / "out/manifest.json").unlink()
    messages = [row.message for row in bench.releases.import_(tmp_path / "out", "reviews").refused]
    assert messages == [
        "Line 3 of comments.jsonl has no item.",
        "Line 2 of comments.jsonl is on nowhere, which is not in this workspace: import the items first.",
    ]
