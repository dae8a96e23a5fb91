"""Files and folders become Documents, one by one: a bad file or line is reported and the rest goes on; the same text comes in
once. Where a document came from is a file name with its line, never a path of this machine."""

import re
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import LANGUAGES, Document
from core.readers import Read, Refused, read_file
from core.text import detect_language

__all__ = ["Already", "Ingested", "Named", "Original", "Refused", "ingest"]

T = TypeVar("T")
DOMAIN = re.compile(r"[^\W_]([^\W_]|[-_](?=[^\W_]))*")
LONGEST_DOMAIN = 32
RESERVED = ("all",)
"""Domain names that mean something else on the command line."""


class Already(NamedTuple):
    """A text that is there already."""

    where: str
    document: str
    """Id of the document that holds it."""


class Original(NamedTuple):
    """The file that a document was read from, where its pages can be shown as they look."""

    document: str
    """Id of the document that was given last, new or there already."""
    file: bytes
    pages: Any
    """[start, end] of each page in the document's text."""


class Named(NamedTuple):
    """A file that is shown under another name than it has on the disk."""

    path: Path
    name: str


Ingested = Document | Already | Refused | Original


def ingest(
    paths: Iterable[str | Path | Named],
    domain: str | None,
    language: str | None,
    format: str,
    licence: str | None,
    known: Callable[[str], bool],
) -> Iterator[Ingested]:
    """Every document of the files and folders, folders in sorted order, each followed by its Original if it has one. What a
    record says of itself (domain, language, licence) wins over what is given here; without a language it is detected, without
    a domain it is "general". `known` tells whether a document id is there already. Raises BenchError on a domain or language
    that cannot be one."""
    domain = None if domain is None else domain_name(domain)
    language = None if language is None else language_name(language)
    seen: set[str] = set()
    for path, where in _files(paths):
        if isinstance(path, Refused):
            yield path
            continue
        blank = Refused(where, None, f"{where} holds no document: every line of it is blank.")
        for found in _or_else(read_file(path, format, where), blank):
            if isinstance(found, Refused):
                yield found
                continue
            place = where if found.line is None else f"{where}, line {found.line}"
            try:
                document = _document(found, place, domain, language, licence)
            except BenchError as error:
                yield Refused(where, found.line, str(error))
                continue
            if document.id in seen or known(document.id):
                yield Already(place, document.id)
            else:
                seen.add(document.id)
                yield document
            if found.original is not None:
                yield Original(document.id, found.original, found.meta["pages"])


def domain_name(text: str) -> str:
    """The domain as it is stored; raises BenchError when it is none."""
    name = re.sub(r"\s+", "_", text.strip()).lower()
    if not DOMAIN.fullmatch(name) or len(name) > LONGEST_DOMAIN or name in RESERVED:
        raise BenchError(
            f"{text!r} is no domain name: write one of at most {LONGEST_DOMAIN} lower-case letters, digits, - and _, like law."
        )
    return name


def language_name(text: str) -> str:
    """en or zh, also from "en-GB" or "zh_CN"; raises BenchError on any other."""
    name = re.split(r"[-_]", text.strip().lower())[0]
    if name not in LANGUAGES:
        raise BenchError(f"Language {text!r} is not known: documents are in {' or '.join(LANGUAGES)}.")
    return name


def _document(found: Read, place: str, domain: str | None, language: str | None, licence: str | None) -> Document:
    """The Document of what was read; raises BenchError when its own domain or language cannot be one."""
    return Document(
        id=content_hash(found.text),
        text=found.text,
        title=found.title,
        domain=domain_name(found.domain) if found.domain else domain or "general",
        language=language_name(found.language) if found.language else language or detect_language(found.text),
        origin=found.origin or place,
        licence=found.licence or licence,
        published=found.published,
        meta=dict(found.meta) | ({"note": found.note} if found.note else {}),
    )


def _or_else(found: Iterable[T], nothing: T) -> Iterator[T]:
    """What was found, or where that is none the one thing that says so."""
    these = iter(found)
    yield next(these, nothing)
    yield from these


def _files(paths: Iterable[str | Path | Named]) -> Iterator[tuple[Path | Refused, str]]:
    """(file, its name as it is shown) of every plain file; a Refused in the file's place where one is left out."""
    for given in paths:
        if isinstance(given, Named):
            yield _plain(given.path, given.name, given.name), given.name
            continue
        path = Path(given)
        if path.is_dir():
            shown = path.name or path.resolve().name
            empty = Refused(shown, None, f"{shown} holds no file: put some in, or name another folder.")
            yield from _or_else(_folder(path, path.resolve(), shown), (empty, shown))
        else:
            yield _plain(path, path.name, str(given)), path.name


def _folder(folder: Path, root: Path, shown: str) -> Iterator[tuple[Path | Refused, str]]:
    """A folder's files in sorted order, then its folders'. Hidden ones, and links that lead out of `root` or to a folder, are
    left out with a word."""
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: (entry.is_dir(), entry.name))
    except OSError as error:
        yield Refused(shown, None, f"The folder cannot be read ({error.strerror}): check its rights."), shown
        return
    for entry in entries:
        where = f"{shown}/{entry.name}"
        if entry.name.startswith("."):
            yield Refused(where, None, "Hidden, so left out: rename it if it belongs here."), where
        elif entry.is_symlink() and (entry.is_dir() or not entry.resolve().is_relative_to(root)):
            yield Refused(where, None, "A link that leads elsewhere, so left out: name its target itself."), where
        elif entry.is_dir():
            yield from _folder(entry, root, where)
        else:
            yield _plain(entry, where, where), where


def _plain(path: Path, where: str, given: str) -> Path | Refused:
    """The path when it is a plain file; reading a pipe or a device might never end."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return Refused(given, None, f"The file cannot be found ({error.strerror}): check its name.")
    return path if stat.S_ISREG(mode) else Refused(where, None, "This is no plain file: give a file or a folder.")
