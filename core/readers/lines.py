"""Files of lines, read one line at a time, however large: plain lines (a document each) and JSON lines (an object each). A bad
line is one Refused, and the rest goes on."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.readers.raw import decode, encoding_by_mark, unmarked_utf_16
from core.readers.reading import LONGEST, Read, Refused, Unfit, checked, iso_date, one_line

_LONGEST_LINE = 6 * LONGEST + 1_000_000
"""Bytes: a JSON escape has six a character."""
_TITLE = 40
_DEPTH = 50
_DIGITS = 40
_KNOWN = ("title", "domain", "language", "origin", "licence", "published")


def read_lines(path: Path, where: str) -> Iterator[Read | Refused]:
    """One document a line; blank lines are skipped. Title: its first 40 characters. Raises OSError."""
    for number, raw in _lines(path):
        try:
            if raw is None:
                raise Unfit(f"Line {number} of {where} is longer than a document may be ({LONGEST:,} characters): split it.")
            decoded = decode(raw, f"Line {number} of {where}") if isinstance(raw, bytes) else None
            line = (decoded.text if decoded else str(raw)).strip()
            if line:
                text = checked(line, f"Line {number} of {where}")
                yield Read(where, number, text, _title(text), note=decoded.note if decoded else "")
        except Unfit as error:
            yield Refused(where, number, str(error))


def read_jsonl(path: Path, where: str) -> Iterator[Read | Refused]:
    """One object a line: `text` is needed; title, domain, language, origin, licence and published are known; the rest goes to
    meta (an object `meta` is opened). Raises OSError."""
    for number, raw in _lines(path):
        name = f"Line {number} of {where}"
        try:
            if raw is None:
                raise Unfit(f"{name} is longer than a document may be ({LONGEST:,} characters): split it.")
            try:
                line = raw.decode("utf-8") if isinstance(raw, bytes) else raw
            except UnicodeDecodeError as error:
                raise Unfit(f"{name} is not UTF-8 at its byte {error.start + 1:,}: save the file as UTF-8.") from error
            if line.strip():
                yield _document(parse_object(line, name), where, number, name)
        except Unfit as error:
            yield Refused(where, number, str(error))


def _document(record: dict[str, Any], where: str, number: int, name: str) -> Read:
    text = record.pop("text", None)
    if not isinstance(text, str):
        raise Unfit(f'{name} has no "text": give it one, a string.')
    known: dict[str, str | None] = {}
    for key in _KNOWN:
        value = record.pop(key, None)
        if value is not None and not isinstance(value, str):
            raise Unfit(f'{name} has a "{key}" that is no string: make it one, or leave it out.')
        known[key] = value.strip() or None if value else None
    if known["language"] not in (None, "en", "zh"):
        raise Unfit(f'{name} has the language "{known["language"]}": en and zh are known.')
    if known["published"] is not None and iso_date(known["published"]) is None:
        raise Unfit(f'{name} has "published" {known["published"]!r}, no ISO date: write it as 2021-05-03.')
    inner = record.pop("meta", None)
    meta = {**record, **inner} if isinstance(inner, dict) else record | ({"meta": inner} if inner is not None else {})
    text = checked(text, name)
    title = one_line(known.pop("title") or "") or _title(text)
    return Read(where, number, text, title, meta=meta, **known)  # type: ignore[arg-type]  # title is taken out


def _title(text: str) -> str:
    return one_line(text[: 4 * _TITLE])[:_TITLE].strip() or one_line(text)[:_TITLE]


def parse_object(line: str, name: str) -> dict[str, Any]:
    """One line of JSON as an object; raises Unfit, with `name` in the sentence, on anything that later could not be written
    again as plain JSON: NaN, infinities, huge numbers, double keys, deep nesting, lone surrogates."""
    try:
        value = json.loads(
            line.lstrip("\ufeff"), parse_constant=_refuse, parse_int=_whole, parse_float=_finite, object_pairs_hook=_once
        )
    except json.JSONDecodeError as error:
        raise Unfit(f"{name} is not JSON ({error.msg} at its character {error.pos + 1:,}): mend or remove it.") from error
    except RecursionError as error:
        raise Unfit(f"{name} is nested too deeply: flatten it.") from error
    except ValueError as error:
        raise Unfit(f"{name} cannot be taken: {error}.") from error
    if not isinstance(value, dict):
        raise Unfit(f'{name} is no JSON object: write {{"text": ...}}.')
    _check(value, name)
    return value


def _check(value: dict[str, Any], name: str) -> None:
    """Depth and strings, without recursion."""
    left: list[tuple[Any, int]] = [(value, 1)]
    while left:
        one, depth = left.pop()
        if depth > _DEPTH:
            raise Unfit(f"{name} is nested too deeply: flatten it to {_DEPTH} levels.")
        if isinstance(one, dict):
            left += [(inner, depth + 1) for pair in one.items() for inner in pair]
        elif isinstance(one, list):
            left += [(inner, depth + 1) for inner in one]
        elif isinstance(one, str) and not one.isascii():
            try:
                one.encode("utf-8")
            except UnicodeEncodeError as error:
                code = ord(one[error.start])
                raise Unfit(f"{name} holds half a character, the lone surrogate U+{code:04X}: take it out.") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"it names {next(key for key in keys if keys.count(key) > 1)[:60]!r} twice")
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(f"it holds {constant}, which is no JSON number")


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(f"it holds a number of {len(digits):,} digits")
    return int(digits)


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"it holds {number[:40]}, which is too large a number")
    return value


def _lines(path: Path) -> Iterator[tuple[int, bytes | str | None]]:
    """(number, line) from 1: bytes of UTF-8 (or what may be), text where the file is UTF-16 or UTF-32, None for a line that is
    too long. A byte order mark is taken off."""
    with path.open("rb") as file:
        head = file.read(4_096)
        encoding = encoding_by_mark(head) or unmarked_utf_16(head)
        if encoding not in (None, "utf-8-sig"):
            file.close()
            with path.open(encoding=encoding, errors="replace", newline="\n") as text:
                number = 0
                while line := text.readline(_LONGEST_LINE):
                    number += 1
                    yield number, line if line.endswith("\n") or len(line) < _LONGEST_LINE else None
            return
        file.seek(3 if encoding else 0)
        number = 0
        while raw := file.readline(_LONGEST_LINE):
            number += 1
            if raw.endswith(b"\n") or len(raw) < _LONGEST_LINE:
                yield number, raw
                continue
            while raw and not raw.endswith(b"\n"):
                raw = file.readline(_LONGEST_LINE)
            yield number, None
