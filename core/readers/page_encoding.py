"""Bytes of an HTML page as text, in the encoding that a browser would take; what could not be read is counted and said."""

import re
from contextlib import suppress
from html.parser import HTMLParser
from typing import NamedTuple

from core.readers.raw import decode, find_byte_order_mark
from core.readers.reading import UnreadableFile

_LOOKED_AT = 4_096
"""Bytes in which a page names its encoding."""
_XML = re.compile(rb"<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}[\"']([\w:.-]{1,40})")
_EMPTY_COMMENT = re.compile("<!---?>")
"""As browsers take it; the parser would look for another end."""
_CONTENT = re.compile(r"charset\s*=\s*[\"']?([^\s\"';]+)", re.IGNORECASE)


class DecodedPage(NamedTuple):
    """A page as text."""

    text: str
    note: str
    """One sentence when its encoding was guessed, or when something could not be read."""


def decode_page(raw: bytes, where: str) -> DecodedPage:
    """The page of a file's bytes: a byte order mark decides, then what the page names (by WHATWG's labels, so that iso-8859-1
    is Windows-1252 and utf-16 is UTF-8), then what the bytes look like. Raises Unfit when they are no text."""
    marked = find_byte_order_mark(raw)
    codec = marked or _find_named_codec(raw[:_LOOKED_AT], where)
    if codec is None:
        decoded = decode(raw, where)
        return DecodedPage(decoded.text, decoded.note)
    text = raw.decode(codec, "replace")
    lost = text.count("\ufffd") - (raw.count(b"\xef\xbf\xbd") if codec.startswith("utf-8") else 0)
    if lost <= 0:
        return DecodedPage(text, "")
    if marked is None and not codec.startswith("utf-8"):
        try:
            return DecodedPage(
                raw.decode(), f"{where} was read as UTF-8, because it is not in the encoding that it names ({codec})."
            )
        except UnicodeDecodeError:
            pass  # then it is what it says, and damaged
    return DecodedPage(
        text, f"{where} has {lost:,} places that are not {codec}, which it is said to be in: each became \ufffd."
    )


def _find_named_codec(head: bytes, where: str) -> str | None:
    """Python's codec of the encoding that the page names; None when it names none that is known."""
    import webencodings

    finder = _MetaFinder()
    with suppress(AssertionError):  # the parser's word for a declaration that it does not know: what stands before it counts
        finder.feed(_EMPTY_COMMENT.sub("<!-- -->", head.decode("latin-1")))
    xml = _XML.match(head.lstrip(b" \t\r\n"))
    for label in [*([xml[1].decode("latin-1")] if xml else []), *finder.labels]:
        found = webencodings.lookup(label)
        if found is None:
            continue
        if found.name == "replacement":
            raise UnreadableFile(f"{where} is in {label[:40]}, which browsers do not read either: save it as UTF-8.")
        if found.name.startswith("utf-16"):
            return "utf-8"  # the label itself could be read as single bytes
        if found.name == "x-user-defined":
            return "cp1252"
        return "gb18030" if found.name == "gbk" else str(found.codec_info.name)  # browsers read the larger set
    return None


class _MetaFinder(HTMLParser):
    """What the meta elements of a page's beginning call its encoding; comments, scripts and titles are none."""

    def __init__(self) -> None:
        super().__init__()
        self.labels: list[str] = []
        self._words_of = ""
        """The element that holds words alone, whatever they look like."""

    def handle_endtag(self, tag: str) -> None:
        if tag == self._words_of:
            self._words_of = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("title", "textarea") and not self._words_of:
            self._words_of = tag
        if tag != "meta" or self._words_of:
            return
        given = {name: value or "" for name, value in reversed(attrs)}
        if "charset" in given:
            self.labels.append(given["charset"])
        elif given.get("http-equiv", "").lower() == "content-type" and (found := _CONTENT.search(given.get("content", ""))):
            self.labels.append(found[1])
