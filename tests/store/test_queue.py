"""The queue: drafted items of a kind in the order they came, round and round; and how far a person is."""

import pytest

from store.engine.database import Database
from store.items import items
from store.queue import next_item, queue
from store.queue.kind import ItemKind
from store.reviews.reviews import decide
from store.reviews.undo import undo
from tests.store.sample_items import item, review

ANY = ItemKind()


def following(database: Database, after: str | None = None, kind: ItemKind = ANY) -> str | None:
    """The next one for somebody who holds nothing."""
    return next(iter(next_item.list_free_items(database, kind, "ann", "2026-01-01T00:00:00.000+00:00", after)), None)


def test_next_goes_by_the_order_they_came_and_round_again() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item(name, status="accepted" if name == "c" else "drafted") for name in "dcba"])
        assert [following(database, after) for after in (None, "d", "c", "b", "a")] == ["d", "b", "b", "a", "d"]
        for name in "ba":
            decide(database, review(f"k{name}", name))
        assert following(database, "a") == "d" and following(database, "d") is None


def test_a_kind_narrows_it() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a", level="KS"), item("b", level=2, domain="law"), item("c", level=2, language="zh")])
        kinds = [
            ItemKind(level="KS"),
            ItemKind(level=2),
            ItemKind(level=2, domain="general"),
            ItemKind(language="zh"),
            ItemKind(task="nothing"),
        ]
        assert [following(database, kind=kind) for kind in kinds] == ["a", "b", "c", "c", None]
        assert queue.list_choices(database) == {
            "task": ["explicit_factoid"],
            "level": [2, "KS"],
            "domain": ["general", "law"],
            "language": ["en", "zh"],
            "agent": [],
            "flag": [],
        }


@pytest.mark.fault(20)
def test_what_is_filtered_by_is_a_value_and_never_a_query() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        for evil in ("' OR 1=1 --", "%", "1; DROP TABLE state", "(a+)+$", "read_text('/etc/passwd')"):
            for name in ItemKind._fields:
                assert following(database, kind=ItemKind(**{name: evil})) is None, (name, evil)
        assert following(database, "' OR 1=1 --") == "a" and following(database) == "a"


def test_progress_counts_items_decided_and_not_undone() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item(name) for name in "abc"])
        decide(database, review("k1", "a", at="2026-01-01T10:00:00"))
        decide(database, review("k2", "b", at="2026-01-02T10:00:00"))
        decide(database, review("k3", "b", "discard", at="2026-01-02T11:00:00"))
        assert queue.load_progress(database, ItemKind(), "ann", "2026-01-02T00:00:00") == (1, 0, 0, 1)
        assert queue.load_progress(database, ItemKind(), "bo", "2026-01-02T00:00:00") == (1, 0, 0, 0)
        assert queue.load_progress(database, ItemKind(), "bo", "2026-01-02T00:00:00", held=["a", "c"]) == (0, 1, 0, 0)
        undo(database, "ann", "u")
        assert queue.load_progress(database, ItemKind(), "ann", "2026-01-01T00:00:00") == (2, 0, 0, 1)


def test_back_is_the_item_decided_on_before() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item(name) for name in "abcd"])
        for name in "abc":
            decide(database, review(f"k{name}", name))
        assert [queue.find_previous_decision(database, "ann", at) for at in ("d", "c", "b", "a", None)] == [
            "c",
            "b",
            "a",
            None,
            "c",
        ]
        assert queue.find_previous_decision(database, "bo", "d") is None
