"""Reads one file in any format that is known, in the process of core/readers/child.py. What cannot be read is given back as a
sentence, never raised."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from core.readers.docx_file import read_docx
from core.readers.html_file import read_html
from core.readers.lines import read_jsonl, read_lines
from core.readers.pdf_file import read_pdf
from core.readers.raw import describe_kind
from core.readers.reading import ReadDocument, RefusedFile, UnreadableFile
from core.readers.text_file import read_text

FORMATS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "text": (".txt", ".text", ".md", ".markdown"),
        "jsonl": (".jsonl", ".ndjson"),
        "html": (".html", ".htm", ".xhtml"),
        "pdf": (".pdf",),
        "docx": (".docx",),
        "lines": (),
    }
)
"""Formats, and the endings by which `auto` knows them."""
PLAIN_FORMATS = ("text", "jsonl", "lines")
"""Formats that no library reads."""
_ONE_DOCUMENT_READERS: Mapping[str, Callable[[Path, str], ReadDocument]] = MappingProxyType(
    {"text": read_text, "html": read_html, "pdf": read_pdf, "docx": read_docx}
)
_MANY_DOCUMENTS_READERS = MappingProxyType({"jsonl": read_jsonl, "lines": read_lines})
_EXPECTED_KINDS = {
    "pdf": ("a PDF",),
    "docx": ("a ZIP archive (or an Office file)",),
    "html": ("", "HTML"),
    "text": ("",),
    "jsonl": ("",),
    "lines": ("",),
}

_NAMES = {"pdf": "a PDF", "docx": "a DOCX file", "html": "HTML", "text": "text", "jsonl": "JSON lines", "lines": "lines"}


def read_in_process(path: Path, format: str, where: str) -> Iterator[ReadDocument | RefusedFile]:
    """What core.readers.read_file gives, read in this process."""
    try:
        if not path.is_file():
            raise UnreadableFile(f"{where} is no file." if path.exists() else f"{where} does not exist: check the name.")
        with path.open("rb") as file:
            head = file.read(4_096)
        if format == "auto":
            format = _by_ending(path, where, head)
        if not head:
            raise UnreadableFile(f"{where} is empty: it holds no letter and no digit.")
        _check_kind(head, format, where)
        if format in _MANY_DOCUMENTS_READERS:
            yield from _MANY_DOCUMENTS_READERS[format](path, where)
        else:
            yield _ONE_DOCUMENT_READERS[format](path, where)
    except UnreadableFile as error:
        yield RefusedFile(where, None, str(error))
    except OSError as error:
        yield RefusedFile(where, None, f"{where} cannot be read ({error.strerror or error}): check its rights.")
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - a library met a damaged file; what it says is for programmers
        yield RefusedFile(where, None, f"{where} is damaged, and cannot be read ({type(error).__name__}): save it anew.")


def _by_ending(path: Path, where: str, head: bytes) -> str:
    for name, endings in FORMATS.items():
        if path.suffix.lower() in endings:
            return name
    if found := describe_kind(head):
        raise UnreadableFile(f"{where} is {found}, and its ending is not known: give it its right ending, or leave it out.")
    known = " ".join(ending for endings in FORMATS.values() for ending in endings)
    raise UnreadableFile(f"{where} has an ending that is not known: known are {known} (or give --format lines or jsonl).")


def _check_kind(head: bytes, format: str, where: str) -> None:
    found = describe_kind(head)
    if format == "pdf" and b"%PDF-" in head[:1_024]:  # some bytes of rubbish may stand before it
        return
    if found not in _EXPECTED_KINDS[format]:
        raise UnreadableFile(
            f"{where} is {found or 'plain text'}, not {_NAMES[format]}: give it its right ending, or leave it out."
        )
