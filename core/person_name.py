"""Names of people: two spellings name one person when they differ only in case or spaces."""

import unicodedata


def fold_name(name: str) -> str:
    """The name in one case and one Unicode form, with single spaces between its words, for comparison."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def is_same_person(a: str, b: str) -> bool:
    return fold_name(a) == fold_name(b)
