"""PDF through pdfium: the text of each page, and in meta["pages"] where each page stands in the text."""

import re
from pathlib import Path
from threading import Lock

from core.readers.reading import LONGEST, Read, Unfit, checked, one_line, without_controls

LARGEST = 300_000_000
_HYPHEN = re.compile("(?:\ufffe|\x02)\n?")
"""pdfium's sign for a hyphen that only broke a line."""
_PDFIUM = Lock()
"""pdfium works for one thread at a time."""


def read_pdf(path: Path, where: str) -> Read:
    """Pages are joined by a blank line; meta["pages"] holds [start, end] of each, in code points. Raises Unfit, OSError."""
    if path.stat().st_size > LARGEST:
        raise Unfit(f"{where} has {path.stat().st_size:,} bytes, and a PDF may have {LARGEST:,}: split it.")
    import pypdfium2

    with _PDFIUM:
        try:
            document = pypdfium2.PdfDocument(path.read_bytes())
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
    return Read(where, None, checked("\n\n".join(pages), where), title or Path(where).stem, meta={"pages": offsets})


def _page_text(document: object, number: int, where: str) -> str:
    import pypdfium2

    try:
        page = document[number]  # type: ignore[index]
        text_page = page.get_textpage()
        text: str = text_page.get_text_range()
        text_page.close()
        page.close()
    except pypdfium2.PdfiumError as error:
        raise Unfit(f"{where} is broken on page {number + 1}: save it anew.") from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return without_controls(_HYPHEN.sub("", text)).strip()
