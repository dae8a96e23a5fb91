"""Files of lines, read one line at a time, however large: plain lines (a document each) and JSON lines (an object each). A bad
line is one Refused, and the rest goes on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.json_lines import number_lines, read_object
from core.readers.raw import decode, detect_utf_16, find_byte_order_mark
from core.readers.reading import (
    MAX_DOCUMENT_CHARACTERS,
    ReadDocument,
    RefusedFile,
    UnreadableFile,
    check_text,
    clean_title,
    iso_date,
)

_LONGEST_LINE = 6 * MAX_DOCUMENT_CHARACTERS + 1_000_000
"""Bytes: a JSON escape has six a character."""
_TITLE = 40
_MAX_NESTING = 50
"""Levels: less than what the store reads, so that what came in is read again when it is exported inside a record of ours."""
_KNOWN_FIELDS = ("title", "domain", "language", "origin", "licence", "published")


def read_lines(path: Path, where: str) -> Iterator[ReadDocument | RefusedFile]:
    """One document a line; blank lines are skipped. Title: its first 40 characters. Raises OSError."""
    for number, raw in _lines(path):
        try:
            if raw is None:
                raise UnreadableFile(
                    f"Line {number} of {where} is longer than a document may be ({MAX_DOCUMENT_CHARACTERS:,} characters): "
                    "split it."
                )
            decoded = decode(raw, f"Line {number} of {where}") if isinstance(raw, bytes) else None
            line = (decoded.text if decoded else str(raw)).strip()
            if line:
                text = check_text(line, f"Line {number} of {where}")
                yield ReadDocument(
                    where,
                    number,
                    text,
                    _title(text),
                    note=decoded.note if decoded else _describe_lost_places(text, number, where),
                )
        except UnreadableFile as error:
            yield RefusedFile(where, number, str(error))


def read_jsonl(path: Path, where: str) -> Iterator[ReadDocument | RefusedFile]:
    """One object a line: `text` is needed; title, domain, language, origin, licence and published are known; the rest goes to
    meta (an object `meta` is opened). Raises OSError."""
    for number, raw in _lines(path):
        name = f"Line {number} of {where}"
        try:
            if raw is None:
                raise UnreadableFile(
                    f"{name} is longer than a document may be ({MAX_DOCUMENT_CHARACTERS:,} characters): split it."
                )
            line = read_object(number, raw, _MAX_NESTING)
            if line is None:
                continue
            if line.record is None:
                raise UnreadableFile(f"{name} {line.why}: mend or remove it.")
            yield _document(line.record, where, number, name)
        except UnreadableFile as error:
            yield RefusedFile(where, number, str(error))


def _describe_lost_places(line: str, number: int, where: str) -> str:
    """A sentence on what could not be read of a line of a UTF-16 or UTF-32 file."""
    lost = line.count("\ufffd")
    return f"Line {number} of {where} has {lost:,} places that could not be read: each became \ufffd." if lost else ""


def _document(record: dict[str, Any], where: str, number: int, name: str) -> ReadDocument:
    text = record.pop("text", None)
    if not isinstance(text, str):
        raise UnreadableFile(f'{name} has no "text": give it one, a string.')
    known: dict[str, str | None] = {}
    for key in _KNOWN_FIELDS:
        value = record.pop(key, None)
        if value is not None and not isinstance(value, str):
            raise UnreadableFile(f'{name} has a "{key}" that is no string: make it one, or leave it out.')
        known[key] = value.strip() or None if value else None
    if known["language"] not in (None, "en", "zh"):
        raise UnreadableFile(f'{name} has the language "{known["language"]}": en and zh are known.')
    if known["published"] is not None and iso_date(known["published"]) is None:
        raise UnreadableFile(f'{name} has "published" {known["published"]!r}, no ISO date: write it as 2021-05-03.')
    inner = record.pop("meta", None)
    meta = {**record, **inner} if isinstance(inner, dict) else record | ({"meta": inner} if inner is not None else {})
    text = check_text(text, name)
    title = clean_title(known.pop("title") or "") or _title(text)
    return ReadDocument(where, number, text, title, meta=meta, **known)  # type: ignore[arg-type]  # title is taken out


def _title(text: str) -> str:
    return clean_title(text[: 4 * _TITLE])[:_TITLE].strip() or clean_title(text)[:_TITLE]


def _lines(path: Path) -> Iterator[tuple[int, bytes | str | None]]:
    """(number, line) from 1: bytes of UTF-8 (or what may be), text where the file is UTF-16 or UTF-32, None for a line that is
    too long."""
    with path.open("rb") as file:
        head = file.read(4_096)
        encoding = find_byte_order_mark(head) or detect_utf_16(head)
        if encoding in (None, "utf-8-sig"):
            file.seek(0)
            yield from number_lines(file, _LONGEST_LINE)
            return
    with path.open(encoding=encoding, errors="replace", newline="\n") as text:
        yield from number_lines(text, _LONGEST_LINE)
