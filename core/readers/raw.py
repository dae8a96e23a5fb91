"""Detects the kind of a file by its first bytes and decodes bytes to text: UTF-8, UTF-16 and UTF-32 with or without a byte
order mark, GB18030, and as a last resort Windows-1252 with a note."""

import codecs
from contextlib import suppress
from typing import NamedTuple

from core.readers.reading import BadFile

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_KINDS = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive (or an Office file)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"PAR1", "a Parquet file"),
    (b"\x7fELF", "a program"),
    (b"\xd0\xcf\x11\xe0", "an old or password-protected Office file"),
    (b"SQLite", "a database"),
    ((b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"), "a Python pickle"),
    (b"RIFF", "a RIFF media file"),
    (b"OggS", "an Ogg media file"),
    (b"ID3", "an MP3 file"),
    (b"{\\rtf", "an RTF file"),
)

_NOT_TEXT = bytes(code for code in range(32) if code not in b"\t\n\x0b\x0c\r\x1a\x1b")


class Decoded(NamedTuple):
    """Text that was decoded from bytes, with the encoding that was used."""

    text: str
    encoding: str
    note: str
    """Sentence that says that the encoding is a guess, else ""."""


def describe_kind(head: bytes) -> str:
    """Return the kind of a file as its first bytes show it ("a PNG image", "HTML", "binary data"), or "" if the file may be
    text."""
    for magic, words in _KINDS:
        if head.startswith(magic):
            return words
    if head[8:12] == b"DUCK":
        return "a DuckDB database"
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:200].lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "HTML"
    if find_byte_order_mark(head) or detect_utf_16(head):
        return ""
    strange = len(head) - len(head.translate(None, _NOT_TEXT))
    return "binary data" if strange > max(8, len(head) / 20) else ""


def find_byte_order_mark(head: bytes) -> str | None:
    """Return the encoding that a byte order mark at the beginning shows, or None if there is no such mark."""
    return next((name for mark, name in _MARKS if head.startswith(mark)), None)


def detect_utf_16(head: bytes) -> str | None:
    """Return which UTF-16 encoding the bytes have, or None if they are not UTF-16. In UTF-16, every second byte of Latin text
    is zero."""
    even, odd, half = head[::2].count(0), head[1::2].count(0), len(head) / 2
    is_latin = max(even, odd) > 0.6 * half and min(even, odd) < 0.05 * half
    return ("utf-16-le" if odd > even else "utf-16-be") if is_latin else None


def decode(raw: bytes, name: str) -> Decoded:
    """Decode bytes to text. Raises BadFile if the bytes do not match the encoding that their byte order mark shows."""
    encoding = find_byte_order_mark(raw) or detect_utf_16(raw[:4_096])
    try:
        return Decoded(raw.decode(encoding or "utf-8"), encoding or "utf-8", "")
    except UnicodeDecodeError as error:
        if encoding is not None:
            raise BadFile(f"{name} is damaged {encoding} at byte {error.start + 1:,}: save it as UTF-8.") from error
        at = error.start
    if _looks_chinese(raw):
        with suppress(UnicodeDecodeError):
            return Decoded(raw.decode("gb18030"), "gb18030", f"{name} was read as GB18030, because it is not UTF-8.")
    note = f"{name} was read as Windows-1252, because byte {at + 1:,} is not UTF-8: save it as UTF-8 if letters are wrong."
    text = raw.decode("cp1252", errors="replace")
    if lost := text.count("\ufffd"):
        note = f"{note.removesuffix('.')}; {lost:,} bytes could not be read and became \ufffd."
    return Decoded(text, "cp1252", note)


def _looks_chinese(raw: bytes) -> bool:
    """Return whether the bytes look like GB18030, in which most high bytes come in pairs; in Windows-1252 most are single."""
    pairs = alone = 0
    place, sample = 0, raw[:100_000]
    while place < len(sample):
        if sample[place] < 0x80:
            place += 1
        elif place + 1 < len(sample) and sample[place] >= 0xA1 and sample[place + 1] >= 0xA1:
            pairs, place = pairs + 1, place + 2
        else:
            alone, place = alone + 1, place + 1
    return pairs > 9 * alone
