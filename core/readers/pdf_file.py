"""Reads PDF files with pdfium: the text of all pages, and in meta["pages"] where each page begins and ends in the text."""

from pathlib import Path

from core.readers.pdf_lines import PrintedLine, page_lines
from core.readers.pdf_text import join_lines
from core.readers.reading import (
    MAX_DOCUMENT_CHARACTERS,
    BadFile,
    ReadDocument,
    check_size,
    check_text,
    clean_title,
    has_words,
)

MAX_FILE_BYTES = 300_000_000
NO_TITLE = ("untitled", "(untitled)", "untitled document")
"""Placeholder titles that programs write into a PDF which has no title."""


def read_pdf(path: Path, where: str) -> ReadDocument:
    """Read a PDF file as a document; meta["pages"] contains the [start, end] offsets of each page. Raises BadFile if its
    content is invalid, or OSError if the file cannot be opened.

    A blank line separates two pages, or a space if a sentence continues on the next page."""
    check_size(path, where, "a PDF", MAX_FILE_BYTES)
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        why = "is locked by a password: remove it" if "assword" in str(error) else "is a broken PDF: save it again"
        raise BadFile(f"{where} {why}.") from error
    title = clean_title(document.get_metadata_dict().get("Title") or "")
    title = "" if title.lower() in NO_TITLE else title
    printed, characters = list[list[PrintedLine]](), 0
    for number in range(len(document)):
        try:
            page = document[number]
            text_page = page.get_textpage()
            printed.append(page_lines(text_page))
            text_page.close()
            page.close()
        except pypdfium2.PdfiumError as error:
            raise BadFile(f"{where} is broken on page {number + 1}: save the file again.") from error
        characters += sum(len(line.text) for line in printed[-1])
        if characters > MAX_DOCUMENT_CHARACTERS:
            raise BadFile(f"{where} has more than {MAX_DOCUMENT_CHARACTERS:,} characters on {number + 1} pages: split it.")
    document.close()
    pages = join_lines(printed)
    if not any(has_words(page.text) for page in pages):
        raise BadFile(f"{where} holds no text on its {len(pages)} pages (a scan?): run OCR on it first.")
    text, offsets = "", list[list[int]]()
    for page in pages:
        text += page.separator
        offsets.append([len(text), len(text) + len(page.text)])
        text += page.text
    text = check_text(text, where)
    return ReadDocument(where, None, text, title or Path(where).stem, meta={"pages": offsets}, is_paged=True)
