"""What a reader gives: a text that was read (Read) or a sentence on why not (Refused); and the checks that every text passes,
whatever file it came from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

LONGEST = 5_000_000
"""Characters that one document may have."""
_TITLE = 200
FORBIDDEN = "[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]"
"""Control characters other than white space, lone surrogates, and two code points that are no characters."""
_FORBIDDEN = re.compile(FORBIDDEN)
_HEADING = re.compile(r"^(?:#{1,6}[ \t]+(\S.*?)[ \t]*#*|(\S.{0,150})\n(?:={3,}|-{3,}))[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Read:
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
    original: bytes | None = None
    """The file itself, where its pages can be shown as they look; meta["pages"] then tells where each stands in the text."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A file, or a line of it, that cannot be taken."""

    where: str
    line: int | None
    message: str
    """One sentence: what, where, what to do."""


class Unfit(Exception):
    """A file or line cannot be read; its text is the sentence of the Refused that it becomes."""


def checked(text: str, name: str) -> str:
    """The text with \\n line ends; raises Unfit when it is empty, too long, or holds what is no text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > LONGEST:
        raise Unfit(f"{name} has {len(text):,} characters, and a document may have {LONGEST:,}: split it.")
    bad = _FORBIDDEN.search(text)
    if bad:
        raise Unfit(f"{name} holds U+{ord(bad[0]):04X} at character {bad.start() + 1:,}, which is no text: take it out.")
    if not any(character.isalnum() for character in text):
        raise Unfit(f"{name} is empty: it holds no letter and no digit.")
    return text


def without_controls(text: str) -> str:
    """For text taken out of a PDF, DOCX or HTML file, where such characters are remains of the layout."""
    return _FORBIDDEN.sub("", text)


def one_line(text: str) -> str:
    """A title: one line of at most 200 characters."""
    return " ".join(without_controls(text).split())[:_TITLE].strip()


def first_heading(text: str) -> str:
    """The first Markdown heading outside code fences, or ""."""
    found = _HEADING.search(_FENCE.sub("", text[:200_000]))
    return one_line(found[1] or found[2]) if found else ""


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
