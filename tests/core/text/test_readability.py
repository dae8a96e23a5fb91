"""Flesch reading ease by hand."""

import pytest

from core.text.readability import flesch, syllables


@pytest.mark.parametrize(
    ("word", "n"),
    [
        ("child", 1),
        ("made", 1),
        ("table", 2),
        ("named", 1),
        ("wanted", 2),
        ("names", 1),
        ("constituted", 4),
        ("the", 1),
        ("Queen's", 1),
        ("progeny", 3),
    ],
)
def test_syllables_are_runs_of_vowels_without_silent_endings(word: str, n: int) -> None:
    assert syllables(word) == n


def test_the_formula_by_hand() -> None:
    # 6 words, 1 sentence, 8 syllables: who, is, the, of have one each, mother and Robert two
    assert flesch("Who is the mother of Robert?") == pytest.approx(206.835 - 1.015 * 6 - 84.6 * 8 / 6)


def test_harder_words_read_harder_and_what_has_no_words_has_no_ease() -> None:
    easy, hard = flesch("Who is her child?"), flesch("By whom is the progeny constituted?")
    assert easy is not None and hard is not None and easy > 60 > hard
    assert flesch("2019?") is None and flesch("谁写的？") is None and flesch("") is None
