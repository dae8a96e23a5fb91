"""Names of people: two spellings are one person's when only upper and lower case, or spaces, tell them apart."""

import unicodedata


def fold_name(name: str) -> str:
    """What is compared of a name: one case, one form, no outer space and one space between its words."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def is_same_person(one: str, other: str) -> bool:
    return fold_name(one) == fold_name(other)
