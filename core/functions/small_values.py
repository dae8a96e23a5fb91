"""Values that come out of a sandbox, as plain ones of a bounded size. A value that shares itself is as large as it would be
written out, and is counted no further than the bound."""

import math
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any

MAX_DIGITS = 4000
"""Of a whole number, at most."""
MAX_NESTING = 100
"""Levels within each other, at most."""


class TooLarge(Exception):
    """It is larger than the bound; says how."""


def shrink_value(value: Any, most: int) -> Any:
    """The value with its collections made anew (a tuple is a list then) and any other object as its text or its type's name.
    Raises TooLarge when it has more than `most` parts and characters in all, or is nested deeper than DEEP; a text that is the
    whole value is cut to `most` characters."""
    if isinstance(value, str):
        return value[:most]
    left = [most]

    def take(amount: int) -> None:
        left[0] -= amount
        if left[0] < 0:
            raise TooLarge(f"more than {most:,} parts and characters, written out")

    def shrink_part(part: Any, depth: int) -> Any:
        if depth > MAX_NESTING:
            raise TooLarge(f"nested deeper than {MAX_NESTING} levels")
        take(1)
        if part is None or isinstance(part, bool):
            return part
        if isinstance(part, int):
            if part.bit_length() > MAX_DIGITS * math.log2(10):
                raise TooLarge(f"a number of more than {MAX_DIGITS:,} digits")
            return int(part)
        if isinstance(part, float):
            return float(part)
        if isinstance(part, str | bytes):
            take(len(part))
            return part if isinstance(part, str) else bytes(part)
        if isinstance(part, dict):
            return {_key(shrink_part(key, depth + 1)): shrink_part(inner, depth + 1) for key, inner in part.items()}
        if isinstance(part, set | frozenset):
            return {_key(shrink_part(inner, depth + 1)) for inner in part}
        if isinstance(part, list | tuple):
            return [shrink_part(inner, depth + 1) for inner in part]
        if isinstance(part, BaseException):
            return [type(part).__name__, *(shrink_part(inner, depth + 1) for inner in part.args)]
        if isinstance(inner := getattr(part, "attributes", None), dict):  # of an object of a class that the program made
            return shrink_part(inner, depth + 1)
        text = str(part) if isinstance(part, date | time | timedelta | Decimal | complex) else type(part).__name__
        take(len(text))
        return text

    return shrink_part(value, 0)


def _key(made: Any) -> Any:
    """What can be a key of a mapping in JSON."""
    return made if made is None or isinstance(made, str | int | float) else str(made)
