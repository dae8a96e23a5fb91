"""PDF through pdfium: the text of each page, and in meta["pages"] where each page stands in the text."""

from pathlib import Path
from threading import Lock

from core.readers.pdf_text import page_text
from core.readers.reading import LONGEST, Read, Unfit, checked, one_line

LARGEST = 300_000_000
_PDFIUM = Lock()
"""pdfium works for one thread at a time."""


def read_pdf(path: Path, where: str) -> Read:
    """Pages are joined by a blank line; meta["pages"] holds [start, end] of each, in code points. The file itself comes along.
    Raises Unfit, OSError."""
    if path.stat().st_size > LARGEST:
        raise Unfit(f"{where} has {path.stat().st_size:,} bytes, and a PDF may have {LARGEST:,}: split it.")
    import pypdfium2

    original = path.read_bytes()
    with _PDFIUM:
        try:
            document = pypdfium2.PdfDocument(original)
        except pypdfium2.PdfiumError as error:
            why = "is locked by a password: remove it" if "assword" in str(error) else "is a broken PDF: save it anew"
            raise Unfit(f"{where} {why}.") from error
        try:
            title = one_line(document.get_metadata_dict().get("Title") or "")
            pages, characters = [], 0
            for number in range(len(document)):
                pages.append(_page_text(document, number, where))
                characters += len(pages[-1])
                if characters > LONGEST:
                    raise Unfit(f"{where} has more than {LONGEST:,} characters on {number + 1} pages: split it.")
        finally:
            document.close()
    if not any(character.isalnum() for page in pages for character in page):
        raise Unfit(f"{where} holds no text on its {len(pages)} pages (a scan?): run a text recognition on it first.")
    offsets, start = [], 0
    for page in pages:
        offsets.append([start, start + len(page)])
        start += len(page) + 2
    text = checked("\n\n".join(pages), where)
    return Read(where, None, text, title or Path(where).stem, meta={"pages": offsets}, original=original)


def _page_text(document: object, number: int, where: str) -> str:
    import pypdfium2

    try:
        page = document[number]  # type: ignore[index]
        text_page = page.get_textpage()
        text = page_text(text_page)
        text_page.close()
        page.close()
    except pypdfium2.PdfiumError as error:
        raise Unfit(f"{where} is broken on page {number + 1}: save it anew.") from error
    return text
