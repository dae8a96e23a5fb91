"""PDF through pdfium: the text of each page, and in meta["pages"] where each page stands in the text."""

from pathlib import Path

from core.readers.pdf_text import PrintedLine, join_lines, page_lines
from core.readers.reading import MAX_DOCUMENT_CHARACTERS, ReadDocument, UnreadableFile, check_text, clean_title

MAX_FILE_BYTES = 300_000_000
NO_TITLE = ("untitled", "(untitled)", "untitled document")
"""What programs write as the title of a PDF that was given none."""


def read_pdf(path: Path, where: str) -> ReadDocument:
    """Pages are parted by a blank line, or by a blank where a sentence runs on; meta["pages"] holds [start, end] of each, in
    code points. Raises Unfit, OSError."""
    if path.stat().st_size > MAX_FILE_BYTES:
        raise UnreadableFile(f"{where} has {path.stat().st_size:,} bytes, and a PDF may have {MAX_FILE_BYTES:,}: split it.")
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        why = "is locked by a password: remove it" if "assword" in str(error) else "is a broken PDF: save it anew"
        raise UnreadableFile(f"{where} {why}.") from error
    title = clean_title(document.get_metadata_dict().get("Title") or "")
    title = "" if title.lower() in NO_TITLE else title
    printed, characters = list[list[PrintedLine]](), 0
    for number in range(len(document)):
        printed.append(_lines(document, number, where))
        characters += sum(len(line.text) for line in printed[-1])
        if characters > MAX_DOCUMENT_CHARACTERS:
            raise UnreadableFile(
                f"{where} has more than {MAX_DOCUMENT_CHARACTERS:,} characters on {number + 1} pages: split it."
            )
    document.close()
    pages = join_lines(printed)
    if not any(character.isalnum() for page in pages for character in page.text):
        raise UnreadableFile(f"{where} holds no text on its {len(pages)} pages (a scan?): run a text recognition on it first.")
    text, offsets = "", list[list[int]]()
    for page in pages:
        text += page.separator
        offsets.append([len(text), len(text) + len(page.text)])
        text += page.text
    text = check_text(text, where)
    return ReadDocument(where, None, text, title or Path(where).stem, meta={"pages": offsets}, is_paged=True)


def _lines(document: object, number: int, where: str) -> list[PrintedLine]:
    import pypdfium2

    try:
        page = document[number]  # type: ignore[index]
        text_page = page.get_textpage()
        lines = page_lines(text_page)
        text_page.close()
        page.close()
    except pypdfium2.PdfiumError as error:
        raise UnreadableFile(f"{where} is broken on page {number + 1}: save it anew.") from error
    return lines
