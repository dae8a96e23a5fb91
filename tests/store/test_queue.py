"""The queue: drafted items of a kind in the order they came, round and round; and how far a person is."""

from functools import partial

import pytest

from core.nouns import Span
from store.engine.database import Database
from store.items import items
from store.queue import leases, next_item, queue
from store.queue.kind import ItemKind
from store.reviews.own_decisions import load_progress
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
        second_day = partial(load_progress, database, ANY, at="2026-01-02T12:00:00.000+00:00", since="2026-01-02T00:00:00")
        assert second_day("ann") == (1, 0, 0, 1, 0)
        assert second_day("bo") == (1, 0, 0, 0, 0)
        undo(database, "ann", "u")
        assert second_day("ann") == (2, 0, 0, 0, 0)
        both_days = partial(load_progress, database, ANY, at="2026-01-02T12:00:00.000+00:00", since="2026-01-01T00:00:00")
        assert both_days("ann").today == 1


def test_progress_leaves_out_what_others_hold_and_counts_the_document_on_the_desk() -> None:
    at, later = "2026-01-02T12:00:00.000+00:00", "2026-01-02T13:00:00.000+00:00"
    with Database.open(":memory:") as database:
        items.add(database, [item(name, evidence=(Span("b2:x", 3, 9),)) for name in "abcd"])
        assert leases.hold(database, "a", "ann", at=at, minutes=20) is None
        assert leases.assign(database, ["b"], "bo", by="lea", at=at) == ["b"]

        def progress(person: str, kind: ItemKind = ANY, now: str = at) -> tuple[int, int, int]:
            found = load_progress(database, kind, person, at=now, since=at, document="b2:x", item="c")
            return found.left, found.held, found.of_document

        assert progress("cy") == (2, 2, 1) and progress("ann") == (3, 1, 2) == progress("bo")
        assert progress("cy", now=later) == (3, 1, 2), "the hold has ended, and b was given away without an end"
        assert progress("cy", ItemKind(task="none such")) == (0, 0, 1), "the document counts items of any kind"


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
