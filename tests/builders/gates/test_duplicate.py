"""The gate duplicate: exact twins are refused, near ones and contradictions flagged, look-alikes let through."""

import random

import pytest

from builders.gate import GateContext
from builders.gates.duplicate import GATE
from builders.near_duplicate_index import NEAR_JACCARD, NearDuplicateIndex, near_pairs, shingles
from core.nouns import Span
from tests.builders.drafts import draft

A, B = Span("b2:a", 0, 50), Span("b2:b", 0, 50)
EN = "In which year did Maud Treskow open the Salt Room theatre in Port Ellery?"
ZH = "云栖湖在2016年夏天测得的湖水透明度是多少米？"

CASES = [
    # outcome, known (question, answer, span), new (question, answer, span), language
    ("refuse", (EN, "1938", A), (EN, "1938", A), "en"),
    ("refuse", (EN, "1938", A), (EN.lower().rstrip("?"), "1938.", B), "en"),
    ("refuse", (EN, "1938", A), (EN.replace(" ", "  "), " 1938", A), "en"),
    ("refuse", (EN, "the Salt Room", A), (EN.upper(), "The Salt-Room", A), "en"),
    ("refuse", ("Who runs the Caf\u00e9 Orrin?", "Ren\u00e9", A), ("Who runs the Cafe\u0301 Orrin?", "Rene\u0301", A), "en"),
    ("flag", (EN, "1938", A), (EN.replace("theatre ", ""), "1938", A), "en"),
    ("flag", (EN, "in 1938", A), (EN.replace("open", "open up"), "1938 in", Span("b2:a", 40, 90)), "en"),
    ("flag", (EN, "Maud Anne Treskow", A), (EN.replace("?", " harbour?"), "Maud Ann Treskow", A), "en"),
    ("flag", (EN, "1938", A), (EN, "1939", A), "en"),
    ("flag", (EN, "1938", A), (EN, "1939", B), "en"),
    ("flag", (EN, "1938", A), (EN.replace("?", " now?"), "1952", B), "en"),
    ("refuse", (ZH, "1.4米", A), (ZH, "1.4米", A), "zh"),
    ("refuse", (ZH, "1.4米", A), (ZH.rstrip("？"), "1.4 米", B), "zh"),
    ("refuse", (ZH, "1.4米", A), (ZH.replace("2016", "２０１６"), "1.4米。", A), "zh"),
    ("flag", (ZH, "1.4米", A), (ZH.replace("测得的", "测得"), "1.4米", A), "zh"),
    ("flag", (ZH, "1.4米", A), (ZH.replace("夏天", "夏季"), "1.4米", Span("b2:a", 49, 60)), "zh"),
    ("flag", (ZH, "1.4米", A), (ZH.replace("湖水", ""), "1.4米", A), "zh"),
    ("flag", (ZH, "1.4米", A), (ZH, "1.5米", A), "zh"),
    ("flag", (ZH, "1.4米", A), (ZH, "2.4米", B), "zh"),
    ("flag", (ZH, "1.4米", A), ("请问" + ZH, "约两米", B), "zh"),
    ("flag", (ZH, "林远和王小明两人", A), (ZH.replace("多少米", "多少"), "林远和王小明二人", A), "zh"),
    ("pass", (EN, "1938", A), ("In which year did Maud Treskow close the Salt Room theatre in Port Ellery?", "1952", B), "en"),
    ("pass", (EN, "1938", A), ("In which year did Orrin Vale open the Salt Room theatre in Port Ellery?", "1938", B), "en"),
    ("pass", (EN, "1938", A), (EN.replace("theatre ", ""), "1938", B), "en"),
    ("pass", (EN, "1938", A), ("Who opened the Salt Room?", "Maud Treskow", A), "en"),
    ("pass", (EN, "1938", A), ("Which trade had Maud Treskow learned?", "1938", A), "en"),
    (
        "pass",
        ("How many visitors did the Salt Room theatre in Port Ellery count in the season of 1938?", "900", A),
        ("How many visitors did the Salt Room theatre in Port Ellery count in the season of 1939?", "1,100", A),
        "en",
    ),
    ("pass", ("Mr. Vale's age?", "40", A), ("Mr. Vale's gender?", "male", A), "en"),
    ("pass", (EN, "1938", A), ("", "", A), "en"),
    ("pass", (EN, "1938", A), ("Why?", "1938", A), "en"),
    ("pass", (EN, "1938", A), (EN[:40], "1938", A), "en"),
    ("pass", (ZH, "1.4米", A), ("云栖湖在2016年夏天测得的水温是多少度？", "21度", A), "zh"),
    ("pass", (ZH, "1.4米", A), (ZH.replace("2016", "2017"), "1.8米", A), "zh"),
    ("pass", (ZH, "1.4米", A), (ZH.replace("云栖湖", "望潮湾"), "1.4米", B), "zh"),
    ("pass", (ZH, "1.4米", A), (ZH.replace("测得的", "测得"), "1.4米", B), "zh"),
    ("pass", (ZH, "1.4米", A), ("云栖湖在哪里？", "临川高原", A), "zh"),
    ("pass", ("林远的年龄是多少？", "40岁", A), ("林远的籍贯是哪里？", "石泉", A), "zh"),
    ("pass", (ZH, "1.4米", A), ("", "", A), "zh"),
    ("pass", (ZH, "1.4米", A), ("多少米？", "1.4米", A), "zh"),
    ("pass", (ZH, "1.4米", A), (ZH[:9], "1.4米", A), "zh"),
    ("pass", (ZH, "1.4米", A), ("石泉市有轨电车哪一年停运？", "1953年", B), "zh"),
]


