"""Splits keep families together, shares in every stratum, and are the same for the same seed."""

from collections import Counter

import pytest

from builders.splits import families, split
from core.errors import BenchError
from core.nouns import Span
from tests.builders.drafts import draft


def item(n, *, level=1, domain="law", language="en", evidence=(), source=None):
    steps = ({"kind": "source_item", "item": source},) if source else ()
    return draft(f"q{n}", "a", evidence, id=f"i{n:03}", level=level, domain=domain, language=language, steps=steps)


def test_source_items_and_shared_evidence_make_families():
    items = [
        item(1, evidence=[Span("d", 0, 10)]),
        item(2, source="i001"),
        item(3, evidence=[Span("d", 9, 20)]),
        item(4, evidence=[Span("d", 20, 30)]),
        item(5, evidence=[Span("e", 0, 10)]),
        item(6, source="gone"),
        item(7, source="gone"),
    ]
    assert families(items) == [["i001", "i002", "i003"], ["i004"], ["i005"], ["i006", "i007"]]


def test_a_long_span_joins_what_lies_inside_it_and_behind():
    items = [item(1, evidence=[Span("d", 0, 100)]), item(2, evidence=[Span("d", 5, 10)]), item(3, evidence=[Span("d", 50, 60)])]
    assert families(items) == [["i001", "i002", "i003"]]


def test_shares_hold_in_every_stratum():
    items = [item(100 * k + n, level=k, language=("en", "zh")[k % 2]) for k in (1, 2, 3) for n in range(20)]
    placed = split(items, {"dev": 0.2, "test": 0.8}, seed=1)
    for level in (1, 2, 3):
        assert Counter(placed[i.id] for i in items if i.level == level) == {"dev": 4, "test": 16}


def test_families_are_never_torn_apart():
    items = [item(n) for n in range(30)] + [item(100 + n, level=2, source=f"i{n:03}") for n in range(30)]
    placed = split(items, {"train": 0.5, "dev": 0.2, "test": 0.3}, seed=3)
    assert all(placed[f"i{n:03}"] == placed[f"i{100 + n:03}"] for n in range(30))
    assert Counter(placed.values()) == {"train": 30, "dev": 12, "test": 18}


def test_the_seed_settles_it():
    items = [item(n) for n in range(40)]
    shares = {"dev": 0.25, "test": 0.75}
    assert split(items, shares, 1) == split(items[::-1], shares, 1) != split(items, shares, 2)


def test_every_split_gets_something_when_there_are_families_enough():
    assert set(split([item(n) for n in range(3)], {"a": 0.9, "b": 0.05, "c": 0.05}, 1).values()) == {"a", "b", "c"}
    together = [item(1), item(2, source="i001")]
    assert len(set(split(together, {"a": 0.5, "b": 0.5}, 1).values())) == 1


@pytest.mark.parametrize("shares", [{}, {"a": 0.5}, {"a": 1.2, "b": -0.2}, {"a": 1.0, "b": 0.0}])
def test_shares_that_are_no_split_are_one_sentence(shares):
    with pytest.raises(BenchError):
        split([item(1)], shares, 1)
