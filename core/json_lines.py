"""Parses JSON from unknown sources strictly, and rejects values that standard JSON cannot express. In a file of JSON lines, a
bad line is reported with its number, and reading continues after it."""

import json
import math
import re
from collections.abc import Iterator
from errno import EINVAL
from pathlib import Path
from typing import IO, Any, AnyStr, NamedTuple

MAX_LINE_BYTES = 64 * 2**20
MAX_NESTING = 100
"""Maximum depth to which JSON lists and objects may be nested."""
MAX_DIGITS = 40
"""Maximum number of digits of an integer in JSON."""
OPEN_STRING = "a string without its end"
_SUSPECT = re.compile(r"\\u(?:[dD]|0000)")
"""Pattern of escapes in JSON that can put NUL or half of a character (a lone surrogate) into a string; decoded UTF-8 contains
neither."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)


class JsonLine(NamedTuple):
    """One line of a file with its JSON object, or with the reason why the line contains no JSON object."""

    number: int
    record: dict[str, Any] | None
    why: str = ""
    """Why the line has no JSON object, as the end of a sentence whose subject is the line; "" if the line has a JSON object."""


def read_objects(path: Path) -> Iterator[JsonLine]:
    """Yield the lines of a UTF-8 file that are not blank, each with its JSON object. Raises OSError if the file cannot be
    read, or is a named pipe, for whose writer it would wait; the pipes of a shell stand in /dev."""
    if path.is_fifo() and not path.is_relative_to("/dev"):
        raise OSError(EINVAL, "it is a named pipe, which may never end", str(path))
    with path.open("rb") as file:
        for number, raw in number_lines(file, MAX_LINE_BYTES):
            if raw is None:
                yield JsonLine(number, None, f"is longer than {MAX_LINE_BYTES // 2**20} MB")
            elif (line := read_object(number, raw)) is not None:
                yield line


def number_lines(file: IO[AnyStr], longest: int) -> Iterator[tuple[int, AnyStr | None]]:
    r"""Yield each line of a file with its number from 1. Only \n ends a line, and the yielded line includes it.

    A line of more than `longest` bytes (characters in a text file) is skipped without loading it, and None is yielded for
    it."""
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
    """Return a line's JSON object, or the reason why the line has no JSON object; None for a blank line.

    Bytes are read as UTF-8; a byte order mark is skipped."""
    try:
        text = (raw.decode("utf-8") if isinstance(raw, bytes) else raw).lstrip("\ufeff")
        if not text or text.isspace():
            return None
        value = strict_json(text, deepest)
    except UnicodeDecodeError as error:
        return JsonLine(number, None, f"is not UTF-8 at its byte {error.start + 1:,}")
    except ValueError as error:
        return JsonLine(number, None, str(error))
    return JsonLine(number, value) if isinstance(value, dict) else JsonLine(number, None, "is not a JSON object")


def strict_json(text: str, deepest: int = MAX_NESTING) -> Any:
    """Return the value of a JSON text. Raises ValueError for NaN, infinities, huge numbers, repeated keys, deep nesting, NUL or
    lone surrogates; its message is a phrase such as "is not JSON", to which callers add the subject."""
    try:
        value = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_int=_read_integer,
            parse_float=_read_finite,
            object_pairs_hook=_read_pairs,
        )
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON ({describe_json_error(error)})") from error
    if text.count("[") + text.count("{") > deepest or _SUSPECT.search(text):
        _check_value(value, deepest)
    return value


def describe_json_error(error: json.JSONDecodeError) -> str:
    """Return a phrase that says what is wrong with a JSON text and where (line and character). The function does not use
    Python's messages, because the messages, and the position that Python reports for a superfluous comma, differ between Python
    versions."""
    at, fault = locate_json_fault(error.doc, error.pos)
    line = error.doc.count("\n", 0, at) + 1
    character = at - error.doc.rfind("\n", 0, at)
    return f"{fault} at {f'line {line:,}, ' if line > 1 else ''}character {character:,}"


class JsonFault(NamedTuple):
    """The first syntax error in a text that is not valid JSON, with its position."""

    at: int
    what: str


def locate_json_fault(text: str, at: int) -> JsonFault:
    """Return the fault at the position where Python's json module stopped reading."""
    before = text[:at].rstrip()
    if text[at : at + 1] in ("]", "}") and before.endswith(
        ","
    ):  # Python 3.13 reports the position of the comma, older versions that of the next character
        at = len(before) - 1
    if text[at : at + 1] == "," and text[at + 1 :].lstrip()[:1] in ("]", "}"):
        return JsonFault(at, "a comma with nothing after it")
    if not text[at:].strip():
        return JsonFault(at, "an early end")
    if text[at] == '"' and not _STRING.match(text, at):
        return JsonFault(at, OPEN_STRING)
    return JsonFault(at, f"unexpected {text[at : at + 12]!r}")


def _check_value(value: Any, deepest: int) -> None:
    """Check how deep a JSON value is nested and which characters its strings contain, without recursion. Raises ValueError for
    a fault."""
    stack: list[tuple[Any, int]] = [(value, 1)]
    while stack:
        part, depth = stack.pop()
        if isinstance(part, str):
            if "\0" in part:
                raise ValueError("holds U+0000, a NUL character")
            try:
                part.encode("utf-8")
            except UnicodeEncodeError as error:
                raise ValueError(f"contains half of a character (the lone surrogate U+{ord(part[error.start]):04X})") from error
        elif isinstance(part, dict | list):
            if depth > deepest:
                raise ValueError(f"is nested too deeply (more than {deepest} levels)")
            stack += [(inner, depth + 1) for inner in part]
            stack += [(inner, depth + 1) for inner in part.values()] if isinstance(part, dict) else []


def _read_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"has the key {next(key for key in keys if keys.count(key) > 1)[:60]!r} twice")
    return members


def _refuse_constant(constant: str) -> Any:
    raise ValueError(f"holds {constant}, which is not a JSON number")


def _read_integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"holds a number of too many digits ({len(digits):,} digits, but at most {MAX_DIGITS} are allowed)")
    return int(digits)


def _read_finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"holds {number[:40]}, which is too large a number")
    return value
