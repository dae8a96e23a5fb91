"""Compares names of people; names that differ only in case or spaces are the same person's."""

import re
import unicodedata

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Pattern of characters that cannot be stored in files: NUL and lone surrogates (halves of characters)."""


def fold_name(name: str) -> str:
    """Return a person's name in a uniform case and Unicode form, with single spaces, so that equal names can be found."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def is_same_person(a: str, b: str) -> bool:
    return fold_name(a) == fold_name(b)
