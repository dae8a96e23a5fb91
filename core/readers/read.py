"""Reads one file of any known format, in the separate process of core/readers/child.py. Faults of the file are returned as
RefusedFile objects with a message; they are never raised as errors."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from core.readers.docx_file import read_docx
from core.readers.html_file import read_html
from core.readers.lines import read_jsonl, read_lines
from core.readers.pdf_file import read_pdf
from core.readers.raw import describe_kind
from core.readers.reading import BadFile, ReadDocument, RefusedFile
from core.readers.text_file import read_text


class _Format(NamedTuple):
    read: Callable[[Path, str], ReadDocument | Iterator[ReadDocument | RefusedFile]]
    endings: tuple[str, ...]
    """File name suffixes by which a file of this format is recognised."""
    kinds: tuple[str, ...]
    """Kinds of content that the first bytes of such a file may show; see raw.describe_kind."""
    name: str


_FORMATS = {
    "text": _Format(read_text, (".txt", ".text", ".md", ".markdown"), ("",), "text"),
    "jsonl": _Format(read_jsonl, (".jsonl", ".ndjson"), ("",), "JSON lines"),
    "html": _Format(read_html, (".html", ".htm", ".xhtml"), ("", "HTML"), "HTML"),
    "pdf": _Format(read_pdf, (".pdf",), ("a PDF",), "a PDF"),
    "docx": _Format(read_docx, (".docx",), ("a ZIP archive (or an Office file)",), "a DOCX file"),
    "lines": _Format(read_lines, (), ("",), "lines"),
}
FORMATS: Mapping[str, tuple[str, ...]] = MappingProxyType({name: format.endings for name, format in _FORMATS.items()})
"""Dict from format to the file name suffixes by which it is recognised."""
PLAIN_FORMATS = ("text", "jsonl", "lines")
"""Formats of plain text, which are read without another package."""


def read_in_process(path: Path, format: str, where: str) -> Iterator[ReadDocument | RefusedFile]:
    """Yield the documents and refused lines of a file like core.readers.read_file, but read the file in this process."""
    try:
        if not path.is_file():
            raise BadFile(f"{where} is not a file." if path.exists() else f"{where} does not exist: check the name.")
        with path.open("rb") as file:
            head = file.read(4_096)
        if format == "auto":
            format = _choose_format(path, where, head)
        if not head:
            raise BadFile(f"{where} is empty: it holds no letter and no digit.")
        reader, kind = _FORMATS[format], describe_kind(head)
        if kind not in reader.kinds and not (format == "pdf" and b"%PDF-" in head[:1_024]):  # other bytes may precede %PDF-
            raise BadFile(
                f"{where} is {kind or 'plain text'}, not {reader.name}: give it the right file name extension, or leave it out."
            )
        result = reader.read(path, where)
        yield from (result,) if isinstance(result, ReadDocument) else result
    except BadFile as error:
        yield RefusedFile(where, None, str(error))
    except OSError as error:
        yield RefusedFile(where, None, f"{where} cannot be read ({error.strerror or error}): check its permissions.")
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - a library failed on a damaged file; its message is for programmers
        yield RefusedFile(where, None, f"{where} is damaged, and cannot be read ({type(error).__name__}): save it again.")


def _choose_format(path: Path, where: str, head: bytes) -> str:
    for name, endings in FORMATS.items():
        if path.suffix.lower() in endings:
            return name
    if kind := describe_kind(head):
        raise BadFile(
            f"{where} is {kind}, and its file name extension is not known: give it the right file name extension, or leave "
            "it out."
        )
    known = " ".join(ending for endings in FORMATS.values() for ending in endings)
    raise BadFile(f"{where} has an unknown file name extension: known are {known} (or give --format lines or jsonl).")
