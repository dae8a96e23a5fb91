"""Reads DOCX files with python-docx: headings and paragraphs become paragraphs of the text, and each table row becomes one
line. The sizes in the archive are checked before unpacking."""

import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.readers.reading import BadFile, ReadDocument, check_text, clean_title, strip_controls

MAX_UNPACKED_BYTES = 200_000_000
MAX_XML_BYTES = 60_000_000
"""Maximum size in bytes, when unpacked, of all XML files in a DOCX archive together."""
_MAX_PARTS = 10_000
_MAX_COLUMNS = 1_000
"""Maximum number of columns that a table cell may span; Word's tables have at most 63."""
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, NotImplementedError, RecursionError)


def read_docx(path: Path, where: str) -> ReadDocument:
    """Read a DOCX file as a document. Raises BadFile if its content is invalid, or OSError if the file cannot be opened."""
    _check_sizes(path, where)
    import docx
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    try:
        document = docx.Document(str(path))
        _check_spans(document, where)
        blocks = list(_blocks(document))
        properties = document.core_properties
        title, author = clean_title(properties.title or ""), clean_title(properties.author or "")
    except (OpcError, LxmlError, LookupError, ValueError, AttributeError, TypeError, EOFError, *_ZIP_ERRORS) as error:
        raise BadFile(f"{where} is a broken DOCX file: save the file again in Word.") from error
    except RuntimeError as error:  # zipfile raises RuntimeError itself for an encrypted archive
        if "encrypted" not in str(error) and "password" not in str(error):
            raise
        raise BadFile(f"{where} is locked by a password: remove it in Word.") from error
    text = check_text(strip_controls("\n\n".join(text for text, _ in blocks)), where)
    heading = next((clean_title(text) for text, is_heading in blocks if is_heading), "")
    return ReadDocument(where, None, text, title or heading or Path(where).stem, meta={"author": author} if author else {})


def _check_sizes(path: Path, where: str) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (ValueError, *_ZIP_ERRORS) as error:
        raise BadFile(f"{where} is a broken DOCX file: save the file again in Word.") from error
    if not any(part.filename == "word/document.xml" for part in parts):
        raise BadFile(f"{where} is a ZIP archive, but no DOCX file: unpack it and add the files in it.")
    size = sum(part.file_size for part in parts)
    xml = sum(part.file_size for part in parts if part.filename.endswith(".xml"))
    if size > MAX_UNPACKED_BYTES or xml > MAX_XML_BYTES or len(parts) > _MAX_PARTS:
        raise BadFile(f"{where} would unpack to {size:,} bytes, too many for a document: it was not opened.")


def _check_spans(document: Any, where: str) -> None:
    """Check how many columns table cells span, because python-docx creates an object for each spanned column. Raises BadFile if
    a cell spans too many. A span below 1 counts as 1, as in Word; python-docx would leave the cell out."""
    from docx.oxml.ns import qn

    for span in document.element.iter(qn("w:gridSpan")):
        columns = int(span.get(qn("w:val"), "1"))
        if columns < 1:
            span.set(qn("w:val"), "1")
        if columns > _MAX_COLUMNS:
            raise BadFile(f"{where} has a table cell of more than {_MAX_COLUMNS:,} columns: save the file again in Word.")


def _blocks(document: Any) -> Iterator[tuple[str, bool]]:
    """Yield the paragraphs and tables of a DOCX file's body in order, each as (text, whether it is a heading)."""
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
    """Yield the text of each cell in a table row as a single line; a merged cell appears once."""
    before = None
    for cell in row.cells:
        if cell._tc is not before:
            before = cell._tc
            yield " ".join(cell.text.split())
