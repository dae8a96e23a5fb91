"""A regular expression that meets foreign text takes a time that grows with the text's length, whatever the text is, or it
meets sentences alone, whose length is bounded."""

import pytest

from core.text.sentences import MAX_SENTENCE_CHARACTERS, split_sentences
from tests.patterns import MOST, Found, every, worst

FOLDERS = ("core", "agents", "builders", "store", "workbench", "eval", "prompts", "serving", "terminal")
PARTS = ("chinese.", "english.", "edits:", "exchange:", "repairs:", "summaries:", "answerer:_ZH_KINDS")
SENTENCES = tuple(f"agents.offline.{part}" for part in PARTS)
"""What of the offline agent looks at sentences, which core/text/sentences.py cuts at MAX_SENTENCE_CHARACTERS."""
SHORT = {
    "core.text.names:SENTENCE_START": "60 characters before a word",
    "agents.offline.answerer:_CLOSED": "a piece of less than 80 characters",
}
"""Patterns that are given a few characters only."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_text_of_twice_the_length_takes_at_most_thrice_the_time(folder: str) -> None:
    """The patterns are looked for here, not while tests are collected, which each process does."""
    bad = []
    for found in every((folder,)):
        if not found.where.startswith(SENTENCES) and found.where not in SHORT:
            ratio, text = worst(found)
            if ratio > MOST:
                bad.append(f"{found.where} takes {ratio:.1f} times as long on twice {text!r}...: {found.pattern.pattern}")
    assert not bad, "\n".join(bad)


def test_every_folder_has_its_patterns() -> None:
    """Those that are left out by name are still there."""
    names = {found.where for folder in ("core", "agents") for found in every((folder,))}
    assert set(SHORT) <= names and all(any(name.startswith(part) for name in names) for part in SENTENCES)


@pytest.mark.parametrize("text", ["word " * 5_000, "w" * 25_000, "字" * 25_000, "，" * 9_000 + "a" * 9_000])
def test_no_sentence_is_longer_than_that(text: str) -> None:
    assert max(end - start for start, end in split_sentences(text, "en")) <= MAX_SENTENCE_CHARACTERS


def test_the_measure_tells_a_square_and_a_cube_from_a_line() -> None:
    import re

    ratios = [worst(Found("", re.compile(words), False)).ratio for words in (r"\s+x", r"^#[ ]+(\S.*?)[ ]*#*[ ]*$", r"\bx+y")]
    assert ratios[0] > MOST and ratios[1] > MOST and ratios[2] <= MOST