@pytest.mark.fault(5)
@pytest.mark.parametrize(("outcome", "old", "new", "language"), CASES)
def test_verdict_on_a_second_item(outcome, old, new, language):
    known = NearDuplicateIndex([draft(old[0], old[1], [old[2]], id="old", language=language)])
    item = draft(new[0], new[1], [new[2]], id="new", language=language)
    assert GATE.check(item, GateContext(str, known)).outcome == outcome


def test_an_item_is_no_duplicate_of_itself():
    item = draft(EN, "1938", [A])
    assert GATE.check(item, GateContext(str, NearDuplicateIndex([item]))).outcome == "pass"


def test_a_refused_item_is_no_reason_to_refuse_another():
    known = NearDuplicateIndex([draft(EN, "1938", [A], id="old", status="refused")])
    assert len(known) == 0 and GATE.check(draft(EN, "1938", [A]), GateContext(str, known)).outcome == "pass"


def test_every_answer_counts_for_an_exact_twin():
    known = NearDuplicateIndex([draft(EN, "1938", [A], id="old")])
    item = draft(EN, "in 1938", [B])
    assert known.find_same(item) is None
    assert known.find_same(type(item)(item.id, item.task, item.question, ("in 1938", "1938"))) == "old"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_index_finds_exactly_what_comparing_with_all_finds(language):
    chance = random.Random(3)
    words = ["mill", "tower", "Vale", "opened", "year"] if language == "en" else list("厂塔林开关年")
    joiner = " " if language == "en" else ""
    texts = [joiner.join(chance.choices(words, k=chance.randint(1, 9))) for _ in range(300)]
    known = NearDuplicateIndex([draft(text, "x", id=f"k{n}", language=language) for n, text in enumerate(texts)])
    for n, text in enumerate(texts[:60]):
        item = draft(text, "x", id=f"k{n}", language=language)
        mine, others = shingles(text, language), [shingles(other, language) for other in texts]
        expected = {f"k{m}" for m, one in enumerate(others) if m != n and len(mine & one) / len(mine | one) >= 0.8}
        assert {near.item for near in known.find_near(item)} == expected


def test_all_near_pairs_at_once_are_those_that_every_single_look_finds():
    chance = random.Random(3)
    words = [chance.choice(["mill", "bridge", "harbour", "quarry", "bell"]) + str(n % 7) for n in range(40)]
    items = [draft(" ".join(chance.sample(words, chance.choice([1, 2, 8]))), "a", id=f"i{n}") for n in range(150)]
    items += [draft(items[n].question + chance.choice(["?", "s", " now"]), "a", id=f"j{n}") for n in range(60)]
    items += [draft(items[n].question, "a", id=f"z{n}", language="zh") for n in range(0, 60, 7)]
    known = NearDuplicateIndex(items)
    single = {frozenset((item.id, near.item)) for item in items for near in known.find_near(item, NEAR_JACCARD)}
    found = list(near_pairs(items))
    assert {frozenset((a.id, b.id)) for a, b, _ in found} == single and len(found) == len(single) > 40
