"""Read files and folders into Documents, one by one. A bad file or line is reported, and the remaining ones are still read.
Each text is added only once. A document's origin is a file name and line, never an absolute path."""

import errno
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document
from core.readers import ReadDocument, RefusedFile, is_small, read_file, read_small
from core.text.detection import detect
from core.text.language import UNKNOWN, read_language

__all__ = ["DuplicateDocument", "Ingested", "NamedFile", "OriginalFile", "RefusedFile", "ingest"]

T = TypeVar("T")
DOMAIN = re.compile(r"[^\W_]([^\W_]|[-_](?=[^\W_]))*")
MAX_DOMAIN_CHARACTERS = 32
LINK_TO_ITSELF = "This link leads to itself, so it is left out: point it to a file, or remove it."
_FILES_PER_LOOK = 64
"""Number of files that are checked and read together."""
RESERVED_DOMAINS = ("all",)
"""Words that cannot be domain names, because the command line gives them another meaning."""


class DuplicateDocument(NamedTuple):
    """Reports a document that is not added, because a document with the same text is already stored or was already read."""

    where: str
    document: str
    """Id of the stored or read document that has the same text."""


class OriginalFile(NamedTuple):
    """The original file of a document, which is stored if the app can display the file's pages (e.g. a PDF)."""

    document: str
    """Id of the document that was read from this file, whether new or already stored."""
    file: bytes
    pages: Any
    """Page boundaries: [start, end] of each page in the document's text, in code points."""


class NamedFile(NamedTuple):
    """A file that is shown in messages under a name other than its file name on disk, e.g. an uploaded file."""

    path: Path
    name: str


Ingested = Document | DuplicateDocument | RefusedFile | OriginalFile


def ingest(
    paths: Iterable[str | Path | NamedFile],
    domain: str | None,
    language: str | None,
    format: str,
    licence: str | None,
    known: Callable[[str], bool],
) -> Iterator[Ingested]:
    """Yield every document of the files and folders. If a document's original file is stored, the document is followed by this
    file. The domain, language and licence in a record take precedence over the arguments. A missing language is detected; a
    missing domain becomes "general". `known` checks whether a document id is already stored. Raises BenchError if the argument
    `domain` or `language` is invalid."""
    domain = None if domain is None else domain_name(domain)
    language = None if language is None else read_language(language)
    seen: set[str] = set()
    for path, where, every in _read(_files(paths), format):
        blank = RefusedFile(where, None, f"{where} contains no document: every line is blank.")
        for outcome in _or_else(every, blank):
            if isinstance(outcome, RefusedFile):
                yield outcome
                continue
            place = where if outcome.line is None else f"{where}, line {outcome.line}"
            try:
                document = _document(outcome, place, domain, language, licence)
            except BenchError as error:
                yield RefusedFile(where, outcome.line, str(error))
                continue
            if document.id in seen or known(document.id):
                yield DuplicateDocument(place, document.id)
            else:
                seen.add(document.id)
                yield document
            if outcome.is_paged:
                try:
                    yield OriginalFile(document.id, path.read_bytes(), outcome.meta["pages"])
                except OSError as error:
                    yield RefusedFile(where, None, f"The pages of {where} cannot be stored ({error.strerror}): add it again.")


def _read(
    files: Iterable[tuple[Path | RefusedFile, str]], format: str
) -> Iterator[tuple[Path, str, Iterable[ReadDocument | RefusedFile]]]:
    """Yield (file, its displayed name, the documents read from it) in order; small files are read together."""
    left = iter(files)
    while some := list(islice(left, _FILES_PER_LOOK)):
        small = [(path, where) for path, where in some if isinstance(path, Path) and is_small(path, format)]
        ready = dict(zip(small, read_small(small, format), strict=True)) if small else {}
        for path, where in some:
            if isinstance(path, RefusedFile):
                yield Path(), where, [path]
            else:
                yield path, where, ready[path, where] if (path, where) in ready else read_file(path, format, where)


