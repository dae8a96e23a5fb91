"""Number words and their values."""

from fractions import Fraction

import pytest

from core.text.figures import figures
from core.text.numerals import chinese_number, english_number, english_numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三千二百", 3200),
        ("三千二", 3200),
        ("一百零五", 105),
        ("一百五", 150),
        ("十二", 12),
        ("二十", 20),
        ("两点五", Fraction(5, 2)),
        ("一九八七", 1987),
        ("一亿两千万", 120_000_000),
        ("三十五万六千", 356_000),
        ("万", 10_000),
        ("点", None),
        ("", None),
    ],
)
def test_chinese_numerals(text, value):
    assert chinese_number(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("twenty-five", 25),
        ("two million three hundred thousand", 2_300_000),
        ("one hundred and five", 105),
        ("third", 3),
        ("twenty-first", 21),
        ("a dozen", None),
        ("dozen", 12),
        ("mill", None),
    ],
)
def test_english_number_words(text, value):
    assert english_number(text) == value


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("the first three weeks", [1, 3]),
        ("three first prizes", [3, 1]),
        ("the first and second floor", [1, 2]),
        ("the hundred and first and the twenty-second", [101, 22]),
        ("twenty-three thousand and fifty-second", [23_052]),
    ],
)
def test_an_ordinal_belongs_to_a_round_number_before_it(text, values):
    assert [value for value, _, _ in english_numbers(text)] == values


@pytest.mark.parametrize("text", ["No one came.", "At first it rained.", "one of all", "one another", "just a second"])
def test_words_that_only_look_like_numbers_are_left_out(text):
    assert list(english_numbers(text)) == []


def test_units_stand_with_their_numbers():
    found = figures("a 12 km road of 30-metre poles, $5m and 95亿美元")
    assert found.numbers == {
        Fraction(12): {"km"},
        Fraction(30): {"m"},
        Fraction(5_000_000): {"$"},
        Fraction(9_500_000_000): {"$"},
    }
