"""HTML pages: the main text by trafilatura, the whole visible text where it finds none. Nothing is fetched."""

import logging
import re
from pathlib import Path
from typing import Any

from core.readers.raw import decode, encoding_by_mark
from core.readers.reading import Read, Unfit, checked, iso_date, one_line, without_controls

LARGEST = 30_000_000
_CHARSET = re.compile(rb"<meta[^>]+charset=[\"']?\s*([\w-]+)", re.IGNORECASE)
_HIDDEN = "//script|//style|//noscript|//template|//svg|//head|//nav|//iframe|//comment()"
_BLOCKS = "//p|//div|//li|//tr|//br|//h1|//h2|//h3|//h4|//h5|//h6|//section|//article|//blockquote|//pre|//dt|//dd|//td|//th"


def read_html(path: Path, where: str) -> Read:
    """Raises Unfit, OSError."""
    if path.stat().st_size > LARGEST:
        raise Unfit(f"{where} has {path.stat().st_size:,} bytes, and an HTML page may have {LARGEST:,}: split it.")
    raw = path.read_bytes()
    page, note = _decoded(raw, where)
    return from_html(page, where, Path(where).stem, note)


def from_html(page: str, where: str, fallback_title: str, note: str = "", with_metadata: bool = True) -> Read:
    """The document of a page that is text already. Looking for its title, author and date takes half the time: without them the
    title is the fallback. Raises Unfit."""
    if not page.strip():
        raise Unfit(f"{where} is empty: it holds no letter and no digit.")
    found = _extracted(page, with_metadata)
    text = without_controls(str(found.get("text") or ""))
    if not any(character.isalnum() for character in text):
        text = without_controls(_visible(page))
    if not any(character.isalnum() for character in text):
        raise Unfit(f"{where} holds no visible text (a page that scripts fill?): save what the browser shows.")
    author = found.get("author")
    return Read(
        where, None, checked(text, where),
        one_line(str(found.get("title") or "")) or (with_metadata and _title(page)) or fallback_title,
        published=iso_date(found.get("date")), meta={"author": one_line(str(author))} if author else {}, note=note,
    )  # fmt: skip


def html_of(raw: bytes, where: str) -> str:
    """The page of a file's bytes. Raises Unfit when they are no text."""
    return _decoded(raw, where)[0]


def _decoded(raw: bytes, where: str) -> tuple[str, str]:
    named = _CHARSET.search(raw[:4_096])
    if named and encoding_by_mark(raw) is None:
        try:
            return raw.decode({"gb2312": "gb18030", "gbk": "gb18030"}.get(named[1].decode().lower(), named[1].decode())), ""
        except (LookupError, UnicodeDecodeError):
            return decode(raw, where).text, f"{where} names the encoding {named[1].decode()}, but is not in it."
    decoded = decode(raw, where)
    return decoded.text, decoded.note


def _extracted(page: str, with_metadata: bool) -> dict[str, Any]:
    import trafilatura

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # what it cannot read we read ourselves
    try:
        found = trafilatura.bare_extraction(
            page, include_comments=False, include_tables=True, with_metadata=with_metadata,
            date_extraction_params={"extensive_search": False, "original_date": True, "outputformat": "%Y-%m-%d"},
        )  # fmt: skip
    except (RecursionError, ValueError, TypeError, AttributeError):
        return {}
    return found.as_dict() if found is not None else {}


def _tree(page: str) -> Any:
    from lxml import etree, html

    try:
        return html.document_fromstring(page.encode("utf-8", "replace"), parser=html.HTMLParser(encoding="utf-8"))
    except (etree.ParserError, ValueError):
        return None


def _visible(page: str) -> str:
    """The text of the page, a line for each block."""
    tree = _tree(page)
    if tree is None:
        return ""
    for hidden in tree.xpath(_HIDDEN):
        hidden.drop_tree()
    for block in tree.xpath(_BLOCKS):
        block.tail = "\n" + (block.tail or "")
    lines = (" ".join(line.split()) for line in tree.text_content().splitlines())
    return "\n".join(line for line in lines if line)


def _title(page: str) -> str:
    tree = _tree(page)
    found = [] if tree is None else tree.xpath("//title|//h1")
    return next((title for node in found if (title := one_line(node.text_content()))), "")
