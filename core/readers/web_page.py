"""A web page as a search found it, with its snippet, becomes a document of its visible text."""

import html
import re
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from core.ids import content_hash
from core.nouns import Document
from core.readers.isolated import read_page
from core.readers.reading import UnreadableFile, check_text, clean_title, strip_controls
from core.text.text import detect_language

ORIGIN = "web page"
"""Of a page without a URL."""
_TITLE = 40
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_HTML = re.compile(r"\s*<|.*</(?:html|body)\s*>\s*\Z", re.DOTALL | re.IGNORECASE)


class WebPage(NamedTuple):
    """What a page became."""

    document: Document | None
    """None = it shows no letter and no digit, and has no snippet."""
    why: str = ""
    """Why the document is not the whole page: a sentence."""


def web_page(page: str, *, snippet: str = "", name: str = "", url: str = "", modified: str = "", domain: str) -> WebPage:
    """`page` is HTML, or plain text. Scripts and styles are left out; a page that shows nothing becomes its snippet."""
    where = name or url or "The page"
    text, why, published, meta = "", "", None, dict[str, Any]({"url": url} if url else {})
    try:
        if is_html(page):
            found = read_page(page, where, name, with_metadata=not name)
            text, published, name = found.text, found.published, found.title
        else:
            text = check_text(strip_controls(page), where)
    except UnreadableFile as unfit:
        text, why = strip_emphasis(snippet), str(unfit)
        meta["is_snippet"] = True
    if not any(character.isalnum() for character in text):
        return WebPage(None, why)
    title = clean_title(name) or " ".join(text[: 4 * _TITLE].split())[:_TITLE]
    return WebPage(
        Document(
            id=content_hash(text),
            text=text,
            title=title,
            domain=domain,
            language=detect_language(text),
            origin=url or ORIGIN,
            published=http_date(modified) or published,
            meta=meta,
        ),
        why,
    )


def is_html(page: str) -> bool:
    """Whether a text is HTML: it begins with a tag, or its last one closes the page."""
    return bool(_HTML.match(page[:200]) or _HTML.match(page[-2_000:]))


def strip_emphasis(snippet: str) -> str:
    """A snippet without its marks of emphasis."""
    return " ".join(html.unescape(_TAG.sub("", strip_controls(snippet))).split())


def http_date(text: str) -> str | None:
    """ISO form of an HTTP date; None for anything else."""
    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, TypeError, IndexError):
        return None
