"""DOCX through python-docx: headings and paragraphs as paragraphs, each table row as a line. The archive's sizes are looked at
before anything is unpacked."""

import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.readers.reading import Read, Unfit, check_text, one_line, without_controls

LARGEST_UNPACKED = 200_000_000
LARGEST_BODY = 60_000_000
"""Bytes of the unpacked archive, and of its word/document.xml."""
_MOST_PARTS = 10_000
_MOST_COLUMNS = 1_000
"""That a cell may span; Word's tables have 63."""
_ZIP_TROUBLES = (zipfile.BadZipFile, zlib.error, NotImplementedError, RecursionError)


def read_docx(path: Path, where: str) -> Read:
    """Raises Unfit, OSError."""
    _check_sizes(path, where)
    import docx
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    try:
        document = docx.Document(str(path))
        _check_spans(document, where)
        blocks = list(_blocks(document))
        properties = document.core_properties
        title, author = one_line(properties.title or ""), one_line(properties.author or "")
    except RuntimeError as error:  # zipfile's word for it
        if "encrypted" not in str(error) and "password" not in str(error):
            raise
        raise Unfit(f"{where} is locked by a password: remove it in Word.") from error
    except (OpcError, LxmlError, LookupError, ValueError, AttributeError, TypeError, EOFError, *_ZIP_TROUBLES) as error:
        raise Unfit(f"{where} is a broken DOCX file: save it anew in Word.") from error
    text = check_text(without_controls("\n\n".join(text for text, _ in blocks)), where)
    heading = next((one_line(text) for text, is_heading in blocks if is_heading), "")
    return Read(where, None, text, title or heading or Path(where).stem, meta={"author": author} if author else {})


def _check_sizes(path: Path, where: str) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (ValueError, *_ZIP_TROUBLES) as error:
        raise Unfit(f"{where} is a broken DOCX file: save it anew in Word.") from error
    if not any(part.filename == "word/document.xml" for part in parts):
        raise Unfit(f"{where} is a ZIP archive, but no DOCX file: unpack it and add what is in it.")
    size = sum(part.file_size for part in parts)
    body = sum(part.file_size for part in parts if part.filename.endswith(".xml"))
    if size > LARGEST_UNPACKED or body > LARGEST_BODY or len(parts) > _MOST_PARTS:
        raise Unfit(f"{where} would unpack to {size:,} bytes, too many for a document: it was not opened.")


def _check_spans(document: Any, where: str) -> None:
    """Each column that a cell spans is an object."""
    from docx.oxml.ns import qn

    for span in document.element.iter(qn("w:gridSpan")):
        if int(span.get(qn("w:val"), "1")) > _MOST_COLUMNS:
            raise Unfit(f"{where} has a table cell of more than {_MOST_COLUMNS:,} columns: save it anew in Word.")


def _blocks(document: Any) -> Iterator[tuple[str, bool]]:
    """(text, is a heading) of the body's paragraphs and tables, in order."""
    from docx.table import Table

    for block in document.iter_inner_content():
        if isinstance(block, Table):
            rows = (" | ".join(_cells(row)) for row in block.rows)
            text, heading = "\n".join(row for row in rows if row.strip(" |")), False
        else:
            style = (block.style.name or "") if block.style is not None else ""
            text, heading = block.text.strip(), style.startswith(("Heading", "Title"))
        if text:
            yield text, heading


def _cells(row: Any) -> Iterator[str]:
    """Cell texts, each on one line; a merged cell once."""
    seen = None
    for cell in row.cells:
        if cell._tc is not seen:
            seen = cell._tc
            yield " ".join(cell.text.split())
