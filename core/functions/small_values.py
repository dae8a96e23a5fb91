"""Converts values from a sandbox (code that a model wrote) to plain values of limited size. If a value contains itself, its
parts are counted at every repetition until the limit is reached."""

import math
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any

MAX_DIGITS = 4000
"""Maximum number of digits of an integer in a value from the sandbox."""
MAX_NESTING = 100
"""Maximum depth to which lists and objects in a value may be nested."""


class TooLarge(Exception):
    """Error for a value that exceeds a limit; its message names the limit."""


def shrink_value(value: Any, most: int) -> Any:
    """Return the value as newly built plain lists, dicts and scalars: a tuple becomes a list, and any other object becomes its
    text or the name of its type.

    Raises TooLarge if there are more than `most` parts and characters in total, or more than MAX_NESTING levels. A value that
    is a single text is cut to `most` characters."""
    if isinstance(value, str):
        return value[:most]
    left = most

    def take(amount: int) -> None:
        nonlocal left
        left -= amount
        if left < 0:
            raise TooLarge(f"more than {most:,} parts and characters, written out")

    def shrink_key(part: Any, depth: int) -> Any:
        key = shrink_part(part, depth)
        return key if key is None or isinstance(key, str | int | float) else str(key)

    def shrink_part(part: Any, depth: int) -> Any:
        if depth > MAX_NESTING:
            raise TooLarge(f"nested deeper than {MAX_NESTING} levels")
        take(1)
        match part:
            case None | bool():
                return part
            case int():
                if part.bit_length() > MAX_DIGITS * math.log2(10):
                    raise TooLarge(f"a number of more than {MAX_DIGITS:,} digits")
                return int(part)
            case float():
                return float(part)
            case str() | bytes():
                take(len(part))
                return part if isinstance(part, str) else bytes(part)
            case dict():
                return {shrink_key(key, depth + 1): shrink_part(inner, depth + 1) for key, inner in part.items()}
            case set() | frozenset():
                return {shrink_key(inner, depth + 1) for inner in part}
            case list() | tuple():
                return [shrink_part(inner, depth + 1) for inner in part]
            case BaseException():
                return [type(part).__name__, *(shrink_part(inner, depth + 1) for inner in part.args)]
        if isinstance(attributes := getattr(part, "attributes", None), dict):  # an object of a class that the program defines
            return shrink_part(attributes, depth + 1)
        text = str(part) if isinstance(part, date | time | timedelta | Decimal | complex) else type(part).__name__
        take(len(text))
        return text

    return shrink_part(value, 0)
