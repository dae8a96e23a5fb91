"""Compares names of people: spellings that differ only in case or spaces name the same person."""

import re
import unicodedata

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Pattern of characters that cannot be stored in files: NUL, and halves of characters."""


def fold_name(name: str) -> str:
    """Return the name in a uniform case and Unicode form, with single spaces between words, for comparisons."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def is_same_person(a: str, b: str) -> bool:
    return fold_name(a) == fold_name(b)
