"""Check the names of releases and of their splits."""

import re

from core.errors import BenchError
from store.releases.releases import WORKING_RELEASE

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,63}")


def check_name(name: str) -> None:
    """Raise BenchError if a name for a release is reserved, or could be mistaken for a path or an option."""
    if name == WORKING_RELEASE:
        raise BenchError(f"{WORKING_RELEASE!r} is reserved for the items that are accepted now: choose another release name.")
    if not NAME.fullmatch(name):
        raise BenchError(
            f"{name!r} is not a valid release name: use at most 64 letters, digits, hyphens, underscores and single dots."
        )


def read_shares(text: str | None) -> dict[str, float]:
    """Return the shares of splits that a text gives: "dev=0.2,test=0.8" gives {"dev": 0.2, "test": 0.8}. Raises BenchError if
    the sum of the shares is not 1."""
    if not text:
        return {}
    try:
        shares = {name.strip(): float(share) for name, share in (part.split("=") for part in text.split(","))}
    except ValueError as error:
        raise BenchError(
            f"--split {text!r} cannot be read: give names and shares of splits, such as dev=0.2,test=0.8."
        ) from error
    named = all(NAME.fullmatch(name) and 0 < share <= 1 for name, share in shares.items())
    if not named or abs(sum(shares.values()) - 1) > 1e-6:
        raise BenchError(f"--split {text!r}: give each split a plain name and a share above 0; the shares must add up to 1.")
    return shares
