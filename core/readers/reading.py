"""The results of reading a file: a document (ReadDocument), or a message that says why the file gives no document
(RefusedFile). The module also checks the text of every document."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

MAX_DOCUMENT_CHARACTERS = 5_000_000
KNOWN_FIELDS = ("title", "domain", "language", "origin", "licence", "published")
"""Fields of a JSON line or of front matter that become fields of the document and are not copied to its metadata."""
FORBIDDEN = "[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]"
"""Control characters other than white space, lone surrogates, and two code points that are not characters, for a character
class."""
_MAX_TITLE_CHARACTERS = 200
_FORBIDDEN = re.compile(FORBIDDEN)
_ATX = re.compile(r"#{1,6}[ \t]+(?=\S)")
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})[ \t]*")
_MAX_UNDERLINED_CHARACTERS = 151
_FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class ReadDocument:
    r"""One document as read from a file. The text is unchanged except for line ends, which become \n; Unicode is not
    normalised."""

    where: str
    """Name of the file that the document was read from."""
    line: int | None
    """Number of the document's line in the file, from 1, or None if the file is one document."""
    text: str
    title: str
    domain: str | None = None
    """Domain of the document; None = not stated in the file."""
    language: str | None = None
    origin: str | None = None
    licence: str | None = None
    published: str | None = None
    """When the document was published, as an ISO date or date and time; None = not stated in the file."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Further information about the document from the file, as JSON values."""
    note: str = ""
    """Sentence that says that a property of the document, such as its encoding, is a guess, else ""."""
    is_paged: bool = False
    """Whether the pages of the file can be shown as pictures; meta["pages"] then contains where each page is in the text."""


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file, or a line of a file, that cannot be read."""

    where: str
    line: int | None
    message: str
    """Sentence that names the problem, where the problem is, and the remedy."""


class BadFile(Exception):
    """Error for a file or line that cannot be read; its text becomes the message of a RefusedFile."""


def check_size(path: Path, where: str, kind: str, most: int) -> None:
    """Check the size of a file. Raises BadFile if the file has more than `most` bytes."""
    if (size := path.stat().st_size) > most:
        raise BadFile(f"{where} has {size:,} bytes, and {kind} may have {most:,}: split it.")


def check_text(text: str, name: str) -> str:
    r"""Return the text with \n as line ends. Raises BadFile if the text is empty, too long, or contains a character that does
    not belong in text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_DOCUMENT_CHARACTERS:
        raise BadFile(f"{name} has {len(text):,} characters, and a document may have {MAX_DOCUMENT_CHARACTERS:,}: split it.")
    if bad := _FORBIDDEN.search(text):
        raise BadFile(f"{name} holds U+{ord(bad[0]):04X} at character {bad.start() + 1:,}, which is not text: remove it.")
    if not has_words(text):
        raise BadFile(f"{name} is empty: it holds no letter and no digit.")
    return text


def has_words(text: str) -> bool:
    """Return whether the text contains a letter or a digit."""
    return any(character.isalnum() for character in text)


def strip_controls(text: str) -> str:
    """Return the text of a PDF, DOCX or HTML file without control characters, which come from the file's layout."""
    return _FORBIDDEN.sub("", text)


def clean_title(text: str) -> str:
    """Return the title as one line of at most 200 characters."""
    return " ".join(strip_controls(text).split())[:_MAX_TITLE_CHARACTERS].strip()


def first_heading(text: str) -> str:
    """Return the text of the first Markdown heading outside code fences, or "" if there is none."""
    before = fence = ""
    for line in text[:200_000].split("\n"):
        if fence or line.startswith(_FENCES):
            fence = "" if fence and line.startswith(fence) else fence or line[:3]
            before = ""
        elif mark := _ATX.match(line):
            heading = line[mark.end() :].rstrip(" \t")
            return clean_title(heading.rstrip("#") or heading[0])
        elif before and _UNDERLINE.fullmatch(line):
            return clean_title(before)
        else:
            before = line if line[:1].strip() and len(line) <= _MAX_UNDERLINED_CHARACTERS else ""
    return ""


def iso_date(value: object) -> str | None:
    """Return a date, a datetime or an ISO text in ISO form, or None for any other value."""
    if isinstance(value, date):  # datetime is a subclass of date
        return value.isoformat()
    if isinstance(value, str):
        try:
            datetime.fromisoformat(value.strip())
        except ValueError:
            return None
        return value.strip()
    return None
