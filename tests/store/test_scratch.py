"""Scratch: what was typed and not submitted comes back, a person's and an item's alone, until it is decided on."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.nouns import Span
from store import items, scratch
from store.database import Database
from store.reviews import decide
from store.scratch import Scratch
from tests.store.sample_items import item, review


@pytest.mark.fault(34)
def test_the_last_words_come_back_after_a_restart(tmp_path: Path) -> None:
    words = Scratch("Ada/b", "a", 1, "Half a sent", "甲\U0001f9ea\n$x", (Span("b2:d", 3, 9),), 12.5)
    with Database.open(tmp_path / "w.duckdb") as database:
        items.add(database, [item("a")])
        scratch.put(database, replace(words, question="Hal"))
        kept = scratch.put(database, words)
    with Database.open(tmp_path / "w.duckdb") as database:
        assert scratch.get(database, "Ada/b", "a") == kept == replace(words, at=kept.at if kept else "")
        assert scratch.of_person(database, "Ada/b") == [kept]


def test_people_and_items_do_not_mix() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("b/c"), item("c")])
        scratch.put(database, Scratch("a", "b/c", 1, "one", ""))
        scratch.put(database, Scratch("a/b", "c", 1, "two", ""))
        found = scratch.get(database, "a", "b/c"), scratch.get(database, "a/b", "c"), scratch.get(database, "a", "c")
        assert [one and one.question for one in found] == ["one", "two", None]


def test_newest_first() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a"), item("b")])
        for n, name in enumerate("ab"):
            scratch.put(database, Scratch("ann", name, 1, "q", "", at=f"2026-01-0{n + 1}"))
        assert [one.item for one in scratch.of_person(database, "ann")] == ["b", "a"]


def test_a_decision_takes_it_away_with_its_own_transaction_and_leaves_that_of_others() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        for person in ("ann", "bo"):
            scratch.put(database, Scratch(person, "a", 1, "mine", ""))
        decide(database, review("k", "a"))
        assert scratch.get(database, "ann", "a") is None and scratch.get(database, "bo", "a") is not None


def test_an_unknown_item_keeps_nothing() -> None:
    with Database.open(":memory:") as database:
        assert scratch.put(database, Scratch("ann", "nowhere", 1, "q", "a")) is None
        assert database.rows("SELECT * FROM scratch") == []
