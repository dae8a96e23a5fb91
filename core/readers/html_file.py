"""Reads HTML pages: the package trafilatura extracts the main text; if it finds none, all visible text is used. Nothing is
fetched from the network."""

import logging
from pathlib import Path
from typing import Any

from core.readers.page_encoding import decode_page
from core.readers.reading import BadFile, ReadDocument, check_size, check_text, clean_title, has_words, iso_date, strip_controls

MAX_FILE_BYTES = 30_000_000
MAX_DEPTH = 256
"""Number of nested levels of elements that libxml2 reads; elements that are nested deeper are left out."""
_HIDDEN_XPATH = "//script|//style|//noscript|//template|//svg|//head|//nav|//iframe|//comment()"
_BLOCKS = "//p|//div|//li|//tr|//br|//h1|//h2|//h3|//h4|//h5|//h6|//section|//article|//blockquote|//pre|//dt|//dd|//td|//th"


def read_html(path: Path, where: str) -> ReadDocument:
    """Read an HTML file as a document. Raises BadFile if its content is invalid, or OSError if the file cannot be opened."""
    check_size(path, where, "an HTML page", MAX_FILE_BYTES)
    page, note = decode_page(path.read_bytes(), where)
    return parse_html(page, where, Path(where).stem, note)


def parse_html(page: str, where: str, fallback_title: str, note: str = "", with_metadata: bool = True) -> ReadDocument:
    """Return the document of an HTML page that is already decoded. Raises BadFile if the page has no visible text.

    With `with_metadata`, also extracts title, author and date, which doubles the time; otherwise the title is
    `fallback_title`."""
    if not page.strip():
        raise BadFile(f"{where} is empty: it holds no letter and no digit.")
    content = _extract_content(page, with_metadata)
    text = strip_controls(str(content.get("text") or ""))
    if not has_words(text):
        text = strip_controls(_extract_visible_text(page))
    if not has_words(text):
        if line := _find_excessive_depth(page):
            raise BadFile(
                f"{where} nests its elements too deep: {MAX_DEPTH} levels are read, and line {line} goes deeper with no text "
                "before it; save what the browser shows."
            )
        raise BadFile(f"{where} holds no visible text (a page that scripts fill?): save what the browser shows.")
    author = content.get("author")
    return ReadDocument(
        where,
        None,
        check_text(text, where),
        clean_title(str(content.get("title") or "")) or (with_metadata and _find_title(page)) or fallback_title,
        published=iso_date(content.get("date")),
        meta={"author": clean_title(str(author))} if author else {},
        note=note,
    )


def _extract_content(page: str, with_metadata: bool) -> dict[str, Any]:
    import trafilatura

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # pages that trafilatura cannot read are read below
    try:
        content = trafilatura.bare_extraction(
            page,
            include_comments=False,
            include_tables=True,
            with_metadata=with_metadata,
            date_extraction_params={"extensive_search": False, "original_date": True, "outputformat": "%Y-%m-%d"},
        )
    except (RecursionError, ValueError, TypeError, AttributeError):
        return {}
    return content.as_dict() if content is not None else {}


def _parse_tree(page: str) -> Any:
    from lxml import etree, html

    try:
        return html.document_fromstring(page.encode("utf-8", "replace"), parser=html.HTMLParser(encoding="utf-8"))
    except (etree.ParserError, ValueError):
        return None


def _extract_visible_text(page: str) -> str:
    """Return all visible text of the page, one line per block."""
    tree = _parse_tree(page)
    if tree is None:
        return ""
    for hidden in tree.xpath(_HIDDEN_XPATH):
        if hidden.getparent() is not None:  # a comment before the page's first element has no parent
            hidden.drop_tree()
    for block in tree.xpath(_BLOCKS):
        block.tail = "\n" + (block.tail or "")
    lines = (" ".join(line.split()) for line in tree.text_content().splitlines())
    return "\n".join(line for line in lines if line)


def _find_excessive_depth(page: str) -> int | None:
    """Return the first line of the page on which elements are nested deeper than MAX_DEPTH, or None if there is none."""
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8")
    try:
        html.document_fromstring(page.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, ValueError):
        return None
    return next((entry.line for entry in parser.error_log if "depth" in entry.message.lower()), None)


def _find_title(page: str) -> str:
    tree = _parse_tree(page)
    nodes = [] if tree is None else tree.xpath("//title|//h1")
    return next((title for node in nodes if (title := clean_title(node.text_content()))), "")
