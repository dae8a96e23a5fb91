"""What a reader gives: a text that was read (Read) or a sentence on why not (Refused); and the checks that every text passes,
whatever file it came from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

MAX_DOCUMENT_CHARACTERS = 5_000_000
"""Characters that one document may have."""
_TITLE = 200
FORBIDDEN = "[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]"
"""Control characters other than white space, lone surrogates, and two code points that are no characters."""
_FORBIDDEN = re.compile(FORBIDDEN)
_ATX = re.compile(r"#{1,6}[ \t]+(?=\S)")
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})[ \t]*")
_LONGEST_UNDERLINED = 151
_FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """One document as read. Its text is stored as given; only line ends become \\n (no Unicode normalisation)."""

    where: str
    """File name."""
    line: int | None
    """Line of the file, from 1, where a file holds several documents."""
    text: str
    title: str
    domain: str | None = None
    """None = the file does not say."""
    language: str | None = None
    origin: str | None = None
    licence: str | None = None
    published: str | None = None
    """ISO date or date and time."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """What else the file said; JSON values."""
    note: str = ""
    """One sentence when something was guessed, such as the encoding."""
    is_paged: bool = False
    """Whether the file's pages can be shown as they look; meta["pages"] then tells where each stands in the text."""


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file, or a line of it, that cannot be taken."""

    where: str
    line: int | None
    message: str
    """One sentence: what, where, what to do."""


class UnreadableFile(Exception):
    """A file or line cannot be read; its text is the sentence of the Refused that it becomes."""


def check_text(text: str, name: str) -> str:
    """The text with \\n line ends; raises Unfit when it is empty, too long, or holds what is no text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_DOCUMENT_CHARACTERS:
        raise UnreadableFile(
            f"{name} has {len(text):,} characters, and a document may have {MAX_DOCUMENT_CHARACTERS:,}: split it."
        )
    bad = _FORBIDDEN.search(text)
    if bad:
        raise UnreadableFile(
            f"{name} holds U+{ord(bad[0]):04X} at character {bad.start() + 1:,}, which is no text: take it out."
        )
    if not any(character.isalnum() for character in text):
        raise UnreadableFile(f"{name} is empty: it holds no letter and no digit.")
    return text


def strip_controls(text: str) -> str:
    """For text taken out of a PDF, DOCX or HTML file, where such characters are remains of the layout."""
    return _FORBIDDEN.sub("", text)


def clean_title(text: str) -> str:
    """A title: one line of at most 200 characters."""
    return " ".join(strip_controls(text).split())[:_TITLE].strip()


def first_heading(text: str) -> str:
    """The first Markdown heading outside code fences, or ""."""
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
            before = line if line[:1].strip() and len(line) <= _LONGEST_UNDERLINED else ""
    return ""


def iso_date(value: object) -> str | None:
    """A date or time, given as such or as ISO text, in ISO form; None for anything else."""
    if isinstance(value, date):  # a datetime is one too
        return value.isoformat()
    if isinstance(value, str):
        try:
            datetime.fromisoformat(value.strip())
        except ValueError:
            return None
        return value.strip()
    return None