def domain_name(text: str) -> str:
    """Return the domain name `text` in the form in which it is stored. Raises BenchError if `text` is not a valid domain
    name."""
    name = re.sub(r"\s+", "_", text.strip()).lower()
    if not DOMAIN.fullmatch(name) or len(name) > MAX_DOMAIN_CHARACTERS or name in RESERVED_DOMAINS:
        raise BenchError(
            f"{text!r} is not a domain name: use at most {MAX_DOMAIN_CHARACTERS} characters (lower-case letters, digits, - and "
            "_), as in law."
        )
    return name


def _document(reading: ReadDocument, place: str, domain: str | None, language: str | None, licence: str | None) -> Document:
    """Build a Document from the content of a file; `domain`, `language` and `licence` are used for fields that the file does
    not state. Raises BenchError if the domain or language in the file is invalid."""
    stated = read_language(reading.language) if reading.language else language
    detected = None if stated else detect(reading.text)
    notes = [reading.note, detected.explain(place) if detected else ""]
    note = " ".join(filter(None, notes))
    return Document(
        id=content_hash(reading.text),
        text=reading.text,
        title=reading.title,
        domain=domain_name(reading.domain) if reading.domain else domain or "general",
        language=stated or (detected.code if detected else UNKNOWN),
        origin=reading.origin or place,
        licence=reading.licence or licence,
        published=reading.published,
        meta=dict(reading.meta) | ({"note": note} if note else {}),
    )


def _or_else(values: Iterable[T], nothing: T) -> Iterator[T]:
    """Yield the values; if there are none, yield `nothing`."""
    these = iter(values)
    yield next(these, nothing)
    yield from these


def _files(paths: Iterable[str | Path | NamedFile]) -> Iterator[tuple[Path | RefusedFile, str]]:
    """Yield (file, its displayed name) for every regular file at the paths; a file that cannot be read is replaced by a
    RefusedFile with the reason."""
    for entry in paths:
        if isinstance(entry, NamedFile):
            yield _check_plain_file(entry.path, entry.name, entry.name), entry.name
            continue
        path = Path(entry)
        if path.is_dir():
            shown = path.name or path.resolve().name
            empty = RefusedFile(shown, None, f"{shown} contains no file: put some in, or name another folder.")
            yield from _or_else(_folder(path, path.resolve(), shown), (empty, shown))
        else:
            yield _check_plain_file(path, path.name, str(entry)), path.name


def _folder(folder: Path, root: Path, shown: str) -> Iterator[tuple[Path | RefusedFile, str]]:
    """Yield the files of a folder in sorted order, then those of its subfolders. For a hidden file or folder, and for a link to
    a folder or out of `root`, the function yields a RefusedFile with the reason."""
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: (entry.is_dir(), entry.name))
    except OSError as error:
        yield RefusedFile(shown, None, f"The folder cannot be read ({error.strerror}): check its permissions."), shown
        return
    for entry in entries:
        where = f"{shown}/{entry.name}"
        if entry.name.startswith("."):
            yield RefusedFile(where, None, "This is hidden, so it is left out: rename it if it belongs here."), where
        elif entry.is_symlink() and (why := _explain_link(entry, root)):
            yield RefusedFile(where, None, why), where
        elif entry.is_dir():
            yield from _folder(entry, root, where)
        else:
            yield _check_plain_file(entry, where, where), where


def _explain_link(link: Path, root: Path) -> str:
    """Return why a link in a folder is not read (it leads out of `root`, to a folder, to nothing or to itself), or "" if it is
    read."""
    try:
        link.stat()
        is_elsewhere = not link.resolve(strict=True).is_relative_to(root)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return LINK_TO_ITSELF
        return f"This link cannot be followed ({error.strerror}), so it is left out: mend it, or remove it."
    if is_elsewhere:
        return "This link leads out of the folder, so it is left out: give the path of its target."
    return "This link leads to the folder itself or one within it, so it is left out: remove it." if link.is_dir() else ""


def _check_plain_file(path: Path, where: str, as_typed: str) -> Path | RefusedFile:
    """Return the path if it is a regular file, else a RefusedFile with the reason, because reading a pipe or device might never
    end."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        if error.errno == errno.ELOOP:
            return RefusedFile(as_typed, None, LINK_TO_ITSELF)
        return RefusedFile(as_typed, None, f"The file cannot be found ({error.strerror}): check its name.")
    return path if stat.S_ISREG(mode) else RefusedFile(where, None, "This is not a plain file: give a file or a folder.")
