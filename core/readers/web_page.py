"""Converts a web page that a search found to a document with the page's visible text, or with the search's snippet if the page
has no text."""

import html
import re
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from core.ids import content_hash
from core.nouns import Document
from core.readers.isolated import read_page
from core.readers.reading import BadFile, check_text, clean_title, has_words, strip_controls
from core.text.detection import detect_language

ORIGIN = "web page"
"""Origin of a document whose web page has no URL."""
_TITLE_CHARACTERS = 40
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_HTML = re.compile(r"\s*<|.*</(?:html|body)\s*>\s*\Z", re.DOTALL | re.IGNORECASE)


class WebPage(NamedTuple):
    """A web page as a document, or the reason why the page gives no document."""

    document: Document | None
    """The document, or None if the page contains no letters or digits and has no snippet."""
    why: str = ""
    """Sentence that says why the document is not the whole page, else ""."""


def web_page(page: str, *, snippet: str = "", name: str = "", url: str = "", modified: str = "", domain: str) -> WebPage:
    """Return the document of an HTML or plain text page, without scripts and styles. If the page has no text, the document is
    its search snippet."""
    where = name or url or "The page"
    text, why, published, meta = "", "", None, dict[str, Any]({"url": url} if url else {})
    try:
        if is_html(page):
            read = read_page(page, where, name, with_metadata=not name)
            text, published, name = read.text, read.published, read.title
        else:
            text = check_text(strip_controls(page), where)
    except BadFile as error:
        text, why = strip_emphasis(snippet), str(error)
        meta["is_snippet"] = True
    if not has_words(text):
        return WebPage(None, why)
    document = Document(
        id=content_hash(text),
        text=text,
        title=clean_title(name) or " ".join(text[: 4 * _TITLE_CHARACTERS].split())[:_TITLE_CHARACTERS],
        domain=domain,
        language=detect_language(text),
        origin=url or ORIGIN,
        published=http_date(modified) or published,
        meta=meta,
    )
    return WebPage(document, why)


def is_html(page: str) -> bool:
    """Return whether a text is HTML, because it starts with a tag or its last tag closes the page."""
    return bool(_HTML.match(page[:200]) or _HTML.match(page[-2_000:]))


def strip_emphasis(snippet: str) -> str:
    """Return the search snippet without its emphasis tags."""
    return " ".join(html.unescape(_TAG.sub("", strip_controls(snippet))).split())


def http_date(text: str) -> str | None:
    """Return the date of an HTTP header in ISO form, or None if the text is not such a date."""
    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
