"""A skip: its reason is kept and told to who leads, the item waits on, and comes back last to whoever skipped it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import BenchError, NotAllowed
from core.nouns import Item
from store.items import items
from tests.store.sample_items import item
from workbench import Workbench, actor
from workbench.annotate.reviewing.reviews import DecisionRequest, ItemKind


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        items.add(bench.database, [item(name) for name in "abc"])
        yield bench


def skip(bench: Workbench, name: str, person: str = "Ada", reason: str = "too long for now", key: str = "") -> None:
    bench.reviews.skips.skip(name, person, key=key or f"{person}:{name}", revision=1, reason=reason)


def test_what_was_skipped_comes_last_to_that_person_and_first_to_others(bench: Workbench) -> None:
    reviews = bench.reviews
    assert reviews.find_next(ItemKind(), "Ada") == "a"
    skip(bench, "a")
    assert reviews.find_next(ItemKind(), "Ada", "a") == "b"
    assert reviews.find_next(ItemKind(), "Bo") == "a"
    reviews.holds.release("Bo", "Bo")
    assert reviews.find_next(ItemKind(), "Ada", "b") == "c"
    assert reviews.find_next(ItemKind(), "Ada", "c") == "b", "not a: another one is free"
    for name in "bc":
        reviews.decide(name, "accept", person="Ada")
    assert reviews.find_next(ItemKind(), "Ada", "b") == "a" and reviews.progress(ItemKind(), "Ada").left == 1


def test_skips_are_told_with_their_reasons_until_the_item_is_decided_or_reworded(bench: Workbench) -> None:
    skip(bench, "a")
    skip(bench, "a", key="again", reason="hard to read or badly cut")
    skip(bench, "b", "Bo")
    skip(bench, "b", "Bo")  # the same press
    told = bench.reviews.skips.list_skipped()
    assert sorted((one.item, one.person, one.reason, one.question) for one in told) == [
        ("a", "Ada", "hard to read or badly cut", "Who is a?"),
        ("b", "Bo", "too long for now", "Who is b?"),
    ]
    bench.reviews.decide("b", "discard", person="Cy", reason="duplicate")
    assert [one.item for one in bench.reviews.skips.list_skipped()] == ["a"]
    edited: Item = item("a", question="Who was a?")
    items.edit(bench.database, edited, "Lea")
    assert bench.reviews.skips.list_skipped() == []


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"person": " "}, "without a name"),
        ({"reason": " "}, "needs a reason"),
        ({"reason": "x" * 5_001}, "5,001 characters"),
        ({"name": "none"}, "No item none"),
    ],
)
def test_a_skip_that_cannot_be_stored_is_refused_in_a_sentence(bench: Workbench, fields: dict[str, str], sentence: str) -> None:
    with pytest.raises(BenchError, match=sentence):
        skip(bench, **{"name": "a", **fields})
    assert bench.reviews.skips.list_skipped() == []


def test_the_desk_offers_reasons_and_leads_alone_are_told(bench: Workbench) -> None:
    assert "too long for now" in bench.reviews.desk("a", "Ada").skip_reasons
    bench.people.give("Lea", "admin")
    with actor.act_as("Ada"), pytest.raises(NotAllowed):
        bench.reviews.skips.list_skipped()
    settled = bench.reviews.settle(DecisionRequest("k", "Ada", "b", 1, "discard", "Who is b?", "b", (), reason="duplicate"))
    assert settled.item.status == "discarded"
