"""Reads files of any size line by line: plain lines with one document each, and JSON lines with one object each. For a bad
line, a RefusedFile is yielded, and reading continues with the next line."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.json_lines import number_lines, read_object
from core.readers.raw import decode, detect_utf_16, find_byte_order_mark
from core.readers.reading import (
    KNOWN_FIELDS,
    MAX_DOCUMENT_CHARACTERS,
    BadFile,
    ReadDocument,
    RefusedFile,
    check_text,
    clean_title,
    iso_date,
)
from core.text.language import read_language

_MAX_LINE_CHARACTERS = 6 * MAX_DOCUMENT_CHARACTERS + 1_000_000
"""Maximum size of a line in bytes; a JSON escape takes six bytes per character."""
_TITLE_CHARACTERS = 40
_MAX_NESTING = 50
"""Maximum nesting depth of a JSON line. Stored records may be nested deeper, because an export puts the line into a record,
which must be readable again."""


def read_lines(path: Path, where: str) -> Iterator[ReadDocument | RefusedFile]:
    """Yield one document per line that is not blank, with its first 40 characters as the title. Raises OSError if the file
    cannot be read."""

    def parse_line(raw: bytes | str, number: int, name: str) -> ReadDocument | None:
        if isinstance(raw, bytes):
            text, _, note = decode(raw, name)
        else:
            text, lost = raw, raw.count("\ufffd")
            note = f"{name} has {lost:,} places that could not be read: each became \ufffd." if lost else ""
        text = text.strip()
        return ReadDocument(where, number, check_text(text, name), _shorten_title(text), note=note) if text else None

    return _read_each(path, where, parse_line)


def read_jsonl(path: Path, where: str) -> Iterator[ReadDocument | RefusedFile]:
    """Yield one document per JSON object with `text` and optionally title, domain, language, origin, licence and published.
    Other fields go into the document's metadata, as do the fields of an object `meta`. Raises OSError if the file cannot be
    read."""

    def parse_line(raw: bytes | str, number: int, name: str) -> ReadDocument | None:
        line = read_object(number, raw, _MAX_NESTING)
        if line is None:
            return None
        if line.record is None:
            raise BadFile(f"{name} {line.why}: correct or remove the line.")
        return _parse_record(line.record, where, number, name)

    return _read_each(path, where, parse_line)


def _read_each(
    path: Path, where: str, parse_line: Callable[[bytes | str, int, str], ReadDocument | None]
) -> Iterator[ReadDocument | RefusedFile]:
    """Yield the document that `parse_line` returns for each line, if any. `parse_line` is called with the line, its number and
    its name in messages."""
    for number, raw in _number_lines(path):
        name = f"Line {number} of {where}"
        try:
            if raw is None:
                raise BadFile(f"{name} is longer than a document may be ({MAX_DOCUMENT_CHARACTERS:,} characters): split it.")
            document = parse_line(raw, number, name)
        except BadFile as error:
            yield RefusedFile(where, number, str(error))
        else:
            if document is not None:
                yield document


def _parse_record(record: dict[str, Any], where: str, number: int, name: str) -> ReadDocument:
    text = record.pop("text", None)
    if not isinstance(text, str):
        raise BadFile(f'{name} has no "text": add this field, a string.')
    known: dict[str, str | None] = {}
    for key in KNOWN_FIELDS:
        value = record.pop(key, None)
        if value is not None and not isinstance(value, str):
            raise BadFile(f'{name} has a "{key}" that is not a string: make it one, or leave it out.')
        known[key] = value.strip() or None if value else None
    try:
        known["language"] = read_language(known["language"]) if known["language"] else None
    except BenchError as error:
        raise BadFile(f"{name}: {error}") from error
    if known["published"] is not None and iso_date(known["published"]) is None:
        raise BadFile(f'{name} has "published" {known["published"]!r}, which is not an ISO date: write it as 2021-05-03.')
    inner = record.pop("meta", None)
    meta = {**record, **inner} if isinstance(inner, dict) else record | ({"meta": inner} if inner is not None else {})
    text = check_text(text, name)
    title = clean_title(known.pop("title") or "") or _shorten_title(text)
    return ReadDocument(where, number, text, title, meta=meta, **known)  # type: ignore[arg-type]  # title is taken out


def _shorten_title(text: str) -> str:
    most = _TITLE_CHARACTERS
    return clean_title(text[: 4 * most])[:most].strip() or clean_title(text)[:most]


def _number_lines(path: Path) -> Iterator[tuple[int, bytes | str | None]]:
    """Yield each line of a file with its number from 1. The line is given as bytes if the file may be UTF-8, and as text if the
    file is UTF-16 or UTF-32; None is yielded for a line that is too long."""
    with path.open("rb") as file:
        head = file.read(4_096)
        encoding = find_byte_order_mark(head) or detect_utf_16(head)
        if encoding in (None, "utf-8-sig"):
            file.seek(0)
            yield from number_lines(file, _MAX_LINE_CHARACTERS)
            return
    with path.open(encoding=encoding, errors="replace", newline="\n") as text:
        yield from number_lines(text, _MAX_LINE_CHARACTERS)
