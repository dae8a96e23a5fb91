"""Reads one file in any format that is known. What cannot be read is given back as a sentence, never raised."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from core.errors import BenchError
from core.readers.docx_file import read_docx
from core.readers.html_file import read_html
from core.readers.lines import read_jsonl, read_lines
from core.readers.pdf_file import read_pdf
from core.readers.raw import kind
from core.readers.reading import Read, Refused, Unfit
from core.readers.text_file import read_text

FORMATS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "text": (".txt", ".text", ".md", ".markdown"), "jsonl": (".jsonl", ".ndjson"), "html": (".html", ".htm", ".xhtml"),
    "pdf": (".pdf",), "docx": (".docx",), "lines": (),
})  # fmt: skip
"""Formats, and the endings by which `auto` knows them."""
_ONE: Mapping[str, Callable[[Path, str], Read]] = MappingProxyType(
    {"text": read_text, "html": read_html, "pdf": read_pdf, "docx": read_docx}
)
_MANY = MappingProxyType({"jsonl": read_jsonl, "lines": read_lines})
_WANTED = {"pdf": ("a PDF",), "docx": ("a ZIP archive (or an Office file)",), "html": ("", "HTML"), "text": ("",),
           "jsonl": ("",), "lines": ("",)}  # fmt: skip

_NAMES = {"pdf": "a PDF", "docx": "a DOCX file", "html": "HTML", "text": "text", "jsonl": "JSON lines", "lines": "lines"}


def read_file(path: Path | str, format: str = "auto", where: str | None = None) -> Iterator[Read | Refused]:
    """What the file holds, in order: one Read, or one per line for `jsonl` and `lines`; a Refused for what cannot be taken.
    `auto` goes by the ending, and the first bytes must agree with it. `where` is how the file is named in reports and as the
    documents' source (default: its name). Titles: front matter, HTML or PDF title, first heading, file name; lines and
    untitled JSON lines: their first 40 characters. Raises BenchError only on an unknown format."""
    if format != "auto" and format not in FORMATS:
        raise BenchError(f"No format {format!r}; there are: auto, {', '.join(FORMATS)}.")
    return _read(Path(path), format, where or Path(path).name)


def _read(path: Path, format: str, where: str) -> Iterator[Read | Refused]:
    try:
        if not path.is_file():
            raise Unfit(f"{where} is no file." if path.exists() else f"{where} does not exist: check the name.")
        with path.open("rb") as file:
            head = file.read(4_096)
        if format == "auto":
            format = _by_ending(path, where, head)
        if not head:
            raise Unfit(f"{where} is empty: it holds no letter and no digit.")
        _check_kind(head, format, where)
        if format in _MANY:
            yield from _MANY[format](path, where)
        else:
            yield _ONE[format](path, where)
    except Unfit as error:
        yield Refused(where, None, str(error))
    except OSError as error:
        yield Refused(where, None, f"{where} cannot be read ({error.strerror or error}): check its rights.")


def _by_ending(path: Path, where: str, head: bytes) -> str:
    for name, endings in FORMATS.items():
        if path.suffix.lower() in endings:
            return name
    if found := kind(head):
        raise Unfit(f"{where} is {found}, and its ending is not known: give it its right ending, or leave it out.")
    known = " ".join(ending for endings in FORMATS.values() for ending in endings)
    raise Unfit(f"{where} has an ending that is not known: known are {known} (or give --format lines or jsonl).")


def _check_kind(head: bytes, format: str, where: str) -> None:
    found = kind(head)
    if format == "pdf" and b"%PDF-" in head[:1_024]:  # some bytes of rubbish may stand before it
        return
    if found not in _WANTED[format]:
        raise Unfit(f"{where} is {found or 'plain text'}, not {_NAMES[format]}: give it its right ending, or leave it out.")
