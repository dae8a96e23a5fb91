"""UnsentEdit: what was typed and not submitted comes back, a person's and an item's alone, until it is decided on."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.nouns import Span, Variant
from store.engine.database import Database
from store.items import items
from store.reviews import rewrites, unsent_edits
from store.reviews.reviews import decide
from store.reviews.unsent_edits import EditedElsewhere, UnsentEdit
from tests.store.sample_items import item, review


@pytest.mark.fault(34)
def test_the_last_words_come_back_after_a_restart(tmp_path: Path) -> None:
    words = UnsentEdit("Ada/b", "a", 1, "Half a sent", "甲\U0001f9ea\n$x", (Span("b2:d", 3, 9),), 12.5)
    with Database.open(tmp_path / "w.duckdb") as database:
        items.add(database, [item("a")])
        unsent_edits.put(database, replace(words, question="Hal"))
        kept = unsent_edits.put(database, words)
    with Database.open(tmp_path / "w.duckdb") as database:
        assert unsent_edits.get(database, "Ada/b", "a") == kept == replace(words, at=kept.at if kept else "")
        assert unsent_edits.list_unsent_edits(database, "Ada/b") == [kept]


def test_people_and_items_do_not_mix() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("b/c"), item("c")])
        unsent_edits.put(database, UnsentEdit("a", "b/c", 1, "one", ""))
        unsent_edits.put(database, UnsentEdit("a/b", "c", 1, "two", ""))
        found = (
            unsent_edits.get(database, "a", "b/c"),
            unsent_edits.get(database, "a/b", "c"),
            unsent_edits.get(database, "a", "c"),
        )
        assert [one and one.question for one in found] == ["one", "two", None]


def test_newest_first() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a"), item("b")])
        for n, name in enumerate("ab"):
            unsent_edits.put(database, UnsentEdit("ann", name, 1, "q", "", at=f"2026-01-0{n + 1}"))
        assert [one.item for one in unsent_edits.list_unsent_edits(database, "ann")] == ["b", "a"]


def test_a_decision_takes_it_away_with_its_own_transaction_and_leaves_that_of_others() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        for person in ("ann", "bo"):
            unsent_edits.put(database, UnsentEdit(person, "a", 1, "mine", ""))
        decide(database, review("k", "a"), pressed=UnsentEdit("ann", "a", 1, "mine", ""))
        assert unsent_edits.get(database, "ann", "a") is None and unsent_edits.get(database, "bo", "a") is not None


@pytest.mark.fault(29)
def test_a_rewrite_ends_what_its_own_tab_kept_and_leaves_the_other_tabs_words() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a", status="accepted")])
        made = Variant("v", "a", 1, "human", "Who, then, is a?", "accepted", "ann", None, {})
        for tab, kept in (("two", True), ("one", False)):
            unsent_edits.put(database, UnsentEdit("ann", "a", 1, "Half a", "", on="rewrite", tab=tab))
            rewrites.add(database, made, tab="one")
            assert (unsent_edits.get(database, "ann", "a", "rewrite") is not None) == kept


@pytest.mark.fault(29)
def test_another_tab_is_told_of_words_that_it_has_not_seen() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        assert unsent_edits.put(database, UnsentEdit("ann", "a", 1, "One", "x", at="1", tab="left"), since="")
        with pytest.raises(EditedElsewhere) as told:
            unsent_edits.put(database, UnsentEdit("ann", "a", 1, "Two", "x", tab="right"), since="")
        assert told.value.theirs.question == "One" == getattr(unsent_edits.get(database, "ann", "a"), "question", None)
        assert unsent_edits.put(database, UnsentEdit("ann", "a", 1, "One", "x", at="1", tab="left"), since=""), "one's own"
        seen = unsent_edits.put(database, UnsentEdit("ann", "a", 1, "Two", "x", at="2", tab="right"), since="1")
        assert seen is not None, "words that it has seen may be replaced"
        with pytest.raises(EditedElsewhere):
            unsent_edits.put(database, UnsentEdit("ann", "a", 1, "One more", "x", at="3", tab="left"), since="1")


@pytest.mark.fault(29)
def test_a_decision_in_one_tab_leaves_the_words_of_another() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a"), item("b")])
        for name in "ab":
            unsent_edits.put(database, UnsentEdit("ann", name, 1, "Half a sen", "x", tab="right"))
        decide(database, review("k1", "a"), pressed=UnsentEdit("ann", "a", 1, "Who is a?", "a", tab="left"))
        decide(database, review("k2", "b"), pressed=UnsentEdit("ann", "b", 1, "Half a sen", "x", tab="left"))
        assert [one.item for one in unsent_edits.list_unsent_edits(database, "ann")] == ["a"], "the same words are decided on"
        decide(database, review("k3", "a"), pressed=UnsentEdit("ann", "a", 1, "Who?", "a", tab="right"))
        assert unsent_edits.list_unsent_edits(database, "ann") == []


@pytest.mark.fault(29, 33)
def test_words_that_come_after_the_decision_on_them_are_part_of_it() -> None:
    with Database.open(":memory:") as database:
        items.add(database, [item("a")])
        decide(database, review("k1", "a"))
        late = UnsentEdit("ann", "a", 1, "Who is", "a")
        assert unsent_edits.put(database, late, key="k1") and unsent_edits.get(database, "ann", "a") is None
        assert unsent_edits.put(database, late, key="k2") and unsent_edits.get(database, "ann", "a") is not None, (
            "another press"
        )
        assert unsent_edits.put(database, UnsentEdit("bo", "a", 1, "Who", "a"), key="k1") and unsent_edits.get(
            database, "bo", "a"
        )


def test_an_unknown_item_keeps_nothing() -> None:
    with Database.open(":memory:") as database:
        assert unsent_edits.put(database, UnsentEdit("ann", "nowhere", 1, "q", "a")) is None
        assert database.rows("SELECT * FROM scratch") == []
