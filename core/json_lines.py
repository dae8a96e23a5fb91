"""JSON that others wrote, read with suspicion: what could not be written again as plain JSON is refused, a line of a file by
its number, and the lines after it go on."""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, AnyStr, NamedTuple

MAX_LINE_BYTES = 64 * 2**20
"""Bytes of one line."""
MAX_NESTING = 100
"""Levels of nesting."""
MAX_DIGITS = 40
"""Digits of a whole number."""

OPEN_STRING = "a string without its end"

_SUSPECT = re.compile(r"\\u(?:[dD]|0000)")
"""Without such an escape no string holds NUL or half a character: no decoded text does."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)


class JsonLine(NamedTuple):
    """One line that holds a JSON object, or why it does not."""

    number: int
    record: dict[str, Any] | None
    why: str = ""
    """The end of a sentence that begins with the line."""


def read_objects(path: Path) -> Iterator[JsonLine]:
    """Every line of a UTF-8 file that is not blank. Raises OSError."""
    with path.open("rb") as file:
        for number, raw in number_lines(file, MAX_LINE_BYTES):
            line = (
                JsonLine(number, None, f"is longer than {MAX_LINE_BYTES // 2**20} MB")
                if raw is None
                else read_object(number, raw)
            )
            if line is not None:
                yield line


def number_lines(file: IO[AnyStr], longest: int) -> Iterator[tuple[int, AnyStr | None]]:
    """(number, line with its end) from 1; a line ends with \\n and nothing else. None is a line of more than `longest` bytes
    (characters, in a text file), which is passed over and never held whole."""
    number = 0
    while raw := file.readline(longest + 1):
        number += 1
        if len(raw) <= longest:
            yield number, raw
            continue
        while raw and raw[-1:] not in ("\n", b"\n"):
            raw = file.readline(longest)
        yield number, None


def read_object(number: int, raw: bytes | str, deepest: int = MAX_NESTING) -> JsonLine | None:
    """The object of a line (bytes are UTF-8; a byte order mark is passed over), or why there is none; None for a blank line."""
    try:
        text = (raw.decode("utf-8") if isinstance(raw, bytes) else raw).lstrip("\ufeff")
        if not text or text.isspace():
            return None
        value = strict_json(text, deepest)
    except UnicodeDecodeError as error:
        return JsonLine(number, None, f"is not UTF-8 at its byte {error.start + 1:,}")
    except ValueError as error:
        return JsonLine(number, None, str(error))
    return JsonLine(number, value) if isinstance(value, dict) else JsonLine(number, None, "is no JSON object")


def strict_json(text: str, deepest: int = MAX_NESTING) -> Any:
    """The value of a JSON text without NaN, infinities, huge numbers, repeated keys, deep nesting, NUL, or half characters.
    Raises ValueError with the end of a sentence that begins with the text's place."""
    try:
        value = json.loads(
            text, parse_constant=_refuse, parse_int=_read_integer, parse_float=_finite, object_pairs_hook=_refuse_repeated_keys
        )
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON ({describe_json_error(error)})") from error
    if text.count("[") + text.count("{") > deepest or _SUSPECT.search(text):
        _check(value, deepest)
    return value


def describe_json_error(error: json.JSONDecodeError) -> str:
    """What is wrong, by line and character, in our own words: the interpreter's differ from one version to the next, and so
    does the place of a comma too many."""
    at, what = locate_json_fault(error.doc, error.pos)
    line = error.doc.count("\n", 0, at) + 1
    character = at - error.doc.rfind("\n", 0, at)
    return f"{what} at {f'line {line:,}, ' if line > 1 else ''}character {character:,}"


class JsonFault(NamedTuple):
    """Where a text is JSON no more."""

    at: int
    what: str


def locate_json_fault(text: str, at: int) -> JsonFault:
    """What is wrong where json gave up."""
    before = text[:at].rstrip()
    if text[at : at + 1] in ("]", "}") and before.endswith(","):  # Python 3.13 names the comma, older ones what follows it
        at = len(before) - 1
    if text[at : at + 1] == "," and text[at + 1 :].lstrip()[:1] in ("]", "}"):
        return JsonFault(at, "a comma with nothing after it")
    if not text[at:].strip():
        return JsonFault(at, "an early end")
    if text[at] == '"' and not _STRING.match(text, at):
        return JsonFault(at, OPEN_STRING)
    return JsonFault(at, f"unexpected {text[at : at + 12]!r}")


def _check(value: Any, deepest: int) -> None:
    """Depth and strings, without recursion."""
    left: list[tuple[Any, int]] = [(value, 1)]
    while left:
        one, depth = left.pop()
        if isinstance(one, str):
            if "\0" in one:
                raise ValueError("holds U+0000, a NUL character")
            if not one.isascii():
                _check_characters(one)
        elif isinstance(one, dict | list):
            if depth > deepest:
                raise ValueError(f"is nested too deeply (more than {deepest} levels)")
            left += [(inner, depth + 1) for inner in one]
            left += [(inner, depth + 1) for inner in one.values()] if isinstance(one, dict) else []


def _check_characters(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"holds half a character, the lone surrogate U+{ord(text[error.start]):04X}") from error


def _refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"has the key {next(key for key in keys if keys.count(key) > 1)[:60]!r} twice")
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(f"holds {constant}, which is no JSON number")


def _read_integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"holds a number of too many digits ({len(digits):,} digits, where {MAX_DIGITS} may stand)")
    return int(digits)


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"holds {number[:40]}, which is too large a number")
    return value
