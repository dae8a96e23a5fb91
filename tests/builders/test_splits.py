"""Splits keep families together, shares in every stratum, and are the same for the same seed."""

from collections import Counter
from random import Random

import pytest

from builders.splitting.families import families
from builders.splitting.splits import split
from core.errors import BenchError
from core.nouns import Span
from tests.builders.drafts import draft


def item(n, *, level=1, domain="law", language="en", evidence=(), source=None, question=None, answer="a", **more):
    steps = ({"kind": "source_item", "item": source},) if source else ()
    return draft(
        question or f"{n * 7919}?",
        answer,
        evidence,
        id=f"i{n:03}",
        level=level,
        domain=domain,
        language=language,
        steps=steps,
        **more,
    )


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


def test_near_duplicates_are_one_family_and_links_carry_on():
    items = [
        item(1, question="In which year did the mill at Orvel burn down?", answer="1902"),
        item(2, question="In which year did the mill of Orvel burn down?", answer="1902"),  # Jaccard with the first .84
        item(3, question="In which year did the mill of Orvel burn down?!", answer="in May"),  # the same, answered differently
        item(4, question="In what year had the mill of Orvel burned?", answer="1902"),
        item(5, question="In which year did the hall at Orvel burn down?", answer="1850"),  # .8 and more, another answer
        item(6, question="In which year did the mill of Orvel burn down?", answer="1902", language="zh"),
    ]
    assert families(items) == families(items[::-1]) == [["i001", "i002", "i003"], ["i004"], ["i005"], ["i006"]]


def test_items_made_from_one_left_out_source_are_one_family():
    one, two = [Span("d", 0, 9)], [Span("d", 9, 20)]
    items = [
        item(1, labels={"source": "d"}, evidence=one),
        item(2, labels={"source": "d"}, evidence=two),
        item(3, labels={"source": "e"}),
        item(4, given=("d",)),
    ]
    assert families(items) == [["i001", "i002"], ["i003"], ["i004"]]


def test_no_family_is_torn_and_the_sizes_are_near_the_shares():
    chance = Random(7)
    streets = ["Salt Row", "Mill Lane", "Harbour Street", "Quarry Road", "Bell Yard"]
    items = []
    for n in range(300):
        street, place = chance.choice(streets), chance.choice(streets)
        items.append(
            item(
                n,
                question=f"Who kept the {n} lamps of {street} towards {place} in {1700 + n}?",
                answer=f"k{n}",
                level=chance.choice([1, 2, 3]),
            )
        )
        first = items[-1]
        for twin in range(chance.choice([0, 0, 0, 1, 3])):
            items.append(item(1000 + 10 * n + twin, question=first.question + "?" * twin, answer=f"k{n}", level=first.level))
    kin = families(items)
    assert max(map(len, kin)) > 1
    shares = {"dev": 0.2, "test": 0.8}
    placed = split(items, shares, 5)
    assert all(len({placed[id_] for id_ in family}) == 1 for family in kin)
    assert placed == split(items, shares, 5, [family for family in kin if len(family) > 1])
    sizes = Counter(placed.values())
    assert abs(sizes["dev"] / len(items) - 0.2) < 0.02


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
