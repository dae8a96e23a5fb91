"""Readability of English text as Flesch reading ease: higher values are easier to read; 60 to 70 is plain English."""

import re

from core.text.text import split_sentences

_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)*")
_VOWELS = re.compile(r"[aeiouy]+")
_SILENT = re.compile(r"(?<=[^aeiouyl])e$|(?<=[aeiouy][^aeiouylt])es$|(?<=[^aeiouytd])ed$")
"""Pattern of endings that are not spoken as a syllable: made, names, ruled, but not table, boxes, wanted."""


def flesch(text: str) -> float | None:
    """Return the Flesch reading ease of a text, 206.835 - 1.015 words/sentences - 84.6 syllables/words (Flesch 1948), or None
    for a text without English words.

    A syllable is a run of vowels."""
    words = _WORD.findall(text)
    if not words:
        return None
    sentences = max(1, len(split_sentences(text, "en")))
    return 206.835 - 1.015 * len(words) / sentences - 84.6 * sum(map(syllables, words)) / len(words)


def syllables(word: str) -> int:
    """Return the number of syllables of an English word, at least 1."""
    return max(1, len(_VOWELS.findall(_SILENT.sub("", re.sub(r"['’]", "", word.lower())))))
