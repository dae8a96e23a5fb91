"""Read JSON files of rows as other benchmarks write them: one array of objects, or an object of named arrays. If a file is
truncated, its complete rows are read."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import BenchError
from core.json_lines import JsonLine, strict_json
from store.formats._lines import MAX_ANSWER_CHARACTERS, check_text

MAX_FILE_BYTES = 2**30
"""Maximum size in bytes of a JSON file of rows that is read."""
_OPENING = re.compile(r'\s*+(?:(?:[{,]\s*+)?"((?:[^"\\]|\\.)*+)"\s*+:\s*+\[|\[)\s*+')
_BETWEEN = re.compile(r"\s*+(?:,\s*+)?")
_CLOSING = re.compile(r"\s*\]")


class ArrayElement(NamedTuple):
    """One element of a JSON array, or the reason why the array cannot be read further."""

    part: str
    """Name of the array that contains the element; "" if the file is a single array."""
    number: int
    """Number of the element in its array, from 1."""
    value: Any
    why: str = ""
    """Reason why the element is missing, as the end of a sentence that begins with the row's position; "" if the element is
    there."""

    def as_line(self) -> JsonLine:
        """Return the element as a JsonLine that contains either the record or the reason why the element is not a record."""
        is_row = not self.why and isinstance(self.value, dict)
        return JsonLine(self.number, self.value if is_row else None, self.why or "is not a JSON object")


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file. Raises BenchError if the file is not UTF-8, is too large or cannot be read."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise BenchError(f"{path} has more than {MAX_FILE_BYTES // 2**20} MB: split it.")
        content = path.read_bytes()
    except OSError as error:
        raise BenchError(f"{path} cannot be read: {error.strerror or error}.") from error
    check_text(path, content[:4096])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BenchError(f"{path} is not UTF-8 at its byte {error.start + 1:,}: save the file as UTF-8.") from error


def read_rows(text: str) -> Iterator[ArrayElement]:
    """Yield the rows of a text that contains a JSON array of rows, or an object of such arrays. If the JSON has an error, the
    last element gives the reason instead of a row."""
    try:
        whole = strict_json(text)
    except ValueError as error:
        yield from _read_before_fault(text, str(error))
        return
    if isinstance(whole, list):
        yield from (ArrayElement("", number, value) for number, value in enumerate(whole, 1))
    elif isinstance(whole, dict):
        for part, array in whole.items():
            if isinstance(array, list):
                yield from (ArrayElement(part, number, value) for number, value in enumerate(array, 1))
            else:
                yield ArrayElement(part, 1, None, "is not an array of rows")
    else:
        yield ArrayElement("", 1, None, "is neither an array of rows nor an object of arrays")


def read_text_field(row: Mapping[str, Any], key: str, needed: bool = False) -> str:
    """Return the text field `key` of the row, or "" if the row lacks the field. Raises ValueError if the field is not a text,
    is too long, or is blank although it is needed; the caller adds the position in the file to the message."""
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"has a value other than text as its {key}")
    if needed and not (value or "").strip():
        raise ValueError(f"has no {key}")
    if len(value or "") > MAX_ANSWER_CHARACTERS:
        raise ValueError(f"has a {key} of {len(value or ''):,} characters, but at most {MAX_ANSWER_CHARACTERS:,} are allowed")
    return value or ""


def _read_before_fault(text: str, why: str) -> Iterator[ArrayElement]:
    """Yield the rows of a file up to its first error, then an element that contains the error."""
    decoder, part, number = json.JSONDecoder(), "", 0
    opening = _OPENING.match(text)
    while opening:
        part, number, at = opening[1] or "", 0, opening.end()
        while text.startswith("{", at):
            try:
                _, end = decoder.raw_decode(text, at)
                value = strict_json(text[at:end])
            except (ValueError, RecursionError):
                break
            number += 1
            yield ArrayElement(part, number, value)
            between = _BETWEEN.match(text, end)
            at = between.end() if between else end
        closing = _CLOSING.match(text, at)
        opening = _OPENING.match(text, closing.end()) if closing else None
    yield ArrayElement(part, number + 1, None, f"breaks off, and nothing after it was read: the file {why}")
