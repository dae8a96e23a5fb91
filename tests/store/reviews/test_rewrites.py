"""Which accepted item wants a rewrite next, and what is stored of one."""

import pytest

from core.nouns import Variant
from store.engine.database import Database
from store.engine.opening import IN_MEMORY
from store.items import items
from store.queue.kind import ItemKind
from store.reviews import rewrites, unsent_edits
from store.reviews.unsent_edits import UnsentEdit
from store.variants import variants
from tests.store.sample_items import item

ANY = ItemKind()


@pytest.fixture
def database():
    with Database.open(IN_MEMORY) as database:
        items.add(database, [item(name, status="accepted", level=n + 1) for n, name in enumerate("abc")])
        items.add(database, [item("draft")])
        yield database


def variant(id: str, of: str, person: str, **fields) -> Variant:
    return Variant(
        **{"id": id, "item": of, "revision": 1, "kind": "human", "text": id, "status": "accepted", "generator": person} | fields
    )


def test_an_item_waits_until_enough_people_wrote_and_never_for_the_same_person_twice(database):
    assert rewrites.find_next_item(database, ANY, "Ada", 2) == "a"
    rewrites.add(database, variant("1", "a", "Ada"))
    assert [rewrites.find_next_item(database, ANY, who, 2) for who in ("Ada", "Bo")] == ["b", "a"]
    rewrites.add(database, variant("2", "a", "Bo"))
    assert rewrites.find_next_item(database, ANY, "Cy", 2) == "b"
    assert rewrites.count(database, ANY, "Cy", 2) == (2, 0) and rewrites.count(database, ANY, "Ada", 2) == (2, 1)


def test_two_rewrites_of_one_person_are_one_person(database):
    variants.add(database, [variant("1", "a", "Ada"), variant("2", "a", "Ada")])
    assert rewrites.find_next_item(database, ANY, "Bo", 2) == "a"


def test_a_second_rewrite_of_one_person_is_not_stored_and_the_same_words_are_the_first(database):
    first = rewrites.add(database, variant("1", "a", "Ada", text="Who was it?")).variant
    assert rewrites.add(database, variant("2", "a", " ada", text="Which one?")) == (None, False, first)
    assert rewrites.add(database, variant("3", "a", "Ada", text="Who  was it?")) == (first, True, None)
    assert [one.id for one in variants.list_variants(database)] == ["1"]
    assert rewrites.add(database, variant("4", "a", "Bo")).variant and rewrites.add(database, variant("5", "b", "Ada")).variant


def test_what_was_discarded_generated_or_of_an_old_revision_does_not_count(database):
    variants.add(
        database,
        [
            variant("1", "a", "Ada", status="discarded"),
            variant("2", "a", "Ada", kind="spelling"),
            variant("3", "a", "Ada", revision=7),
        ],
    )
    assert rewrites.find_next_item(database, ANY, "Ada", 1) == "a"
    assert [v.id for v in rewrites.load_rewrites(database, "a", 1)] == ["1"]


def test_the_queue_goes_round_and_keeps_to_the_kind(database):
    assert [rewrites.find_next_item(database, ANY, "Ada", 2, at) for at in "abc"] == ["b", "c", "a"]
    assert rewrites.find_next_item(database, ItemKind(level=2), "Ada", 2) == "b"
    assert rewrites.find_next_item(database, ItemKind(level=2), "Ada", 2, "b") is None


def test_a_stored_rewrite_takes_its_scratch_with_it_and_no_other(database):
    unsent_edits.put(database, UnsentEdit("Ada", "a", 1, "half", "", on="rewrite"))
    unsent_edits.put(database, UnsentEdit("Ada", "a", 1, "an edit", "b"))
    assert [one.question for one in unsent_edits.list_unsent_edits(database, "Ada")] == ["an edit"]
    first = rewrites.add(database, variant("1", "a", "Ada"))
    assert unsent_edits.get(database, "Ada", "a", "rewrite") is None and unsent_edits.get(database, "Ada", "a") is not None
    again = rewrites.add(database, variant("1", "a", "Ada"))
    assert (first.is_repeat, again.is_repeat) == (False, True) and again.variant == first.variant


def test_no_rewrite_of_words_that_changed_is_stored(database):
    assert rewrites.add(database, variant("1", "a", "Ada", revision=2)).variant is None
    assert variants.list_variants(database) == []


def test_back_is_what_the_person_rewrote_before(database):
    rewrites.add(database, variant("1", "a", "Ada"))
    rewrites.add(database, variant("2", "c", "Ada"))
    found = [rewrites.find_previous_item(database, "Ada", at) for at in (None, "b", "c", "a")]
    assert found == ["c", "c", "a", None] and rewrites.find_previous_item(database, "Bo", None) is None
